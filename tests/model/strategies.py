"""Random actions of every kind, as a record may hold them."""

from __future__ import annotations

from hypothesis import strategies as st

from curate.model import actions as act
from curate.model.keys import PYAUTOGUI_KEYS

fractions = st.floats(0, 1) | st.sampled_from([0.0, 1.0, -0.0, 0.00001, 0.99999, 0.1229, 1e-300])
texts = st.text(st.characters(exclude_categories=()), max_size=12) | st.sampled_from(
    ["'", '"', "\\", "\n", 'it\'s "so"\\', "\ud800", "👩‍👩‍👧", "<image>", "#", "\x00", "\u2028", "'''", "{}", "%s"]
)
keys = st.sampled_from(sorted(PYAUTOGUI_KEYS)) | st.sampled_from(["é", "ж", "ctrl_l", "F", "Key.page_down", "İ"])
modifiers = st.lists(st.sampled_from(act.MODIFIER_ORDER), max_size=3).map(tuple)
units = st.sampled_from(["notch", "pixel", "page"])


def _pointed(kind: type) -> st.SearchStrategy[act.Action]:
    more: dict[str, st.SearchStrategy[object]] = {}
    if kind is act.DragTo:
        more["button"] = st.sampled_from(["left", "middle", "right"])
    if kind is act.SelectOption:
        more["value"] = texts
    at_point = st.builds(kind, x=fractions, y=fractions, modifiers=modifiers, **more)
    at_point_with_notes = st.builds(
        kind, x=fractions, y=fractions, modifiers=modifiers, element_id=texts, raw_point=st.just((1.0, 2.0)), **more
    )
    at_element = st.builds(kind, element_id=texts, modifiers=modifiers, **more)
    return at_point | at_point_with_notes | at_element


pointed = st.one_of([_pointed(kind) for kind in act.POINTED]) | st.builds(act.Clear, modifiers=modifiers)
scrolls = st.one_of(
    [
        st.builds(kind, amount=st.floats(-1e6, 1e6) | st.integers(-30, 30).map(float), unit=units, modifiers=modifiers)
        for kind in (act.Scroll, act.HScroll)
    ]
)
held = st.one_of([st.builds(kind, key=st.sampled_from(act.MODIFIER_ORDER) | keys) for kind in (act.KeyDown, act.KeyUp)])
others = st.one_of(
    st.builds(act.Write, text=texts),
    st.builds(act.Press, key=keys, presses=st.integers(1, 2000)),
    st.builds(act.Hotkey, keys=st.lists(keys, min_size=1, max_size=4).map(tuple)),
    st.builds(act.Wait, seconds=st.none() | st.floats(0, 86_400)),
    st.builds(act.Terminate, status=st.sampled_from(["success", "failure", "impossible", None])),
    st.builds(act.Swipe, x=fractions, y=fractions, to_x=fractions, to_y=fractions),
    st.sampled_from([act.Back(), act.Home(), act.Enter()]),
    st.builds(act.OpenApp, app=texts),
    st.builds(act.Goto, url=texts),
    st.builds(act.Answer, text=texts),
)
any_action = pointed | scrolls | held | others
some_actions = st.lists(any_action, max_size=8) | st.lists(held | pointed, max_size=10)
