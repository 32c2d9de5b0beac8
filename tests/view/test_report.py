"""The page as a reader and as an attacker see it: whole, self-contained, inert, the same every time."""

from __future__ import annotations

import http.server
import re
import shutil
import subprocess
import threading
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest

from curate.model.constants import REPORT_ROWS_A_REASON
from curate.model.errors import InputError
from curate.store.atomic import write_json, write_jsonl
from curate.store.run_folder import RunFolder
from curate.view.report import page, write_report
from tests.view.make_run import HOSTILE, make_run

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Seen(HTMLParser):
    """Elements, attributes and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str | None]] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "path":  # a pointer's cross: which pictures are shown depends on the runs' ids
            return
        self.elements[tag] += 1
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def words(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.text))


@pytest.fixture(scope="module")
def hostile_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("hostile"), HOSTILE)


@pytest.fixture(scope="module")
def hostile(hostile_run: Path) -> Seen:
    return Seen(write_report(hostile_run).read_text("utf-8"))


def test_hostile_text_changes_no_element(hostile: Seen, tmp_path: Path) -> None:
    calm = Seen(page(RunFolder(make_run(tmp_path, "calm"))))
    assert hostile.elements == calm.elements
    assert Counter(name for _, name, _ in hostile.attributes) == Counter(name for _, name, _ in calm.attributes)


def test_nothing_comes_from_elsewhere_and_nothing_runs(hostile: Seen) -> None:
    assert not {"script", "img", "iframe", "link", "object", "embed", "form", "base"} & set(hostile.elements)
    for tag, name, value in hostile.attributes:
        assert not name.startswith("on"), (tag, name)
        if name in ("href", "src", "action", "xlink:href"):
            assert value is not None and value.startswith(("#", "./", "data:image/jpeg;base64,")), (tag, value)
    policy = next(
        v for tag, name, v in hostile.attributes if tag == "meta" and name == "content" and "default" in str(v)
    )
    assert policy is not None and "default-src 'none'" in policy and "script-src" not in policy


def test_hidden_characters_are_shown(hostile: Seen) -> None:
    assert not set("\u202e\u200b") & set(hostile.words())
    assert "⟨U+202E⟩gnp.exe⟨U+200B⟩" in hostile.words()


def test_links_and_anchors_lead_somewhere(hostile: Seen, hostile_run: Path) -> None:
    ids = [value for _, name, value in hostile.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    for _, name, value in hostile.attributes:
        if name == "href" and value is not None and value.startswith("#"):
            assert value[1:] in ids
        if name == "href" and value is not None and value.startswith("./"):
            assert (hostile_run / value).is_file(), value


def test_it_says_what_came_in_and_what_came_out(hostile: Seen) -> None:
    words = hostile.words()
    assert "9 runs read: 5 gave 26 training examples (21 train, 5 test); 4 gave none." in words
    assert "A near-copy of a run that is kept." in words and "80 %" in words
    assert "bench-1" in words and "made:0" in words
    assert "Stop." not in words


def test_accessible_by_its_structure(hostile: Seen) -> None:
    headings = [tag for tag in hostile.elements if re.fullmatch("h[1-6]", tag)]
    assert hostile.elements["h1"] == 1 and set(headings) == {"h1", "h2", "h3"}
    drawings = [name for tag, name, _ in hostile.attributes if tag == "svg" and name in ("aria-hidden", "aria-label")]
    assert len(drawings) == hostile.elements["svg"]
    assert ("html", "lang", "en") in hostile.attributes


def test_the_same_run_gives_the_same_bytes(hostile_run: Path, tmp_path: Path) -> None:
    first = write_report(hostile_run).read_bytes()
    assert write_report(hostile_run).read_bytes() == first
    assert write_report(Path(shutil.copytree(hostile_run, tmp_path / "elsewhere"))).read_bytes() == first
    assert len(first) < 3_000_000


def test_long_lists_say_how_many_more_and_lose_no_rare_reason(tmp_path: Path) -> None:
    run = RunFolder(make_run(tmp_path, "calm"))
    rows = list(run.read_rejected())
    often = [row for row in rows if row.reason == "outcome.not_completed"] * 500
    write_jsonl(run.rejected, [*often, *(row for row in rows if row.reason != "outcome.not_completed")])
    report = run.read_report()
    next(r for r in report["rejected_by_reason"] if r["reason"] == "outcome.not_completed")["count"] = 500
    write_json(run.report_json, report | {"rejected": 503})
    words = Seen(page(run)).words()
    assert f"and {500 - REPORT_ROWS_A_REASON} more in rejected.jsonl" in words
    assert "bad calm.jsonl:3" in words


def test_without_its_numbers_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no report\.json"):
        write_report(tmp_path)
    (tmp_path / "report.json").write_text('{"read": "many"}')
    with pytest.raises(InputError, match=r"report\.json.*read"):
        write_report(tmp_path)


def test_missing_pictures_leave_their_place_out(tmp_path: Path) -> None:
    root = make_run(tmp_path)
    shutil.rmtree(root / "media")
    assert Seen(page(RunFolder(root))).elements["image"] == 0


class _Counting(http.server.BaseHTTPRequestHandler):
    asked: list[str] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_inert_in_a_real_browser(tmp_path: Path) -> None:
    """Chromium with scripts allowed: no element of the recorded text exists, nothing ran, nothing was fetched."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Counting)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    text = (
        f"</script></style></title><img src={address}/img onerror=\"document.title='ran'\">"
        f"<link rel=stylesheet href={address}/css><svg onload=\"document.title='ran'\"><iframe src={address}/frame>"
        f"\"'><script src={address}/js></script>{{{{7*7}}}}\u202e"
    )
    try:
        html = write_report(make_run(tmp_path / "run", text))
        dom = _dump(html, tmp_path / "profile")
        seen = Seen(dom)
        assert not {"img", "script", "iframe", "link"} & set(seen.elements)
        assert "<title>Report: 9 runs read" in dom
        assert "{{7*7}}" in seen.words()
        assert not _Counting.asked
        # The same text in a page that does not escape: the test can tell the difference.
        bare = tmp_path / "bare.html"
        bare.write_text(f"<!doctype html><title>calm</title><body>{text}", "utf-8")
        assert "<title>ran</title>" in _dump(bare, tmp_path / "profile") or _Counting.asked
    finally:
        server.shutdown()


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
@pytest.mark.parametrize("width", [360, 400, 1280])
def test_no_sideways_scrolling_on_a_phone(hostile_run: Path, tmp_path: Path, width: int) -> None:
    frame = tmp_path / "frame.html"
    address = write_report(hostile_run).resolve().as_uri()
    measure = "document.title = 'wide ' + this.contentDocument.documentElement.scrollWidth"
    html = f'<!doctype html><iframe src="{address}" width="{width}" height="800" style="border:0" onload="{measure}">'
    frame.write_text(html, "utf-8")
    found = re.search(r"<title>wide (\d+)", _dump(frame, tmp_path / "profile", "--allow-file-access-from-files"))
    assert found is not None and int(found[1]) <= width


def _dump(path: Path, profile: Path, *more: str) -> str:
    quiet = ["gpu", "quic", "background-networking", "component-update", "sync", "dev-shm-usage"]
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--no-first-run", *(f"--disable-{name}" for name in quiet)]
    command += [
        *more,
        f"--user-data-dir={profile}",
        "--virtual-time-budget=3000",
        "--dump-dom",
        path.resolve().as_uri(),
    ]
    return subprocess.run(command, capture_output=True, timeout=90, check=True).stdout.decode("utf-8", "replace")
