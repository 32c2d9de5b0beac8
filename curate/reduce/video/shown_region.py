"""Which part of the screen a video shows, and the way between screen pixels and the video's."""

from __future__ import annotations

from dataclasses import dataclass

from curate.model.constants import HOVER_MAX_PX, HOVER_MAX_SHARE
from curate.model.events import RawRecording
from curate.reduce.video.decoding import Layout
from curate.reduce.video.pointer_track import Box


@dataclass(frozen=True)
class View:
    """A video of `frame_width` x `frame_height` pixels that shows `width` x `height` pixels of the screen from its
    top left corner on. It goes on showing that part when the screen's size changes during the recording."""

    width: float
    height: float
    frame_width: int
    frame_height: int

    @classmethod
    def of(cls, recording: RawRecording, layout: Layout) -> View:
        """The view of a recording: its screen, as it was when it began; unknown: the video's own pixels."""
        screen = recording.screen
        width, height = (screen.width, screen.height) if screen else (layout.width, layout.height)
        return cls(float(width), float(height), layout.width, layout.height)

    @property
    def scale_x(self) -> float:
        """Screen pixels to one pixel of the video, across."""
        return self.width / self.frame_width

    @property
    def scale_y(self) -> float:
        """Screen pixels to one pixel of the video, down."""
        return self.height / self.frame_height

    def to_screen(self, x: float, y: float) -> tuple[float, float]:
        """A place in the video as a place on the screen."""
        return x * self.scale_x, y * self.scale_y

    def to_frame(self, x: float, y: float) -> tuple[float, float]:
        """A place on the screen as a place in the video."""
        return x / self.scale_x, y / self.scale_y

    def box_to_frame(self, box: Box) -> Box:
        """A box on the screen as a box in the video."""
        left, top = self.to_frame(box[0], box[1])
        right, bottom = self.to_frame(box[2], box[3])
        return left, top, right, bottom

    def shows(self, x: float, y: float) -> bool:
        """Whether a place on the screen is in the picture."""
        return 0 <= x <= self.width and 0 <= y <= self.height

    def fraction(self, x: float, y: float, decimals: int) -> tuple[float, float] | None:
        """A place as fractions of the picture; None off the picture."""
        if not self.shows(x, y):
            return None
        return round(x / self.width, decimals), round(y / self.height, decimals)


def widget_px(view: View) -> float:
    """How many square pixels of the screen a widget that lights up has at most."""
    return max(HOVER_MAX_PX, HOVER_MAX_SHARE * view.width * view.height)
