"""The JSON members of one segment, by its number of elements: unrolled, as it is the hot spot.

``MEMBERS[n](prefix, *row)`` writes a segment of ``n`` parts (the id and n - 1 elements, none of
them empty); 0 and 1 have no members and are never asked for. An f-string with everything in place
takes two thirds of the time of a ``%`` format, and half of that of a join.
"""

from collections.abc import Callable
from typing import Final

MEMBERS: Final[tuple[Callable[..., str], ...]] = (
    lambda: "",
    lambda _p, _id: "",
    lambda p, _id, a: f'"{p}01":"{a}"',
    lambda p, _id, a, b: f'"{p}01":"{a}","{p}02":"{b}"',
    lambda p, _id, a, b, c: f'"{p}01":"{a}","{p}02":"{b}","{p}03":"{c}"',
    lambda p, _id, a, b, c, d: f'"{p}01":"{a}","{p}02":"{b}","{p}03":"{c}","{p}04":"{d}"',
    lambda p, _id, a, b, c, d, e: (
        f'"{p}01":"{a}","{p}02":"{b}","{p}03":"{c}","{p}04":"{d}","{p}05":"{e}"'
    ),
    lambda p, _id, a, b, c, d, e, f: (
        f'"{p}01":"{a}","{p}02":"{b}","{p}03":"{c}","{p}04":"{d}","{p}05":"{e}","{p}06":"{f}"'
    ),
    lambda p, _id, a, b, c, d, e, f, g: (
        f'"{p}01":"{a}",'
        f'"{p}02":"{b}",'
        f'"{p}03":"{c}",'
        f'"{p}04":"{d}",'
        f'"{p}05":"{e}",'
        f'"{p}06":"{f}",'
        f'"{p}07":"{g}"'
    ),
    lambda p, _id, a, b, c, d, e, f, g, h: (
        f'"{p}01":"{a}",'
        f'"{p}02":"{b}",'
        f'"{p}03":"{c}",'
        f'"{p}04":"{d}",'
        f'"{p}05":"{e}",'
        f'"{p}06":"{f}",'
        f'"{p}07":"{g}",'
        f'"{p}08":"{h}"'
    ),
    lambda p, _id, a, b, c, d, e, f, g, h, i: (
        f'"{p}01":"{a}",'
        f'"{p}02":"{b}",'
        f'"{p}03":"{c}",'
        f'"{p}04":"{d}",'
        f'"{p}05":"{e}",'
        f'"{p}06":"{f}",'
        f'"{p}07":"{g}",'
        f'"{p}08":"{h}",'
        f'"{p}09":"{i}"'
    ),
    lambda p, _id, a, b, c, d, e, f, g, h, i, j: (
        f'"{p}01":"{a}",'
        f'"{p}02":"{b}",'
        f'"{p}03":"{c}",'
        f'"{p}04":"{d}",'
        f'"{p}05":"{e}",'
        f'"{p}06":"{f}",'
        f'"{p}07":"{g}",'
        f'"{p}08":"{h}",'
        f'"{p}09":"{i}",'
        f'"{p}10":"{j}"'
    ),
    lambda p, _id, a, b, c, d, e, f, g, h, i, j, k: (
        f'"{p}01":"{a}",'
        f'"{p}02":"{b}",'
        f'"{p}03":"{c}",'
        f'"{p}04":"{d}",'
        f'"{p}05":"{e}",'
        f'"{p}06":"{f}",'
        f'"{p}07":"{g}",'
        f'"{p}08":"{h}",'
        f'"{p}09":"{i}",'
        f'"{p}10":"{j}",'
        f'"{p}11":"{k}"'
    ),
    lambda p, _id, a, b, c, d, e, f, g, h, i, j, k, l: (
        f'"{p}01":"{a}",'
        f'"{p}02":"{b}",'
        f'"{p}03":"{c}",'
        f'"{p}04":"{d}",'
        f'"{p}05":"{e}",'
        f'"{p}06":"{f}",'
        f'"{p}07":"{g}",'
        f'"{p}08":"{h}",'
        f'"{p}09":"{i}",'
        f'"{p}10":"{j}",'
        f'"{p}11":"{k}",'
        f'"{p}12":"{l}"'
    ),
)
