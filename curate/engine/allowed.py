"""What an option may be, said in words from its type: for the sentence that answers a wrong value."""

from __future__ import annotations

from typing import Any

from msgspec import inspect as mi

_PLAIN: dict[type[mi.Type], str] = {
    mi.BoolType: "true or false",
    mi.DateType: "a date such as 2025-03-31",
    mi.NoneType: "null (off)",
    mi.AnyType: "anything",
}


def allowed(kind: Any) -> str:
    """`a number from 0 to 1`, `one of drop, weight`, `a list of text` ... for a field's type."""
    return _words(mi.type_info(kind))


def takes_none(kind: Any) -> bool:
    """Whether null is allowed and false is not: such an option can be switched off."""
    members = _members(mi.type_info(kind))
    return any(isinstance(m, mi.NoneType) for m in members) and not any(isinstance(m, mi.BoolType) for m in members)


def takes_text(kind: Any) -> bool:
    """Whether text is allowed and numbers are not (YAML reads `2024` as a number)."""
    members = _members(mi.type_info(kind))
    return any(isinstance(m, mi.StrType) for m in members) and not any(
        isinstance(m, mi.IntType | mi.FloatType) for m in members
    )


def _members(kind: mi.Type) -> tuple[mi.Type, ...]:
    return kind.types if isinstance(kind, mi.UnionType) else (kind,)


def _words(kind: mi.Type) -> str:
    match kind:
        case mi.LiteralType():
            return "one of " + ", ".join(str(value) for value in kind.values)
        case mi.IntType() | mi.FloatType():
            return ("a whole number" if isinstance(kind, mi.IntType) else "a number") + _range(kind)
        case mi.StrType():
            return f"text of the form {kind.pattern}" if kind.pattern else "text"
        case mi.ListType() | mi.VarTupleType() | mi.SetType() | mi.FrozenSetType():
            return f"a list of which each is {_words(kind.item_type)}"
        case mi.TupleType():
            return f"a list of {len(kind.item_types)}"
        case mi.DictType():
            return f"names with {_words(kind.value_type)} each"
        case mi.Metadata():
            return _words(kind.type)
        case mi.UnionType():
            return " or ".join(_words(member) for member in kind.types)
    return _PLAIN.get(type(kind), "something else")


def _range(kind: mi.IntType | mi.FloatType) -> str:
    least = "" if kind.ge is None else f" from {kind.ge:g}"
    most = "" if kind.le is None else f" to {kind.le:g}"
    above = "" if kind.gt is None else f" above {kind.gt:g}"
    below = "" if kind.lt is None else f" below {kind.lt:g}"
    return least + above + most + below
