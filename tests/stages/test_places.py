"""One name for one app or site."""

from __future__ import annotations

import pytest

from curate.stages.measures.app_names import app_key, app_keys, site_key


@pytest.mark.parametrize(
    ("place", "key"),
    [
        ("https://www.google.com/search?q=a", "google.com"),
        ("mail.google.com", "google.com"),
        ("www.amazon.co.uk", "amazon.co.uk"),
        ("shop.example.com.au", "example.com.au"),
        ("a.b.city.kawasaki.jp", "city.kawasaki.jp"),  # an exception to a rule of the public suffix list
        ("a.b.kawasaki.jp", "a.b.kawasaki.jp"),
        ("docs.me.github.io", "me.github.io"),  # two people's pages are two sites
        ("www.example.gov.in", "example.gov.in"),
        ("co.uk", "co.uk"),
        ("http://xn--85x722f.xn--55qx5d.cn/", "食狮.公司.cn"),
        ("食狮.公司.cn", "食狮.公司.cn"),
        ("localhost:7770", "localhost:7770"),
        ("http://127.0.0.1:8023/x", "127.0.0.1:8023"),
        ("shopping_admin", "shopping_admin"),
        ("https://youtu.be/x", "youtube.com"),
        ("Example.COM.", "example.com"),
        ("http://[::1", "http://[::1"),
        ("site.example:99999", "site.example:99999"),
    ],
)
def test_sites(place, key):
    assert site_key(place) == key


def test_apps():
    assert app_key("Google Chrome") == app_key("chrome.exe") == app_key("com.android.chrome") == "chrome"
    assert app_key("VS_Code") == app_key("Visual Studio Code.app") == "vscode"
    assert app_keys(["Settings", "settings", " "]) == ["settings"]
    assert app_keys(["ApplicationFrameHost.exe", "SystemSettings"]) == ["systemsettings"]  # a host names no app
