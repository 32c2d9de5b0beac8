"""The normal form of many texts at once is the normal form of each."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import example, given, settings
from hypothesis import strategies as st

from curate.stages.measures.normal_forms import Vocabulary, task_keys
from curate.stages.measures.task_text import content_words, normal_form, task_key

PIECES = st.sampled_from(
    "7 07 7:00 19:30 12 1 one twelve a p am pm a.m. p.m. m o o' o'clock oclock clock 7p 7a 7o 7h30 h30 5. 5: -5 1,000"
    " 1,000,000 50.00 .00 50% % & _ ' ’ c++ C# don't réservé Ｓet ７ ½ İ ǰ J̌ site1.example, App18, rain-coat"
    " e- e-mail Wi-Fi -wi-fi co-7 pre\u2010 the to go"
    " \u00ad \u200b x\u1680y 設定 é É ß".split()
)
TEXT = st.lists(
    st.tuples(PIECES, st.sampled_from(["", " ", "  ", "\t", "\n", "\x1c", "\u00a0", ", ", "/"])), max_size=9
)
TEXTS = st.lists(TEXT.map(lambda parts: "".join(a + b for a, b in parts)) | st.text(max_size=30), max_size=8)


def forms(vocabulary: Vocabulary, texts: list[str]) -> list[str]:
    return vocabulary.forms(vocabulary.read(pa.array(texts, pa.string()))).to_pylist()


@settings(max_examples=600, deadline=None)
@given(TEXTS)
@example(["7 a m", "7/a m", "7a m", "7 o clock", "7o clock", "one pm", "7am pm", "5 p/m", "(7 - p.m."])
def test_many_texts_read_as_each_does(texts):
    assert forms(Vocabulary(), texts) == [normal_form(text) or "" for text in texts]


@settings(max_examples=50, deadline=None)
@given(st.lists(TEXTS, max_size=4))
def test_what_was_read_before_changes_nothing(batches):
    kept = Vocabulary(["set", "alarm"])
    for texts in batches:
        assert forms(kept, texts) == forms(Vocabulary(), texts)


def test_a_full_vocabulary_begins_anew_and_keeps_the_first_words(monkeypatch):
    monkeypatch.setattr("curate.stages.measures.normal_forms.LEAK_VOCABULARY", 3)
    vocabulary = Vocabulary(["set", "alarm"])
    for text in ["one two three four five six", "go to the alarm", "seven eight nine ten"]:
        assert forms(vocabulary, [text]) == [normal_form(text)]
        assert vocabulary.number(["set", "alarm"]) == [0, 1]


@settings(max_examples=100, deadline=None)
@given(st.lists(TEXT.map(lambda parts: "".join(a + b for a, b in parts)), max_size=5), st.sampled_from("\"'“«‘"))
def test_task_keys_are_those_of_each_text(texts, quote):
    texts = [*texts, *(f"Say {quote}Hi{quote} {text}" for text in texts), *texts, "say “Hi”"]
    assert task_keys(pa.array(texts, pa.string())).to_pylist() == [task_key(text) for text in texts]


def test_words_that_say_something_are_the_content_words():
    texts = ["Set an alarm for 7 pm in the clock app", "", "Please go to the page"]
    vocabulary = Vocabulary()
    read = vocabulary.read(pa.array(texts))
    for i, text in enumerate(texts):
        words = read.words[read.offsets[i] : read.offsets[i + 1]]
        said = vocabulary.strings.take(pa.array(words[vocabulary.says[words]])).to_pylist()
        assert said == content_words(text)
