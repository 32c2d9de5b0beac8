"""Three rules for a step's picture on one raw recording: ours, OpenCUA's released one, and the literal "go back to
where the mouse began to move", the latter two written anew here from their descriptions.

    python benchmarks/keyframes.py RECORDING [--sheet FOLDER] [--cost N]

For each press in the picture: is the state right, is the pointer on the target (by its events, on the measured clock),
does the target show a highlight. `--sheet` writes the pictures side by side with the target ringed, to be looked at;
`--cost` the CPU time against decoding the video once, in N pairs.
"""

from __future__ import annotations

import argparse
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from curate.model.actions import POINTED, HScroll, Scroll
from curate.model.events import RawRecording
from curate.reduce.events.reducer import reduce_events
from curate.reduce.keyframes.leak_measures import near_target, on_target
from curate.reduce.keyframes.pictures import chosen_keyframes
from curate.reduce.keyframes.targets import Target, target_of
from curate.reduce.types import KeyframeOptions, ReducedStep, ReduceOptions
from curate.reduce.video.decoding import Layout, Plane, Video, to_rgb
from curate.reduce.video.frame_window import Grid, components, differs, same_drawing
from curate.reduce.video.pointer_track import PointerTrack, pointer_track
from curate.reduce.video.screen_reel import ScreenReel, open_screen
from curate.sources.agentnettool import open_recording

Rgb = NDArray[np.uint8]
WIDGET_SHARE = 0.03


@dataclass
class Shown:
    """What a rule shows for a step: the frame's planes and its time on the events' clock."""

    planes: tuple[Plane, ...]
    time: float
    flags: list[str]


def steps_of(recording: RawRecording) -> list[ReducedStep]:
    """The recording's steps, whatever an annotator took out."""
    options = ReduceOptions(start_chord=recording.start_chord, stop_chord=recording.stop_chord)
    return [item for item in reduce_events(recording.events(), options) if isinstance(item, ReducedStep)]


def is_press(step: ReducedStep) -> bool:
    """Whether a step presses a mouse button."""
    return isinstance(step.actions[0], POINTED) and not any(isinstance(a, Scroll | HScroll) for a in step.actions)


# --- the two other rules --------------------------------------------------------------------------------------


def moves_began(track: PointerTrack, step: ReducedStep) -> float | None:
    """When the first move after the act before a step was made: where the mouse began to move."""
    before = track.last_act_before(step.start)
    first = int(np.searchsorted(track.times, before if before is not None else -np.inf, side="right"))
    return float(track.times[first]) if first < len(track.times) and track.times[first] < step.start else None


def frames_between(video: Video, start: float, end: float) -> list[tuple[float, tuple[Plane, ...], Layout]]:
    """Frames on the screen in [start, end], video time, copied; at least the one shown at `start`."""
    found: list[tuple[float, tuple[Plane, ...], Layout]] = []
    for frame in video.frames(max(start, 0.0), end):
        if frame.time <= start:
            found.clear()
        found.append((frame.time, tuple(plane.copy() for plane in frame.planes), frame.layout))
    return found


def peers_rule(video: Video, track: PointerTrack, step: ReducedStep, declared: float, offset: float) -> Shown:
    """OpenCUA's released extractor: from half a second before the act back in tenths to where the moves began, as long
    as 99 % of the grey pixels are exactly equal; on the declared clock."""
    moved = moves_began(track, step)
    end = max(step.start - declared - 0.5, 0.01)
    if moved is None:
        frames = frames_between(video, end, end)
        return Shown(frames[0][1], frames[0][0] + offset, [])
    start = max(moved - declared, 0.0)
    end = max(start, end)
    frames = frames_between(video, start - 0.05, end + 0.05)

    def at(moment: float) -> tuple[float, tuple[Plane, ...], Layout]:
        return [frame for frame in frames if frame[0] <= moment + 1e-6][-1]

    last, moment = at(end), end
    while moment - 0.1 > start:
        earlier = at(moment - 0.1)
        if (earlier[1][0] == last[1][0]).mean() < 0.99:
            break
        moment -= 0.1
    else:
        moment = start
    found = at(moment)
    return Shown(found[1], found[0] + offset, [])


def seeds_rule(video: Video, track: PointerTrack, step: ReducedStep, offset: float) -> Shown:
    """The lesson's sentence, literally: back to where the mouse began to move, then back over identical frames; on
    the measured clock."""
    moved = moves_began(track, step)
    start = (moved if moved is not None else step.start) - offset
    frames = frames_between(video, start - 2.0, start)
    last = frames[-1]
    for earlier in reversed(frames[:-1]):
        if not np.array_equal(earlier[1][0], last[1][0]):
            break
        last = earlier
    return Shown(last[1], last[0] + offset, [])


# --- judging --------------------------------------------------------------------------------------------------


def tile_differences(
    grid: Grid, old: tuple[Plane, ...], new: tuple[Plane, ...], tint: bool = True
) -> NDArray[np.bool_]:
    """The tiles that differ to the eye. Without `tint`, a large ground of another tint with the same things on it does
    not count."""
    tiles = np.arange(grid.rows * grid.columns, dtype=np.int32)
    plane = grid.planes[0]
    cut_old, cut_new = (plane.windows(side[0])[plane.place(tiles)] for side in (old, new))
    differing, same = differs(cut_old, cut_new), same_drawing(cut_old, cut_new)
    if not tint and (differing & same).sum() > 2 * WIDGET_SHARE * len(tiles):
        differing &= ~same
    return differing.reshape(grid.rows, grid.columns)


def judge(reel: ScreenReel, shown: Shown, truth: Shown, plain: Shown | None, target: Target) -> dict[str, bool]:
    """`state`: no region larger than a widget (3 % of the picture) differs from the screen just before the press,
    pointers aside; `pointer`: on the target; `hover`: the target looks as in the frame just before the press and not as
    in the latest frame of this state with the pointer well away (`plain`)."""
    pointers = reel.pointer_tiles(shown.time) | reel.pointer_tiles(truth.time)
    differing = tile_differences(reel.grid, shown.planes, truth.planes, tint=False) & ~pointers
    largest = max((len(region) for region in components(differing)), default=0)
    hover = False
    if plain is not None:
        at_target = reel.tiles_of(target.box, 12)
        pointers = pointers | reel.pointer_tiles(plain.time)
        lit = tile_differences(reel.grid, plain.planes, truth.planes) & at_target & ~pointers
        same = tile_differences(reel.grid, shown.planes, truth.planes) & lit
        hover = bool(lit.any() and same.sum() < lit.sum() / 2)
    return {
        "state": largest <= WIDGET_SHARE * reel.grid.rows * reel.grid.columns,
        "pointer": bool(on_target(reel.track.place(shown.time), target)),
        "hover": hover,
        "near": near_target(reel.track.place(shown.time), target, reel.view),
    }


def well_away(reel: ScreenReel, truth: Shown, target: Target, since: float | None) -> Shown | None:
    """The latest frame since the last act that shows the state of the press, with the pointer 48 px above or below the
    target or 250 px beside it, whatever any rule chose; None where there is none."""
    rewind = reel.window.rewind(len(reel.window.changes) - 1)
    while rewind.position > 0:
        rewind.back()
        time = reel.window.changes[rewind.position].time
        if since is not None and time < since:
            return None
        place = reel.track.place(time)
        if place is None or (abs(place[1] - target.y) < 48 and abs(place[0] - target.x) < 250):
            continue
        pointers = reel.pointer_tiles(time) | reel.pointer_tiles(truth.time)
        differing = tile_differences(reel.grid, rewind.planes, truth.planes, tint=False) & ~pointers
        if max((len(region) for region in components(differing)), default=0) <= WIDGET_SHARE * differing.size:
            return Shown(tuple(plane.copy() for plane in rewind.planes), time, [])
    return None


def just_before(video: Video, step: ReducedStep, offset: float) -> Shown:
    """The last frame before the press."""
    frames = frames_between(video, step.start - offset - 0.02, step.start - offset - 0.02)
    return Shown(frames[0][1], frames[0][0] + offset, [])


def ringed(planes: tuple[Plane, ...], layout: Layout, reel: ScreenReel, target: Target, label: str) -> Rgb:
    """The picture with the target ringed, and beside it the target's surroundings at twice their size."""
    picture = to_rgb(planes, layout).copy()
    x, y = (round(value) for value in reel.view.to_frame(target.x, target.y))
    around = np.pad(picture, ((80, 80), (80, 80), (0, 0)))[y : y + 160, x : x + 160]
    close = cv2.resize(around, (360, 360), interpolation=cv2.INTER_NEAREST)
    cv2.circle(picture, (x, y), 30, (255, 0, 0), 3)
    small = cv2.resize(picture, (640, 360), interpolation=cv2.INTER_AREA)
    sheet = np.hstack([small, close])
    cv2.putText(sheet, label, (8, 352), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 0, 255), 1, cv2.LINE_AA)
    return np.asarray(sheet, dtype=np.uint8)


# --- the table ------------------------------------------------------------------------------------------------


def compare(folder: Path, sheets: Path | None) -> None:
    """Print the table of the three rules; write the sheets."""
    recording = open_recording(folder)
    track = pointer_track(recording.events())
    reel = open_screen(recording, track)
    assert reel is not None and recording.video is not None and recording.video_start is not None
    offset, layout, video = reel.clock.offset, reel.grid.layout, Video(recording.video)
    print(f"clock: {reel.clock.method}, zero {offset:.3f}, confidence {reel.clock.confidence:.2f}")
    totals = {name: dict.fromkeys(("state", "pointer", "hover", "both"), 0) for name in ("ours", "peer", "seed")}
    pictures: dict[str, list[Rgb]] = {name: [] for name in totals}
    count = 0
    steps = steps_of(recording)
    for step, chosen in chosen_keyframes(recording, steps, track, reel, KeyframeOptions(pointer="none")):
        target = target_of(step, step.start, recording.elements, reel.view)
        if target is None or not is_press(step) or chosen.planes is None or chosen.picture.keyframe is None:
            continue
        count += 1
        ours = Shown(chosen.planes, chosen.picture.keyframe.time + track.first, chosen.picture.flags)
        truth = just_before(video, step, offset)
        rules = {
            "ours": ours,
            "peer": peers_rule(video, track, step, recording.video_start, offset),
            "seed": seeds_rule(video, track, step, offset),
        }
        plain = well_away(reel, truth, target, track.last_act_before(step.start))
        cells = [] if plain else ["(highlight not known)"]
        for name, shown in rules.items():
            found = judge(reel, shown, truth, plain, target)
            both = found["state"] and not found["pointer"] and not found["hover"]
            for key in ("state", "pointer", "hover"):
                totals[name][key] += found[key]
            totals[name]["both"] += both
            marks = f"state {'ok   ' if found['state'] else 'OLDER'} {'POINTER' if found['pointer'] else '-      '} "
            marks += f"{'HOVER' if found['hover'] else '-    '} {step.start - shown.time:5.2f} s"
            cells.append(f"{name} {marks}")
            label = f"{count} {target.x:.0f},{target.y:.0f} {name}: {marks} {' '.join(shown.flags)}"
            pictures[name].append(ringed(shown.planes, layout, reel, target, label))
        print(f"{count:2} {target.x:4.0f},{target.y:<4.0f} " + " | ".join(cells), *ours.flags)
    for name, total in totals.items():
        print(
            f"{name}: state right {total['state']}/{count}, pointer on target {total['pointer']}, "
            f"highlight on target {total['hover']}, right in both respects {total['both']}"
        )  # fmt: skip
    if sheets is not None:
        write_sheets(pictures, sheets)


def write_sheets(pictures: dict[str, list[Rgb]], folder: Path) -> None:
    """One sheet a rule, two pictures a row."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, shown in pictures.items():
        rows = [shown[i : i + 2] for i in range(0, len(shown), 2)]
        if len(rows[-1]) < 2:
            rows[-1].append(np.zeros_like(shown[0]))
        cv2.imwrite(str(folder / f"{name}.png"), np.vstack([np.hstack(row) for row in rows])[:, :, ::-1])


def cpu_times(recording: RawRecording) -> tuple[float, float]:
    """CPU seconds of decoding a recording's video once, and of choosing all its keyframes (all but PNG)."""
    steps = steps_of(recording)
    assert recording.video is not None
    begun = time.process_time()
    for _frame in Video(recording.video).frames():
        pass
    decoded = time.process_time() - begun
    begun = time.process_time()
    track = pointer_track(recording.events())
    for _chosen in chosen_keyframes(recording, steps, track, open_screen(recording, track), KeyframeOptions()):
        pass
    return decoded, time.process_time() - begun


def cost(folder: Path, pairs: int) -> None:
    """Print what choosing all keyframes costs against decoding the video once, in pairs."""
    recording = open_recording(folder)
    ratios = []
    for _ in range(pairs):
        decoded, chosen = cpu_times(recording)
        ratios.append(chosen / decoded)
        print(f"decoding {decoded:.2f} s, keyframes {chosen:.2f} s, ratio {ratios[-1]:.2f}")
    print(f"median ratio {statistics.median(ratios):.2f} (limit 1.3)")


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording", type=Path)
    parser.add_argument("--sheet", type=Path)
    parser.add_argument("--cost", type=int, default=0)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    if arguments.cost:
        cost(arguments.recording, arguments.cost)
    else:
        compare(arguments.recording, arguments.sheet)


if __name__ == "__main__":
    main()
