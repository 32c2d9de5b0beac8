"""What a mixture is made of, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from curate.engine.mixing.mix import Mixed


def mix_lines(done: Mixed) -> Iterator[str]:
    """A line a part or group; people's share; what was not taken, by reason."""
    width = max([len(group.name) for group in done.groups], default=4)
    yield f"{'part':<{width}}  {'share':>6}  {'is':>6}  {'available':>12}  {'taken':>12}  {'runs':>8}  {'steps':>9}"
    for group in done.groups:
        yield (
            f"{group.name:<{width}}  {group.share:>6.1%}  {group.reached:>6.1%}  {group.available:>12,.10g}  "
            f"{group.taken:>12,.10g}  {group.trajectories:>8,}  {group.steps:>9,}"
        )
    yield f"people's data: {done.people:.1%} (of what may be taken: {done.people_before:.1%})"
    if done.rejected:
        yield "not taken: " + ", ".join(f"{count:,} {reason}" for reason, count in done.rejected.items())
    if done.missing:
        yield f"{done.missing:,} media files that records name are not in their part"
