"""The syntax half of reading code: a step's code as plain calls with literal arguments, by `ast`.

Nothing is evaluated. Everything that is no call of a plain name with literal arguments is refused with a CodeError.
`model.parse` says what the calls mean.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence

import msgspec

from curate.model.constants import CODE_MAX_CHARS

Value = float | str | bool | None | list["Value"]
"""A literal argument; tuples come as lists."""


class CodeError(ValueError):
    """Code that cannot be read as actions: where (`line`, from 1), `what`, `why`, and how to `fix` it. `reason` is a
    code of `model.reasons`."""

    def __init__(self, line: int, what: str, why: str, fix: str, reason: str = "read.code") -> None:
        super().__init__(f"line {line}: {what}: {why}; {fix}")
        self.line, self.what, self.why, self.fix, self.reason = line, what, why, fix, reason


class Opaque(msgspec.Struct, frozen=True):
    """An argument that is no literal. Harmless where it is ignored (`tween=pyautogui.easeInQuad`)."""

    kind: str


class Call(msgspec.Struct, frozen=True):
    """One call. `shown` is its name as written, `word` the name alone in lower case without underscores."""

    line: int
    shown: str
    word: str
    args: list[Value | Opaque]
    kwargs: dict[str, Value | Opaque]


_MODULES = ("pyautogui", "computer", "mobile", "browser", "time")
_SETTINGS = ("PAUSE", "FAILSAFE")
_MAX_DEPTH = 3  # of lists in arguments: [[x, y]] is the deepest that any source writes


def read_calls(code: str) -> list[Call]:
    """The calls of a step's code in order; import lines, `pass` and PyAutoGUI's settings are skipped. Raises
    CodeError."""
    if len(code) > CODE_MAX_CHARS:
        raise CodeError(1, "the code", f"it has {len(code)} characters", f"a step has at most {CODE_MAX_CHARS}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in typed text is somebody's text, not our warning
            tree = ast.parse(code)
    except SyntaxError as error:
        why = (error.msg or "it is not Python").split("\n")[0][:120]
        if "digits" in why and "integer" in why:  # Python's own sentence names a setting of Python
            why = "it holds a number of thousands of digits"
        raise CodeError(error.lineno or 1, "the code", f"it is not Python ({why})", _FIX_SYNTAX) from None
    except (RecursionError, MemoryError):
        raise CodeError(1, "the code", "it is nested too deeply", _FIX_SYNTAX) from None
    except ValueError:  # null characters, lone surrogates, integers of thousands of digits
        raise CodeError(1, "the code", "it holds characters or numbers no code may hold", _FIX_SYNTAX) from None
    return list(_statements(tree.body))


_FIX_SYNTAX = "write one call a line, such as pyautogui.click(x=0.5, y=0.5)"


def _statements(body: Sequence[ast.stmt]) -> Iterator[Call]:
    for statement in body:
        if isinstance(statement, ast.Import | ast.ImportFrom | ast.Pass) or _is_setting(statement):
            continue
        if isinstance(statement, ast.Expr):
            yield _call(statement.value)
        elif isinstance(statement, ast.With) and len(statement.items) == 1:
            yield from _hold(statement)
        else:
            kind = type(statement).__name__
            raise CodeError(statement.lineno, f"a statement ({kind})", "a step's code holds only calls", _FIX_SYNTAX)


def _is_setting(statement: ast.stmt) -> bool:
    """`pyautogui.PAUSE = 0.5` and the like."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    target = statement.targets[0]
    return (
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == "pyautogui"
        and target.attr in _SETTINGS
        and isinstance(statement.value, ast.Constant)
    )


def _hold(statement: ast.With) -> Iterator[Call]:
    """`with pyautogui.hold('ctrl'):` as keyDown, the calls inside, keyUp."""
    call = _call(statement.items[0].context_expr)
    if call.word != "hold" or len(call.args) != 1 or call.kwargs:
        raise CodeError(call.line, call.shown, "`with` goes with pyautogui.hold(key) only", _FIX_SYNTAX)
    keys = call.args[0] if isinstance(call.args[0], list) else [call.args[0]]
    for key in keys:
        yield Call(call.line, call.shown, "keydown", [key], {})
    for inner in statement.body:
        if not isinstance(inner, ast.Expr):  # no `with` in a `with`: it would nest without end
            raise CodeError(inner.lineno, "a statement in `with`", "only calls may stand there", _FIX_SYNTAX)
        yield _call(inner.value)
    for key in reversed(keys):
        yield Call(call.line, call.shown, "keyup", [key], {})


def _call(node: ast.expr) -> Call:
    if not isinstance(node, ast.Call):
        raise CodeError(node.lineno, _shown(node), "it is no call", _FIX_SYNTAX)
    function = node.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        module, name = function.value.id, function.attr
    elif isinstance(function, ast.Name):
        module, name = "", function.id
    else:
        raise CodeError(node.lineno, _shown(node), "it is no call of a plain name", _FIX_SYNTAX)
    shown = f"{module}.{name}"[:60] if module else name[:60]
    word = name.replace("_", "").lower()
    if module and (module not in _MODULES or (module == "time" and word != "sleep")):
        raise CodeError(node.lineno, f"{shown}(...)", f"{module[:30]!r} is no part of a step's code", _FIX_MODULE)
    kwargs: dict[str, Value | Opaque] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise CodeError(node.lineno, f"{shown}(**...)", "arguments must be written out", _FIX_SYNTAX)
        kwargs[keyword.arg] = _literal(keyword.value)
    return Call(node.lineno, shown, word, [_literal(argument) for argument in node.args], kwargs)


_FIX_MODULE = f"use {', '.join(_MODULES[:-1])} or bare names"


def _literal(node: ast.expr, depth: int = 0) -> Value | Opaque:
    if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, str | int | float)):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = node.operand
        if isinstance(inner, ast.Constant) and type(inner.value) in (int, float):
            number: float = inner.value  # type: ignore[assignment]
            return -number if isinstance(node.op, ast.USub) else number
    if isinstance(node, ast.List | ast.Tuple) and depth < _MAX_DEPTH:
        items = [_literal(item, depth + 1) for item in node.elts]
        plain = [item for item in items if not isinstance(item, Opaque)]
        return plain if len(plain) == len(items) else Opaque("a list of expressions")
    return Opaque(_shown(node))


def _shown(node: ast.expr) -> str:
    """A node in a word or two. Never `ast.unparse`: it recurses into hostile trees."""
    if isinstance(node, ast.Constant):
        return repr(node.value)[:40]
    if isinstance(node, ast.Name):
        return node.id[:40]
    return f"an expression ({type(node).__name__})"
