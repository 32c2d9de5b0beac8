"""Who is answered, and with which files: real requests as another page, another name, a stranger would send them."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.store.media import MediaStore
from curate.store.paths import inside
from curate.view.review.files import bundle_names
from tests.factories import make_step, make_trajectory, png
from tests.view.review.conftest import make_dataset
from tests.view.review.serving import Asked, serving

SECRET = b"a secret outside of the data"


@pytest.fixture(scope="module")
def trap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Asked]]:
    """A dataset with links in its media that lead out, beside a secret."""
    folder = tmp_path_factory.mktemp("trap")
    (folder / "secret.txt").write_bytes(SECRET)
    (folder / "secret.png").write_bytes(SECRET)
    root = make_dataset(folder / "data", [make_trajectory("m", steps=[make_step(0)])], picture=png())
    first = next((root / "media").glob("*/*.png"))
    ab = root / "media" / "ab"
    ab.mkdir(exist_ok=True)
    for name, target in ((f"{'ab' * 32}.png", folder / "secret.png"), (f"{'ab' * 32}.jpg", Path("/etc/passwd"))):
        (ab / name).symlink_to(target)
    first.with_name(first.name + ".gz").symlink_to(folder / "secret.txt")  # what a server may look for beside a file
    first.with_name(first.name + ".br").symlink_to(folder / "secret.txt")
    (root / "media" / "cd").symlink_to(folder)
    (folder / f"{'cd' * 32}.png").write_bytes(SECRET)
    os.mkfifo(ab / f"ab{'cd' * 31}.png")
    with serving(root) as found:
        yield root, found


def test_whoever_has_no_token_gets_nothing(asked: Asked) -> None:
    picture = asked.json("run/0")["steps"][0]["image"]["src"]
    for path in ("/", "/api/about.json", "/api/list.json", f"/{picture}", "/style.css", "/index.html", "/nothing"):
        for headers in ({}, {"Cookie": f"{asked.server.guard.cookie}=wrong"}, {"Cookie": ';;;== ,a="b'}):
            answer = asked(path, cookie=False, **headers)
            assert answer.status == 403 and answer.plain["error"].startswith("The token is missing or wrong"), path
    place = asked.server.guard.place
    for token in ("", "wrong", asked.token[:-1], asked.token + "x", "%00", "%ff", "é"):
        assert asked(f"{place}?token={quote(token, safe='%')}", cookie=False).status == 403
    assert asked(f"/api/about.json?token={asked.token}", cookie=False).status == 403, "only the page takes a token"


def test_the_page_opened_with_the_token_goes_on_with_a_cookie(asked: Asked) -> None:
    place = asked.server.guard.place
    answer = asked(f"{place}?token={asked.token}", cookie=False)
    assert answer.status == 200 and b"<title>" in answer.body
    told = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Strict", f"Path={place}"} <= set(told.split("; ")) and "Domain" not in told
    again = asked(f"{place}api/about.json", cookie=False, Cookie=told.split(";")[0])
    assert again.status == 200 and "set-cookie" not in again.headers


def test_the_cookie_is_for_a_place_that_nobody_can_guess(run_folder: Path) -> None:
    """Whatever else listens on 127.0.0.1 would be sent a cookie for `/`: cookies know no ports."""
    with serving(run_folder) as one, serving(run_folder) as other:
        places = {asked.server.guard.place for asked in (one, other)}
        assert len(places) == 2 and all(len(place) > 16 and place[0] == place[-1] == "/" for place in places)
        for asked in (one, other):
            assert asked(f"/?token={asked.token}", cookie=False).status == 403
            picture = asked.json("run/0")["steps"][0]["image"]["src"]
            for name in ("", "style.css", "api/about.json", picture):
                assert asked(asked.server.guard.place + name).status == 200, name


def test_an_address_for_one_opening_opens_once(asked: Asked) -> None:
    path = asked.server.address_once.partition(str(asked.port))[2]
    assert asked.token not in path
    assert asked(path, cookie=False).status == 200
    assert asked(path, cookie=False).status == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "", "evil.example:{port}", "[::1]:{port}",
                                  "127.0.0.1.evil.example:{port}", "0.0.0.0:{port}"])  # fmt: skip
def test_a_name_that_was_given_this_address_is_refused(asked: Asked, host: str) -> None:
    answer = asked("/api/about.json", Host=host.format(port=asked.port))
    assert answer.status == 403 and "127.0.0.1" in answer.plain["error"]


def test_its_own_names_are_answered(asked: Asked) -> None:
    for host in (f"127.0.0.1:{asked.port}", f"localhost:{asked.port}", f"LOCALHOST:{asked.port}"):
        assert asked("/api/about.json", Host=host).status == 200


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "https://127.0.0.1:{port}"},
     {"Origin": "http://127.0.0.1:1"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}],
)  # fmt: skip
def test_other_pages_are_refused_though_the_browser_sends_the_cookie(asked: Asked, headers: dict[str, str]) -> None:
    sent = {name.replace("-", "_"): value.format(port=asked.port) for name, value in headers.items()}
    for path in ("/api/about.json", "/api/run/0.json", "/main.js"):
        assert asked(path, **sent).status == 403
    assert asked("/api/edits", "POST", b"{}", X_Curate="1", **sent).status == 403


def test_what_changes_something_needs_the_header_of_the_page(asked: Asked) -> None:
    body = b'{"id": "made:00", "kind": "outcome", "value": true}'
    answer = asked("/api/edits", "POST", body)
    assert answer.status == 403 and "X-Curate" in answer.plain["error"]
    own = f"http://127.0.0.1:{asked.port}"
    assert asked("/api/edits", "POST", b"nonsense", X_Curate="1", Origin=own).status == 400
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "POST"):
        answer = asked("/api/list.json", method, b"", X_Curate="1")
        assert answer.status == 405 and answer.plain["error"], method


def test_every_answer_tells_the_browser_to_load_nothing_else(asked: Asked) -> None:
    picture = asked.json("run/0")["steps"][0]["image"]["src"]
    answers = [asked(path) for path in ("/", "/main.js", "/api/about.json", f"/{picture}", "/nothing")]
    for answer in [*answers, asked("/", cookie=False)]:
        policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
        assert (
            policy["default-src"] == "'none'" and policy["script-src"] == "'self'" and policy["style-src"] == "'self'"
        )
        assert policy["frame-ancestors"] == "'none'" and "unsafe" not in str(policy)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "python" not in answer.headers["server"].lower()


TRAVERSALS = [
    "/../secret.txt", "/media/../../secret.txt", "/media/ab/../../../secret.txt", "/%2e%2e/secret.txt", "//secret.txt",
    "/media/%2e%2e/%2e%2e/secret.txt", "/media/ab/..%2f..%2f..%2fsecret.txt", "/media\\..\\..\\secret.txt",
    "/media/ab/%00.png", "/static/../../secret.txt", "/..%5c..%5csecret.txt", "/media/ab//../../../secret.txt",
    "/api/../../secret.txt", "/api/run/../../../secret.txt.json", "/clips/../../secret.txt", "/data/dataset.json",
    "/dataset.json", "/clips/..%2f0-0.mp4", "/clips/0-0.mp4", f"/media/ab/{'ab' * 32}.png",
    f"/media/ab/{'ab' * 32}.jpg", f"/media/cd/{'cd' * 32}.png", f"/media/ab/ab{'cd' * 31}.png", "/media", "/media/ab",
    "/media/ab/", "/server.py", "/../server.py", "/__init__.py", "/%0d%0aX-Evil:1",
]  # fmt: skip


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_path_leads_out_of_the_data(trap: tuple[Path, Asked], path: str) -> None:
    answer = trap[1](path)
    assert answer.status in (400, 404), (answer.status, answer.body[:200])
    assert SECRET not in answer.body and b"root:" not in answer.body and b"schema" not in answer.body
    assert "x-evil" not in answer.headers and answer.plain["error"]


def test_what_is_no_request_is_answered_without_a_word_in_the_terminal(
    asked: Asked, capfd: pytest.CaptureFixture[str]
) -> None:
    for sent in (b"GET / HTTP/1.1\r\nCookie: \x01\r\n\r\n", b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"\x00" * 9000):
        with socket.create_connection(("127.0.0.1", asked.port), timeout=20) as stranger:
            stranger.sendall(sent)
            stranger.shutdown(socket.SHUT_WR)
            answer = stranger.recv(65536)
        assert not answer or answer.startswith((b"HTTP/1.1 400", b"HTTP/1.0 400")), answer[:80]
    assert capfd.readouterr() == ("", "")
    assert asked("/api/about.json").status == 200


def test_a_packed_file_beside_a_picture_is_never_sent(trap: tuple[Path, Asked]) -> None:
    root, asked = trap
    reference = asked.json("run/0")["steps"][0]["image"]["src"]
    answer = asked(f"/{reference}", Accept_Encoding="gzip, br")
    assert answer.status == 200 and answer.body == inside(root, reference).read_bytes()
    assert asked(f"/{reference}.gz").status == 404


@given(st.text(st.characters(codec="latin-1", exclude_categories=["Cc"]), max_size=60))
def test_no_text_as_a_path_is_answered_with_a_file_that_the_page_does_not_have(
    trap: tuple[Path, Asked], text: str
) -> None:
    answer = trap[1]("/" + quote(text, safe="/.%~\\:"))
    if answer.status == 200:
        assert text.strip("/") in {"", *bundle_names()} or "?" in text or "%" in text
    else:
        assert answer.status in (400, 404) and answer.plain["error"]
    assert SECRET not in answer.body


def test_what_is_no_picture_is_a_download(tmp_path: Path) -> None:
    page = b"<script>alert(1)</script>"
    root = make_dataset(tmp_path / "data", [make_trajectory("m")])
    store = MediaStore(root)
    with serving(root) as asked:
        for extension in ("html", "svg", "js", "json.zst", "xml", "pdf"):
            answer = asked(f"/{store.add_bytes(page, extension)}")
            assert answer.headers["content-type"] == "application/octet-stream", extension
            assert answer.headers["content-disposition"] == "attachment"


def test_two_servers_at_once_do_not_answer_each_others_pages(run_folder: Path) -> None:
    with serving(run_folder) as one, serving(run_folder) as other:
        assert one.port != other.port and one.token != other.token
        both = f"{one.server.guard.cookie}={one.token}; {other.server.guard.cookie}={other.token}"
        assert [asked("/api/about.json", cookie=False, Cookie=both).status for asked in (one, other)] == [200, 200]
        swapped = f"{one.server.guard.cookie}={other.token}; {other.server.guard.cookie}={one.token}"
        assert [asked("/api/about.json", cookie=False, Cookie=swapped).status for asked in (one, other)] == [403, 403]
