"""The page of a check as a reader and as an attacker see it: whole, self-contained, inert."""

from __future__ import annotations

from curate.engine.check.types import Check, Finding, Row, Sampled, SourceLooked, Sure, Unmeasured
from curate.view.check_page import lines, page, summary, sure_words
from tests.view.test_report import Seen

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\u202egnp.exe\x1b[2J\ud800 'javascript:alert(1)'"


def made(text: str) -> Check:
    finding = Finding(
        kind="frame.contradicted", part=text, severity="error", area="frame", title="The data says otherwise.",
        count=30, of=31, unit="steps", sure=Sure(by="measured", yes=30, known=31, low=0.84, high=0.99), sentence=text,
        do="State it with `--set import.order=yx`.",
        rows=[Row(id=text, step=3, file=text, line=7, what=text)], rows_file="rows/frame.jsonl",
    )  # fmt: skip
    looked = SourceLooked(
        source="aitw", title=text, inputs=1, records=4, steps=31, pictures=31, missing=0, without=0, licences={text: 4}
    )
    return Check(
        version="1", inputs=1, records=4, steps=31, refused=0, sampled=Sampled(limit=2, cut=1, pictures=31),
        sources=[looked], findings=[finding], unmeasured=[Unmeasured(area="leak", what="leaks", because=text)],
        tests=[text],
    )  # fmt: skip


def test_recorded_text_adds_no_element_and_no_attribute() -> None:
    hostile, plain = Seen(page(made(HOSTILE), ["check.json"])), Seen(page(made("plain"), ["check.json"]))
    assert hostile.elements == plain.elements and "script" not in hostile.elements
    assert [(tag, name) for tag, name, _ in hostile.attributes] == [(tag, name) for tag, name, _ in plain.attributes]
    assert not any(name.startswith("on") for _, name, _ in hostile.attributes)


def test_hidden_characters_are_shown_on_page_and_terminal() -> None:
    text = page(made(HOSTILE), [])
    assert "\u202e" not in text and "\x1b" not in text and "⟨U+202E⟩" in text
    text.encode("utf-8")
    for line in lines(made(HOSTILE), notes=True):
        assert line.isprintable()


def test_nothing_is_fetched_and_links_stay_beside_the_page() -> None:
    seen = Seen(page(made("x"), ["check.json"]))
    links = [value for _, name, value in seen.attributes if name in ("href", "src")]
    assert links and all(value and value[0] in "#." for value in links)
    assert "./rows/frame.jsonl" in links


def test_a_reader_finds_what_where_how_sure_and_what_to_do() -> None:
    words = Seen(page(made("The order is y, x."), [])).words()
    said = (
        "30 of 31 steps", "measured: 30 of 31, 84% to 99% (95 %)", "--set import.order=yx", "The order is y, x.:7",
        "1 error", "At most 2 records of each input were read; 1 input may hold more.",
    )  # fmt: skip
    for one in said:
        assert one in words, one
    assert summary(made("x")) == "4 records of 31 steps read: 1 error, 0 warnings."
    assert sure_words(Sure(by="guess", why="by its form")) == "a guess; by its form"


def test_all_places_are_shown_that_are_said_to_be_shown() -> None:
    check = made("x")
    check.findings[0].rows = [Row(id=f"run {number // 3}", step=number) for number in range(20)]
    words = Seen(page(check, [])).words()
    assert "20 of 30 places, three of a record at most" in words and words.count("run ") == 20
