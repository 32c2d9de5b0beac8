"""One secret taken out of a recording everywhere: keys, texts, names of files, pixels."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest

from curate.model.errors import GateError, StoreError
from curate.model.tree import Node
from curate.reduce.redaction import scan
from curate.reduce.redaction.drawn import Looks
from curate.reduce.redaction.recording import redact_recording
from curate.reduce.redaction.secrets import Secret
from curate.reduce.redaction.spellings import Spellings
from curate.sources.recording import open_recording
from curate.store import recording as rec
from tests.reduce.redaction.desk import MS, Desk, dark, pictures

SECRET = "Tr0ub4dor&3"
SPELLINGS = Spellings([Secret(text=SECRET, name="pass")])


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "in" / "one")


def redacted(desk: Desk, tmp_path: Path, spellings: Spellings = SPELLINGS, **info: object) -> Path:
    return redact_recording(desk.finish(**info), spellings, tmp_path / "out").folder


def typed(folder: Path) -> str:
    return "".join(row.text or "" for _, row in rec.read_rows(folder / rec.EVENTS, []) if isinstance(row, rec.KeyRow))


def everything(folder: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_keys_texts_and_pixels_go_and_everything_else_stays(desk: Desk, tmp_path: Path) -> None:
    desk.types("marta", 40, 60)
    desk.row(rec.WindowRow, app="shop", title=f"Login {SECRET}")
    desk.types(SECRET, 40, 100)
    since = desk.t - 1000 * MS
    desk.row(rec.ClipboardRow, text=f"x{SECRET}y")
    desk.click(50, 150)
    desk.types("hello", 40, 140)
    desk.take(40, 100)
    desk.show(400)
    end = desk.t
    desk.put(SECRET, 200, 220)  # another page says it
    desk.show(400)
    desk.take(200, 220)
    desk.put(SECRET, 60, 260, selected=True)
    desk.show(400)
    desk.take(60, 260)
    desk.put("All done here", 60, 260)
    desk.show(400)
    box = desk.box(SECRET, 40, 100)
    again, inverted = desk.box(SECRET, 200, 220), desk.box(SECRET, 60, 260)
    original = list(pictures(desk.finish(instruction=f"Sign in with {SECRET}")))
    out = redact_recording(desk.folder, SPELLINGS, tmp_path / "out").folder
    assert typed(out) == "martahello"
    assert SECRET.encode() not in everything(out)
    info = rec.read_info(out)
    assert info.instruction == "Sign in with [pass]"
    assert info.counts is not None and info.counts.events == sum(1 for _ in rec.read_rows(out / rec.EVENTS, []))
    rows = [row for _, row in rec.read_rows(out / rec.EVENTS, [])]
    assert [row.seq for row in rows] == list(range(len(rows)))
    marks = [row for row in rows if isinstance(row, rec.RedactionRow)]
    assert [m.reason for m in marks] == ["redacted", "redacted"] and marks[0].t == marks[0].since == marks[1].since
    new = list(pictures(out))
    assert [t for t, _ in new] == [t for t, _ in original]
    for (t, picture), (_, old) in zip(new, original, strict=True):
        showed = t >= since and t < end and bool((old[box[1] : box[3], box[0] : box[2]] < 100).any())
        if showed:
            inside = picture[box[1] : box[3], box[0] : box[2]][
                (old[box[1] : box[3], box[0] : box[2]] < 200).all(axis=-1)
            ]
            assert (inside < 12).all(), t
        untouched = picture[55:80], old[55:80]
        assert np.abs(untouched[0].astype(int) - untouched[1]).max() <= 6, "what is no secret changed"
    assert dark(new[-3][1], again) and dark(new[-2][1], inverted)
    assert not dark(new[-1][1], inverted)
    assert (new[-1][1][100:120] > 200).all(), "the field is not black for ever"


@pytest.mark.parametrize(
    "keys",
    [
        "Tr0ub4doX\br&3",
        "Trxx\b\b0ub4dor&3",
        "tR0UB4DOR&3",
        "one Tr0ub4dor&3 two",
    ],
)
def test_a_secret_is_found_however_it_was_typed(keys: str, desk: Desk, tmp_path: Path) -> None:
    desk.types(keys, 40, 100)
    left = typed(redacted(desk, tmp_path))
    assert left in ("", "one  two")


def test_typed_with_the_cursor_pauses_and_clicks_in_between(desk: Desk, tmp_path: Path) -> None:
    desk.types("Tr0udor&3", 40, 100)
    for _ in range(5):
        desk.key("left")
    desk.t += 3_000 * MS
    desk.types("b4", 40, 100, "Tr0u")
    desk.key("end")
    desk.types(" ok", 40, 100, SECRET)
    assert typed(redacted(desk, tmp_path)) == " ok"


def test_typed_by_an_input_method_or_pasted_as_one_text(desk: Desk, tmp_path: Path) -> None:
    desk.key("unknown", "Tr0ub4")
    desk.key("unknown", "dor&3")
    assert typed(redacted(desk, tmp_path)) == ""


def test_what_only_the_reducer_reads_as_the_secret_goes_too(desk: Desk, tmp_path: Path) -> None:
    """A dead key and a letter that compose, as a recorder writes them that knows no text."""
    for key in ("n", "a", "dead_diaeresis", "i", "v", "e", "t", "e", "a"):
        desk.t += 50 * MS
        for pressed in (True, False):
            desk.row(rec.KeyRow, key=key, pressed=pressed, dead=key.startswith("dead"))
    out = redacted(desk, tmp_path, Spellings([Secret(text="na\u00efvetea")]))
    rows = [row for _, row in rec.read_rows(out / rec.EVENTS, [])]
    assert not [row for row in rows if isinstance(row, rec.KeyRow)]
    assert [row.reason for row in rows if isinstance(row, rec.RedactionRow)] == ["redacted", "redacted"]


def test_keys_without_text_are_read_by_their_names(desk: Desk, tmp_path: Path) -> None:
    for char in "swordfish":
        desk.t += 50 * MS
        for pressed in (True, False):
            desk.row(rec.KeyRow, key=char, pressed=pressed)
    out = redacted(desk, tmp_path, Spellings([Secret(text="Swordfish")]))
    assert not [row for _, row in rec.read_rows(out / rec.EVENTS, []) if isinstance(row, rec.KeyRow)]


def test_a_key_held_across_the_span_keeps_press_and_release(desk: Desk, tmp_path: Path) -> None:
    desk.row(rec.KeyRow, key="shift_l", code=3, pressed=True, text="")
    desk.types(SECRET, 40, 100)
    desk.row(rec.KeyRow, key="shift_l", code=3, pressed=False)
    out = redacted(desk, tmp_path)
    left = [row for _, row in rec.read_rows(out / rec.EVENTS, []) if isinstance(row, rec.KeyRow)]
    assert [(row.key, row.pressed) for row in left] == [("shift_l", True), ("shift_l", False)]


def test_what_was_pasted_is_black_too(desk: Desk, tmp_path: Path) -> None:
    desk.row(rec.ClipboardRow, text=SECRET)
    desk.t += 100 * MS
    desk.row(rec.KeyRow, key="ctrl_l", code=1, pressed=True, text="")
    desk.key("v", "")
    desk.row(rec.KeyRow, key="ctrl_l", code=1, pressed=False)
    desk.put(SECRET, 40, 100)
    desk.show()
    out = redacted(desk, tmp_path)
    assert dark(list(pictures(out))[-1][1], desk.box(SECRET, 40, 100))


def test_what_a_tree_held_is_black_where_it_stood_and_wherever_it_shows_again(desk: Desk, tmp_path: Path) -> None:
    desk.row(rec.MoveRow, x=1, y=1)
    desk.put(SECRET, 40, 100)
    desk.show()
    box = desk.box(SECRET, 40, 100)
    desk.tree(Node(role="label", name=SECRET, box=tuple(float(side) for side in box)))  # type: ignore[arg-type]
    desk.take(40, 100)
    desk.put(SECRET, 200, 250)
    desk.show(900)
    desk.tree(Node(role="label", name="nothing", box=(0.0, 0.0, 9.0, 9.0)))
    desk.put("other words", 40, 100)
    desk.show(900)
    again = desk.box(SECRET, 200, 250)
    out = redacted(desk, tmp_path)
    first, second, third, fourth = (picture for _, picture in pictures(out))
    assert first is not None
    assert dark(second, box) and dark(third, again) and dark(fourth, again)
    assert not dark(fourth, box)
    assert SECRET not in (out / rec.ACCESSIBILITY).read_text("utf-8")


def test_encoded_spellings_names_of_files_and_unknown_rows(desk: Desk, tmp_path: Path) -> None:
    desk.row(rec.WindowRow, app="web", title=f"https://x.org/?p={quote(SECRET)}")
    desk.row(rec.WindowRow, app="web", title="blob " + base64.b64encode(f"ab{SECRET}cd".encode()).decode())
    desk.row(rec.WindowRow, app="web", title=json.dumps({"a": SECRET.replace("&", "\\u0026")}))
    folder = desk.finish(notes=[f"said {SECRET}"])
    with (folder / rec.EVENTS).open("ab") as file:
        file.write(json.dumps({"seq": 99, "t": desk.t, "kind": "later", "what": {SECRET: [SECRET]}}).encode() + b"\n")
        file.write(b'{"kind":"key","seq":100,"t":"late","key":"T","text":"T","pressed":true}\n')
        file.write(b'{"half": "Tr0ub4d')
    (folder / f"note-{SECRET}.txt").write_text(f"{SECRET}\n", "utf-8")
    done = redact_recording(folder, SPELLINGS, tmp_path / "out")
    left = everything(done.folder)
    assert SECRET.encode() not in left and quote(SECRET).encode() not in left and b"VHIwdWI0" not in left
    assert (done.folder / "note-[pass].txt").read_text("utf-8") == "[pass]\n"
    assert done.left_out == 2
    assert b"later" in left


def test_a_recording_without_the_secret_keeps_its_bytes(desk: Desk, tmp_path: Path) -> None:
    desk.types("nothing here", 40, 100)
    folder = desk.finish()
    out = redact_recording(folder, SPELLINGS, tmp_path / "out").folder
    for name in (rec.VIDEO, rec.FRAMES, rec.EVENTS):
        assert (folder / name).read_bytes() == (out / name).read_bytes()


def test_the_result_is_a_recording_and_the_same_each_time(desk: Desk, tmp_path: Path) -> None:
    desk.types(SECRET, 40, 100)
    folder = desk.finish()
    one = redact_recording(folder, SPELLINGS, tmp_path / "a").folder
    two = redact_recording(folder, SPELLINGS, tmp_path / "b").folder
    assert everything(one) == everything(two)
    assert [event.kind for event in open_recording(one).events()].count("redaction") == 2
    with pytest.raises(StoreError, match="never writes over"):
        redact_recording(folder, SPELLINGS, tmp_path / "a")


def test_nothing_is_kept_where_the_scan_finds_something(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = desk.finish()
    (folder / "extra.bin").write_bytes(b"\0\1" + SECRET.encode("utf-16-le") + b"\2")
    with pytest.raises(GateError) as told:
        redact_recording(folder, SPELLINGS, tmp_path / "out")
    assert "extra.bin, byte 2" in str(told.value) and "pass" in str(told.value)
    assert SECRET not in str(told.value) and SECRET not in repr(told.value.__context__)
    assert list((tmp_path / "out").iterdir()) == []


def test_the_scan_sees_keys_and_frames_that_were_left(desk: Desk) -> None:
    desk.types(SECRET, 40, 100)
    box = desk.box(SECRET, 40, 100)
    folder = desk.finish()
    looks = Looks()
    picture = list(pictures(folder))[-1][1][..., 1]
    looks.add(picture[box[1] - 2 : box[3] + 2, box[0] - 2 : box[2] + 2])
    with pytest.raises(GateError, match="Keys that type a secret"):
        scan.check_folder(folder, SPELLINGS, looks, "linux")
    with pytest.raises(GateError, match="still shows in frame"):
        scan._check_frames(folder / rec.VIDEO, looks)
