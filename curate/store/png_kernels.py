"""The filters of PNG taken back (PNG specification, part 9), for numba: plain loops over bytes. Imported only where
numba is there (`store.fast_png`); as plain Python it gives the same, a thousand times slower."""

from __future__ import annotations

from typing import Any


def unfilter(raw: Any, out: Any, each: int) -> bool:
    """`raw`: for every row its filter and its bytes (uint8); `out`: a row of zeros, then rows x bytes, filled; `each`:
    bytes a pixel. False for a filter that there is none of. Rows are taken as views of their own: with their places in
    the whole array the compiler adds one byte at a time, which takes sixteen times as long."""
    rows, size = out.shape[0] - 1, out.shape[1]
    for row in range(rows):
        kind = raw[row * (size + 1)]
        line = raw[row * (size + 1) + 1 : (row + 1) * (size + 1)]
        above, now = out[row], out[row + 1]
        if kind == 0:
            for i in range(size):
                now[i] = line[i]
        elif kind == 1:
            for i in range(size):
                left = int(now[i - each]) if i >= each else 0
                now[i] = (int(line[i]) + left) & 255
        elif kind == 2:
            for i in range(size):
                now[i] = (int(line[i]) + int(above[i])) & 255
        elif kind == 3:
            for i in range(size):
                left = int(now[i - each]) if i >= each else 0
                now[i] = (int(line[i]) + ((left + int(above[i])) >> 1)) & 255
        elif kind == 4:
            for channel in range(each):  # each on its own, so that what it waits for stays in registers
                left = corner = 0
                for i in range(channel, size, each):
                    up = int(above[i])
                    by_left, by_up, by_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
                    nearest = corner
                    if by_left <= by_up and by_left <= by_corner:
                        nearest = left
                    elif by_up <= by_corner:
                        nearest = up
                    left = (int(line[i]) + nearest) & 255
                    corner = up
                    now[i] = left
        else:
            return False
    return True
