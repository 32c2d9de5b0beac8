"""The table of own keyframes, and the pictures of the wrong ones."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import cv2
import numpy as np
from cells import Rgb
from judge import Judged, Verdict


def print_table(judged: list[Judged]) -> None:
    """By session and in all: steps, right, wrong, pointer and hover on the target, flags."""
    head = f"{'session':15} steps unflagged  right wrong pointer hover | of these with state wrong, flagged ones right"
    print(head)
    every: list[Verdict] = []
    for one in judged:
        _line(one.session.name, one.ours)
        every += one.ours
    for pace in dict.fromkeys(one.session.pace for one in judged):
        _line(f"all {pace}", [v for one in judged if one.session.pace == pace for v in one.ours])
    _line("all", every)
    for name in dict.fromkeys(name for one in judged for name in one.others):
        others = [verdict for one in judged for verdict in one.others.get(name, [])]
        print(
            f"  {name} rule, {len(others)} steps with a target: right {sum(v.right for v in others)}, state wrong "
            f"{sum(not v.state for v in others)}, pointer {sum(v.pointer for v in others)}, hover "
            f"{sum(v.hover for v in others)}"
        )
    for flag, count in Counter(flag for verdict in every for flag in verdict.flags).most_common():
        print(f"  {flag}: {count} of {len(every)} steps ({count / len(every):.1%})")
    for rule, count in Counter(verdict.rule for verdict in every).most_common():
        print(f"  rule {rule}: {count}")
    for verdict in every:
        if not verdict.right:
            marks = [
                word
                for word, on in (("STATE", not verdict.state), ("POINTER", verdict.pointer), ("HOVER", verdict.hover))
                if on
            ]
            print(
                f"  {'flagged' if verdict.flags else 'WRONG  '} {verdict.session.name} step {verdict.index} "
                f"{verdict.action} {' '.join(marks)} by {verdict.rule}, {verdict.late_s:.3f} s before; {verdict.note} "
                f"{' '.join(verdict.flags)}"
            )  # fmt: skip


def _line(name: str, verdicts: list[Verdict]) -> None:
    clear = [verdict for verdict in verdicts if not verdict.flags]
    wrong = [verdict for verdict in clear if not verdict.right]
    share = len(clear) / max(1, len(verdicts))
    right = len(clear) - len(wrong)
    print(
        f"{name:15} {len(verdicts):5} {share:8.1%} {right:7} {len(wrong):5} {sum(v.pointer for v in wrong):7} "
        f"{sum(v.hover for v in wrong):5} | {sum(not v.state for v in wrong):3} "
        f"{sum(v.right for v in verdicts if v.flags):3} of {len(verdicts) - len(clear)}"
    )  # fmt: skip


def write_sheets(judged: list[Judged], folder: Path) -> None:
    """For each wrong or flagged step, its picture beside the screen at the act."""
    folder.mkdir(parents=True, exist_ok=True)
    for verdict in (v for one in judged for v in one.ours if not v.right or v.flags):
        label = f"{verdict.session.name} {verdict.index} {verdict.action} {verdict.rule} {' '.join(verdict.flags)}"
        shown = [_ringed(picture, verdict) for picture in (verdict.picture, verdict.truth) if picture is not None]
        if not shown:
            continue
        sheet = np.hstack(shown)
        cv2.putText(sheet, label, (8, 14), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 0, 255), 1, cv2.LINE_AA)
        wrong = "right" if verdict.right else "wrong"
        kind = "flagged" if verdict.flags else "clear"
        cv2.imwrite(str(folder / f"{kind}-{wrong}-{verdict.session.name}-{verdict.index:03}.png"), sheet[:, :, ::-1])


def _ringed(picture: Rgb, verdict: Verdict) -> Rgb:
    drawn = picture.copy()
    if verdict.point is not None:
        cv2.circle(drawn, verdict.point, 26, (255, 0, 0), 2)
    return np.asarray(cv2.resize(drawn, (960, 540), interpolation=cv2.INTER_AREA), dtype=np.uint8)
