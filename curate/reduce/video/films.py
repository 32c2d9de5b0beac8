"""Regions in which something plays: what moves many times a second and goes on, in frames whose times are exact and
which show no pointer. A film is found by its stretch of screen, not by its tiles: what moves in it is at one place for
a moment only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curate.model.constants import (
    FILM_ABOUT_SHARE,
    FILM_ABOUT_TILES,
    FILM_AGAIN_CHANGES,
    FILM_AGAIN_SHARE,
    FILM_APART_S,
    FILM_BOX_SHARE,
    FILM_CHANGES,
    FILM_MOVES_SHARE,
    FILM_OWN_CHANGES,
    FILM_PAUSE_S,
    FILM_SPAN_S,
)
from curate.reduce.video.decoding import Plane
from curate.reduce.video.frame_window import Change, Grid, TileMap, Tiles, components, differs, widened

Flat = NDArray[np.bool_]


@dataclass
class _Played:
    """A film on which another screen lies: its tiles, those about it, and what these showed."""

    tiles: Tiles
    about: Tiles
    looks: Plane


class _Runs:
    """For each tile its run of changes in quick order: how many, since when; a pause begins it anew."""

    def __init__(self, tiles: int, pause: float) -> None:
        self.count = np.zeros(tiles, np.int32)
        self.first = np.full(tiles, -1e300)
        self._last = np.full(tiles, -1e300)
        self._pause = pause

    def add(self, tiles: Tiles, time: float) -> Tiles:
        """Take in changes; the tiles whose run began anew."""
        fresh = tiles[time - self._last[tiles] > self._pause]
        self.count[fresh] = 0
        apart = tiles[time - self._last[tiles] >= FILM_APART_S]
        self.first[apart] = np.where(self.count[apart] == 0, time, self.first[apart])
        self.count[apart] += 1
        self._last[apart] = time
        return fresh

    def forget(self, tiles: Tiles) -> None:
        """Begin anew."""
        self.count[tiles] = 0


class Films:
    """Learns while frames pass by. `known`: the tiles of films, row by row."""

    def __init__(self, grid: Grid) -> None:
        tiles = grid.rows * grid.columns
        self._grid, self._shape = grid, (grid.rows, grid.columns)
        self._runs = _Runs(tiles, FILM_PAUSE_S)
        self._own = np.zeros(tiles, np.int32)
        self._before: Flat = np.zeros(tiles, bool)
        self._played: list[_Played] = []
        self.known: Flat = np.zeros(tiles, bool)

    def observe(self, changed: Tiles, time: float, quiet: bool, luma: Plane | None) -> None:
        """Take in the tiles that a frame changed. `quiet`: nobody acted for a while. `luma`: the frame's."""
        if luma is not None:
            self._resume(changed, luma)
        if not quiet:
            return
        around = np.flatnonzero(widened(self._map(changed), 1)).astype(np.int32)
        self._own[self._runs.add(around, time)] = 0
        self._own[changed] += 1
        long = (self._runs.count >= FILM_CHANGES) & (time - self._runs.first >= FILM_SPAN_S)
        again = self._before & (self._runs.count >= FILM_AGAIN_CHANGES)
        self._learn(changed[(long[changed] | again[changed]) & (self._own[changed] >= FILM_OWN_CHANGES)])

    def new_screen(self, change: Change, luma: Plane | None) -> None:
        """Another screen lies on the tiles that a frame changed clearly. `luma`: the frame's."""
        changed = change.clearly
        for film in components(self.known.reshape(self._shape)) if luma is not None else []:
            about = widened(self._map(film), FILM_ABOUT_TILES) & ~self._map(film)
            if np.isin(film, changed).mean() >= FILM_AGAIN_SHARE and luma is not None:
                self._played = [old for old in self._played if not np.isin(old.tiles, film).any()]
                self._played.append(self._as_before(film, np.flatnonzero(about).astype(np.int32), change, luma))
        self._before |= self.known
        self._runs.forget(changed)
        self.known[changed] = False

    def _as_before(self, film: Tiles, about: Tiles, change: Change, luma: Plane) -> _Played:
        """What was about a film before a frame changed it."""
        grid = self._grid.planes[0]
        looks = grid.windows(luma)[grid.place(about)].copy()
        at = np.searchsorted(change.tiles, about)
        at[at == len(change.tiles)] = 0
        old = change.tiles[at] == about
        looks[old] = change.before[0][at[old]]
        return _Played(film, about, looks)

    def _learn(self, tiles: Tiles) -> None:
        """Films fill rectangles: of one that is mostly known, all is."""
        if self.known[tiles].all():
            return
        self.known[tiles] = True
        known = self.known.reshape(self._shape)
        for film in components(known):
            rows, columns = film // self._shape[1], film % self._shape[1]
            box = known[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
            if box.mean() >= FILM_BOX_SHARE:
                box[:] = True

    def _resume(self, changed: Tiles, luma: Plane) -> None:
        """Where a film played before another screen lay on it, it plays again once it moves and what is about it shows
        that the other screen went, whoever acts meanwhile."""
        grid = self._grid.planes[0]
        for film in self._played:
            if self.known[film.tiles].all() or np.isin(film.tiles, changed).mean() < FILM_MOVES_SHARE:
                continue
            now = grid.windows(luma)[grid.place(film.about)]
            if differs(film.looks, now).mean() <= FILM_ABOUT_SHARE:
                self.known[film.tiles] = True

    def _map(self, tiles: Tiles) -> TileMap:
        marked = np.zeros(self._shape, bool)
        marked.reshape(-1)[tiles] = True
        return marked
