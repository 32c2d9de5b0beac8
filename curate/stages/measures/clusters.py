"""Connected groups: things joined by links, directly or over others."""

from __future__ import annotations


class Groups:
    """Union-find over strings. A group's name is the smallest of its members, whatever the order of the links."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def find(self, member: str) -> str:
        """The name of the member's group (itself, if it was never joined)."""
        root = member
        while (parent := self._parent.get(root, root)) != root:
            root = parent
        while (parent := self._parent.get(member, member)) != root:
            self._parent[member] = root
            member = parent
        return root

    def join(self, one: str, other: str) -> None:
        """The groups of the two are one from here on."""
        small, large = sorted((self.find(one), self.find(other)))
        self._parent.setdefault(small, small)
        self._parent[large] = small

    def groups(self) -> dict[str, list[str]]:
        """Every group of more than one, by its name, its members sorted."""
        found: dict[str, list[str]] = {}
        for member in sorted(self._parent):
            found.setdefault(self.find(member), []).append(member)
        return {name: members for name, members in found.items() if len(members) > 1}
