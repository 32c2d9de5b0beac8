"""What is counted of the records while they are staged. Memory: eight bytes for each different picture, task, template
and actor, and the names of apps and sites."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from curate.model.trajectory import Trajectory
from curate.publish.kept import Kept
from curate.publish.manifest import Number

TEST = "test"
_PENDING = 1 << 16
UNKNOWN = "unknown"


class Distinct:
    """Different texts, by 64 bits of their hash (of a thousand million texts some two in a hundred runs of this
    program would be taken for one)."""

    def __init__(self) -> None:
        self._known: NDArray[np.uint64] = np.zeros(0, np.uint64)
        self._pending: set[int] = set()

    def add(self, text: str) -> None:
        self._pending.add(int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()))
        if len(self._pending) >= _PENDING:
            self._settle()

    def _settle(self) -> None:
        if self._pending:
            new = np.fromiter(self._pending, np.uint64, len(self._pending))
            self._known = np.union1d(self._known, new)
            self._pending.clear()

    def values(self) -> NDArray[np.uint64]:
        self._settle()
        return self._known

    def __len__(self) -> int:
        return len(self.values())


class Census:
    """Takes the kept records one by one."""

    def __init__(self) -> None:
        self.trajectories: Counter[str] = Counter()
        self.steps: Counter[str] = Counter()
        self.targets: Counter[str] = Counter()
        self.parts: dict[tuple[str, str, str | None], list[int]] = {}
        self.platforms: Counter[str] = Counter()
        self.actors: Counter[str] = Counter()
        self.outcomes: Counter[str] = Counter()
        self.outcome_by: Counter[str] = Counter()
        self.scores: Counter[str] = Counter()
        self.flags: Counter[str] = Counter()
        self.shown = self.videos = self.trees = 0
        self.labelled = {"correct": Counter[str](), "redundant": Counter[str]()}
        self._pictures = Distinct()
        self._kinds = ("apps", "sites", "templates", "tasks", "actors")
        self._of: dict[tuple[str, str], Distinct] = {}

    def add(self, kept: Kept) -> None:
        """Count a record."""
        record, split = kept.record, kept.split
        self.trajectories[split] += 1
        self.steps[split] += len(record.steps)
        self.targets[split] += len(kept.targets)
        part = self.parts.setdefault((record.source.name, record.source.license or UNKNOWN, record.source.url), [0, 0])
        part[0] += 1
        part[1] += len(record.steps)
        self.platforms[record.platform or UNKNOWN] += 1
        self.actors[record.actor.kind or UNKNOWN] += 1
        self.outcomes[{True: "completed", False: "failed", None: UNKNOWN}[record.outcome.completed]] += 1
        if record.outcome.completed is not None:
            self.outcome_by[record.outcome.by or UNKNOWN] += 1
        self.scores.update({score.name for score in record.scores})
        self._steps(record)
        for kind, texts in _groups(record).items():
            seen = self._of.setdefault((kind, split), Distinct())
            for text in texts:
                seen.add(text)

    def _steps(self, record: Trajectory) -> None:
        self.videos += record.video is not None
        pictures = [record.final_image]
        for step in record.steps:
            pictures += [step.image, step.image_after]
            self.trees += step.tree is not None
            self.flags.update(set(step.flags))
            for name, counts in self.labelled.items():
                counts[{True: "yes", False: "no", None: UNKNOWN}[getattr(step, name)]] += 1
        for picture in pictures:
            if picture is not None:
                self.shown += 1
                self._pictures.add(picture)

    @property
    def pictures(self) -> int:
        """Different pictures."""
        return len(self._pictures)

    def different(self, kind: str) -> int:
        """How many different apps, sites, templates, tasks or actors there are in all splits."""
        found = [seen.values() for (name, _), seen in self._of.items() if name == kind]
        return len(np.unique(np.concatenate(found))) if found else 0

    def unseen(self) -> dict[str, dict[str, int]] | None:
        """By kind: how many the test has, and how many of these no other split has. None without a test."""
        if not self.trajectories[TEST]:
            return None
        result = {}
        for kind in self._kinds:
            test, rest = self._values(kind, test=True), self._values(kind, test=False)
            result[kind] = {"test": len(test), "unseen": len(np.setdiff1d(test, rest))}
        return result

    def _values(self, kind: str, test: bool) -> NDArray[np.uint64]:
        found = [seen.values() for (name, split), seen in self._of.items() if name == kind and (split == TEST) == test]
        return np.unique(np.concatenate(found)) if found else np.zeros(0, np.uint64)


def _groups(record: Trajectory) -> dict[str, Iterable[str]]:
    return {
        "apps": record.apps,
        "sites": record.sites,
        "templates": [record.template] if record.template else [],
        "tasks": [" ".join(record.instruction.casefold().split())],
        "actors": [record.actor.name] if record.actor.name else [],
    }


_TABLES = "data/trajectories, data/steps: counted while they were written"


def census_numbers(census: Census, lost: int) -> dict[str, Number]:
    """The numbers of a census. `lost`: media that records name and the run folder has not."""

    def of(value: object) -> Number:
        return Number(value=value, of=_TABLES)

    splits = {
        split: {
            "trajectories": census.trajectories[split],
            "steps": census.steps[split],
            "targets": census.targets[split],
        }
        for split in sorted(census.trajectories)
    }
    parts = [
        {"source": source, "license": license, "url": url, "trajectories": count[0], "steps": count[1]}
        for (source, license, url), count in sorted(
            census.parts.items(), key=lambda part: [one or "" for one in part[0]]
        )
    ]
    media = {
        "pictures": census.pictures, "shown": census.shown, "lost": lost, "videos": census.videos, "trees": census.trees
    }  # fmt: skip
    return {
        "trajectories": of(census.trajectories.total()),
        "steps": of(census.steps.total()),
        "splits": of(splits),
        "parts": of(parts),
        "media": of(media),
        "platforms": of(dict(sorted(census.platforms.items()))),
        "actors": of(dict(sorted(census.actors.items()))),
        "different": of({kind: census.different(kind) for kind in ("apps", "sites", "templates", "tasks", "actors")}),
        "outcomes": of(dict(sorted(census.outcomes.items()))),
        "outcomes_by": of(dict(sorted(census.outcome_by.items()))),
        "scores": of(dict(sorted(census.scores.items()))),
        "step_labels": of({name: dict(sorted(counts.items())) for name, counts in census.labelled.items()}),
        "flags": of(dict(sorted(census.flags.items()))),
        "unseen": of(census.unseen()),
    }
