"""What Android's accessibility service saw of a screen, as a record's tree. Three forms: the `android_env` protocol
buffers that AndroidControl ships (a message descriptor of the fields that are read stands here, under its own name, so
that nothing else is needed and nothing else is in the way), lists of elements as dictionaries, and the text and icons
that a detector found (Android in the Wild)."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from curate.model.coordinates import holds, place_box
from curate.model.trajectory import Element
from curate.model.tree import Node, State, Tree
from curate.sources.common.conventions import Size

_ROLES: dict[str, str] = {
    "Button": "button", "ImageButton": "button", "ToggleButton": "checkbox", "Switch": "checkbox",
    "CheckBox": "checkbox", "CheckedTextView": "checkbox", "RadioButton": "radiobutton", "TextView": "text",
    "EditText": "edit", "AutoCompleteTextView": "edit", "MultiAutoCompleteTextView": "edit", "Image": "image",
    "ImageView": "image", "Spinner": "combobox", "SeekBar": "slider", "ProgressBar": "progressbar",
    "ListView": "list", "GridView": "list", "RecyclerView": "list", "RadioGroup": "group", "TabWidget": "tablist",
    "Toolbar": "toolbar", "WebView": "document", "ScrollView": "pane", "HorizontalScrollView": "pane",
    "NestedScrollView": "pane", "ViewPager": "pane", "View": "group", "ViewGroup": "group", "FrameLayout": "group",
    "LinearLayout": "group", "RelativeLayout": "group", "Dialog": "dialog", "TEXT": "text",
}  # fmt: skip
_APPLICATION = 1  # the window type of an app
_WINDOWS = {0: "window", 1: "window", 2: "input method", 3: "system", 4: "overlay", 5: "divider"}


class Screen(NamedTuple):
    """A tree, and what it says of the window in front: the package of its app, its title."""

    tree: Tree
    app: str | None
    title: str | None


def role_of_class(name: str | None) -> str | None:
    """The role of a class such as `android.widget.EditText`; None for one that is not known."""
    return _ROLES.get((name or "").rsplit(".", 1)[-1])


def from_forest(data: bytes, size: Size | None) -> Screen | None:
    """The tree of a serialised `AndroidAccessibilityForest`: a node a window, the window's elements below it in their
    order. `size`: of the picture in pixels. None for what is no such message."""
    from google.protobuf.message import DecodeError

    forest = _forest_class()()
    try:
        forest.ParseFromString(data)
    except DecodeError:
        return None
    nodes: list[Node] = []
    for window in sorted(forest.windows, key=lambda w: w.layer):  # what is in front comes last
        parent = len(nodes)
        raw = _WINDOWS.get(window.window_type, "window")
        nodes.append(Node(role="window", raw_role=raw, name=window.title or None, box=_box(window, size)))
        nodes += _below(window.tree.nodes, parent, size)
    apps = [w for w in forest.windows if w.window_type == _APPLICATION]
    front = next((w for w in apps if w.is_active), None)
    app = front.tree.nodes[0].package_name or None if front is not None and front.tree.nodes else None
    title = front.title or None if front is not None else None
    return Screen(Tree(app=app, title=title, nodes=nodes), app, title)


def from_elements(elements: Sequence[Any], size: Size | None) -> Tree:
    """The tree of a flat list of elements with `bbox_pixels` (Agent Data Protocol, AndroidWorld)."""
    nodes = []
    for element in elements:
        if not isinstance(element, Mapping):
            continue
        box = element.get("bbox_pixels")
        sides = [box.get(side) for side in ("x_min", "y_min", "x_max", "y_max")] if isinstance(box, Mapping) else []
        known = {name.removeprefix("is_"): value for name, value in element.items()}
        nodes.append(_node(_Element(known), None, _fractions(sides, size)))
    return Tree(nodes=nodes)


def from_annotations(boxes: Iterable[Any], texts: Iterable[Any], kinds: Iterable[Any], size: Size | None) -> Tree:
    """The tree of detected texts and icons. `boxes`: top, left, height, width of each, as fractions of the picture, or
    in pixels where `size` is given; `kinds`: `TEXT` or the name of an icon."""
    nodes = []
    for box, text, kind in zip(boxes, texts, kinds, strict=False):
        sides = _sides(box, size or (1, 1))
        raw = kind if isinstance(kind, str) and kind else None
        role = "image" if raw and raw.startswith("ICON") else _ROLES.get(raw or "")
        nodes.append(Node(role=role, raw_role=raw, name=text if isinstance(text, str) and text else None, box=sides))
    return Tree(nodes=nodes)


def acted_at(tree: Tree, x: float, y: float) -> Element | None:
    """The element of a tree that a touch at a point met: the smallest that holds it, in the window in front there; one
    without a name that only arranges others gives way to the smallest with one. None where only what covers most of the
    screen holds it."""
    layer: list[int] = []  # of each node, the window it is in; -1 where there are no windows
    for index, node in enumerate(tree.nodes):
        layer.append(layer[node.parent] if node.parent is not None else index if node.role == "window" else -1)
    there = [
        index
        for index, node in enumerate(tree.nodes)
        if node.box is not None and holds(node.box, x, y) and "offscreen" not in node.states
    ]
    front = max((layer[index] for index in there), default=-1)
    met = [tree.nodes[index] for index in there if layer[index] == front and index != front]
    met.sort(key=_area)
    small = [node for node in met if _area(node) <= _MOST]
    named = [node for node in small if node.name]
    first = next(iter(small), None)
    if first is not None and not first.name and first.role in _ARRANGES and named:
        first = named[0]
    return Element(role=first.role, name=first.name, box=first.box) if first is not None else None


_MOST = 0.5  # of the screen: what is larger is a page, not a target
_ARRANGES = (None, "group", "pane", "list")


def _area(node: Node) -> float:
    left, top, right, bottom = node.box or (0.0, 0.0, 1.0, 1.0)
    return (right - left) * (bottom - top)


def _sides(box: Any, size: Size) -> tuple[float, float, float, float] | None:
    if not isinstance(box, Sequence) or len(box) != 4 or not all(_is_number(side) for side in box):
        return None
    top, left, height, width = box
    return place_box(left, top, left + width, top + height, *size)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _fractions(sides: Sequence[Any], size: Size | None) -> tuple[float, float, float, float] | None:
    if size is None or len(sides) != 4 or not all(_is_number(side) for side in sides):
        return None
    left, top, right, bottom = sides
    return place_box(left, top, right, bottom, *size)


def _box(message: Any, size: Size | None) -> tuple[float, float, float, float] | None:
    if not message.HasField("bounds_in_screen"):
        return None
    rect = message.bounds_in_screen
    return _fractions((rect.left, rect.top, rect.right, rect.bottom), size)


def _below(messages: Sequence[Any], window: int, size: Size | None) -> Iterator[Node]:
    """Elements of a window, parents first, each once, whatever the ids of children say."""
    by_id = {message.unique_id: message for message in messages}
    children = {child for message in messages for child in message.child_ids}
    waiting = [(message, window) for message in reversed(messages) if message.unique_id not in children]
    waiting = waiting or [(message, window) for message in messages[:1]]
    at, seen = window + 1, set[int]()
    while waiting:
        message, parent = waiting.pop()
        if message.unique_id in seen:
            continue
        seen.add(message.unique_id)
        yield _node(_Message(message), parent, _box(message, size))
        waiting += [(by_id[child], at) for child in reversed(message.child_ids) if child in by_id]
        at += 1


class _Element:
    """An element by the names of its fields, whatever it is made of."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        self._known = known

    def text(self, name: str) -> str | None:
        value = self._known.get(name)
        return value if isinstance(value, str) and value else None

    def yes(self, name: str, unknown: bool = False) -> bool:
        value = self._known.get(name)
        return value if isinstance(value, bool) else unknown


class _Message(_Element):
    """The same of a protocol buffer."""

    def __init__(self, message: Any) -> None:
        names = {"tooltip": "tooltip_text", "resource_id": "view_id_resource_name", "visible": "is_visible_to_user"}
        fields = ("text", "content_description", "hint_text", "class_name", *(f"is_{state}" for state in _FLAGS))
        known = {field.removeprefix("is_"): getattr(message, field) for field in fields}
        super().__init__(known | {name: getattr(message, field) for name, field in names.items()})


_FLAGS = ("checked", "editable", "enabled", "focused", "password", "selected")


def _node(element: _Element, parent: int | None, box: tuple[float, float, float, float] | None) -> Node:
    raw = element.text("class_name")
    editable, secret = element.yes("editable"), element.yes("password")
    text, said = element.text("text"), element.text("content_description")
    name = said or element.text("hint_text") if editable else text or said
    more = [said, element.text("tooltip"), element.text("hint_text")]
    states: list[State] = []
    for state, is_so in (
        ("focused", element.yes("focused")), ("selected", element.yes("selected")),
        ("checked", element.yes("checked")), ("disabled", not element.yes("enabled", True)), ("editable", editable),
        ("password", secret), ("offscreen", not element.yes("visible", True)),
    ):  # fmt: skip
        if is_so:
            states.append(state)  # type: ignore[arg-type]
    return Node(
        parent=parent,
        role="edit" if editable else role_of_class(raw),
        raw_role=raw,
        name=None if secret and not editable else name,
        value=text if editable and not secret else None,
        description=next((one for one in more if one and one != name), None),
        box=box,
        states=states,
    )


_NODE_FIELDS = (
    ("unique_id", 1, "int32"), ("class_name", 3, "string"), ("content_description", 4, "string"),
    ("hint_text", 5, "string"), ("package_name", 6, "string"), ("text", 7, "string"),
    ("view_id_resource_name", 10, "string"), ("is_checked", 13, "bool"), ("is_editable", 15, "bool"),
    ("is_enabled", 16, "bool"), ("is_focused", 18, "bool"), ("is_password", 20, "bool"), ("is_selected", 22, "bool"),
    ("is_visible_to_user", 23, "bool"), ("tooltip_text", 31, "string"),
)  # fmt: skip
_WINDOW_FIELDS = (("layer", 4, "int32"), ("title", 5, "string"), ("window_type", 6, "int32"), ("is_active", 8, "bool"))
_PACKAGE = "curate.android"


@functools.cache
def _forest_class() -> Any:
    """The message class of a forest: the numbers are those of android_env's `android_accessibility_*.proto`."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    file = descriptor_pb2.FileDescriptorProto(name="curate/android_forest.proto", package=_PACKAGE, syntax="proto3")
    kinds = {"int32": 5, "string": 9, "bool": 8}

    def message(name: str, fields: Iterable[tuple[str, int, str]], parts: Iterable[tuple[str, int, str, bool]]) -> Any:
        made = file.message_type.add(name=name)
        for field, number, kind in fields:
            made.field.add(name=field, number=number, type=kinds[kind], label=1)
        for field, number, part, many in parts:
            made.field.add(name=field, number=number, type=11, label=3 if many else 1, type_name=f".{_PACKAGE}.{part}")
        return made

    message("Rect", [(side, n, "int32") for n, side in enumerate(("left", "top", "right", "bottom"), 1)], ())
    node = message("Node", _NODE_FIELDS, [("bounds_in_screen", 2, "Rect", False)])
    node.field.add(name="child_ids", number=25, type=kinds["int32"], label=3)
    message("Tree", (), [("nodes", 1, "Node", True)])
    message("Window", _WINDOW_FIELDS, [("bounds_in_screen", 1, "Rect", False), ("tree", 11, "Tree", False)])
    message("Forest", (), [("windows", 1, "Window", True)])
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{_PACKAGE}.Forest"))
