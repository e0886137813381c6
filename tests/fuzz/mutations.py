"""Changes that know the grammar: segments, separators, envelopes, lengths, tags, quotes."""

import re
from collections.abc import Callable, Sequence
from random import Random

Change = Callable[[str, Random], str]

_TERMINATORS = "~\n'|!\x1c\x1e"
_STRANGE = (
    *(
        "",
        "\0",
        "\x1a",
        "\ufeff",
        "\r",
        "\n",
        "\r\n",
        "\t",
        " ",
        "~",
        "~~",
        "*",
        "**",
        ":",
        ">",
        "^",
    ),
    *(
        "?",
        "??",
        "é",
        "日本",
        "\u202e",
        "\x85",
        "\u2028",
        "'",
        '"',
        '""',
        "\\",
        "/",
        "<",
        "&",
        "]]>",
    ),
    *(
        "0",
        "-1",
        "9" * 20,
        "1e9",
        "²",
        "٣",
        "1.5",
        "ISA",
        "IEA*1*000000001",
        "ST*850*0001",
        "SE*2*0001",
    ),
    *(
        "GS*PO*A*B*20260115*0930*1*X*004010",
        "GE*1*1",
        "BIN*3*a~b",
        "BIN*99*x",
        "BIN*0*",
        "BDS*ASC*2*é",
    ),
    *("ISX*?", "TA1*1", "HL*1**S", "HL*2*1*O", "ref*1", "LE", "null", "NaN", "[]", "{}", '{"a":1}'),
    *(
        "<a>",
        "</a>",
        "<a b='1'/>",
        "<!DOCTYPE a>",
        "<!--",
        "<![CDATA[",
        "&#0;",
        "&amp;",
        "xmlns:p='u'",
    ),
    *("\ud7ff\ue000", "\\u0000", "\\ud800", "a" * 300, ",", ";", "|", "=1+1"),
)


def delete(text: str, draw: Random) -> str:
    start, end = _span(text, draw)
    return text[:start] + text[end:]


def double(text: str, draw: Random) -> str:
    start, end = _span(text, draw)
    return text[:end] + text[start:]


def insert(text: str, draw: Random) -> str:
    at = draw.randint(0, len(text))
    return text[:at] + draw.choice(_STRANGE) * draw.choice((1, 1, 1, 2, 50)) + text[at:]


def replace(text: str, draw: Random) -> str:
    start, end = _span(text, draw)
    return text[:start] + draw.choice(_STRANGE) + text[end:]


def flip(text: str, draw: Random) -> str:
    if not text:
        return text
    at = draw.randrange(len(text))
    return text[:at] + chr(ord(text[at]) % 256 ^ 1 << draw.randrange(8)) + text[at + 1 :]


def cut(text: str, draw: Random) -> str:
    return text[: draw.randint(0, len(text))]


def swap_segments(text: str, draw: Random) -> str:
    terminator = draw.choice(_TERMINATORS)
    parts = text.split(terminator)
    one, two = draw.randrange(len(parts)), draw.randrange(len(parts))
    parts[one], parts[two] = parts[two], parts[one]
    return terminator.join(parts)


def repeat_segment(text: str, draw: Random) -> str:
    terminator = draw.choice(_TERMINATORS)
    parts = text.split(terminator)
    at = draw.randrange(len(parts))
    return terminator.join([*parts[:at], *[parts[at]] * draw.randint(2, 6), *parts[at:]])


def change_separator(text: str, draw: Random) -> str:
    """Replace one punctuation mark everywhere, as another sender would write it."""
    marks = sorted(set(re.findall(r"[^A-Za-z0-9]", text))) or ["~"]
    return text.replace(
        draw.choice(marks), draw.choice((*_TERMINATORS, "*", ":", "\r\n", "A", " ", "\0"))
    )


def change_element(text: str, draw: Random) -> str:
    """Give one element of X12, or one value between delimiters, another content."""
    separator = draw.choice("*|,;\x1d:>")
    parts = text.split(separator)
    parts[draw.randrange(len(parts))] = draw.choice(_STRANGE)
    return separator.join(parts)


def change_number(text: str, draw: Random) -> str:
    numbers = list(re.finditer(r"[0-9]+", text))
    if not numbers:
        return text
    found = draw.choice(numbers)
    new = draw.choice(("", "0", "-1", str(int(found[0][:9]) + 1), "0" + found[0], "9" * 30))
    return text[: found.start()] + new + text[found.end() :]


def trim_isa(text: str, draw: Random) -> str:
    del draw
    return re.sub(" +([*|])", r"\1", text)


def change_version(text: str, draw: Random) -> str:
    version = draw.choice(("00200", "00401", "00402", "00501", "00704", "00801", "0040a", ""))
    return re.sub(r"(?<=[*|^U])00[0-9]{3}(?=[*|])", version, text, count=1)


def wrap(text: str, draw: Random) -> str:
    width, line_break = draw.choice((1, 3, 40, 80, 128)), draw.choice(("\n", "\r\n"))
    return line_break.join(text[at : at + width] for at in range(0, len(text), width))


def break_lines(text: str, draw: Random) -> str:
    return text.replace("~", "~" + draw.choice(("\n", "\r\n", " ", "\t", "\r")))


CHANGES: Sequence[Change] = (
    *(delete, double, insert, insert, replace, flip, cut, swap_segments, repeat_segment),
    *(change_separator, change_element, change_element, change_number, trim_isa, change_version),
    *(wrap, break_lines),
)


def mutate(seeds: Sequence[str], draw: Random) -> str:
    """Return a seed, or two joined, after one to six changes."""
    text = draw.choice(seeds)
    if draw.randrange(8) == 0:
        text += draw.choice(seeds)
    for _ in range(draw.choice((1, 1, 2, 3, 6))):
        text = draw.choice(CHANGES)(text, draw)
    return text


def cuts(text: str, draw: Random) -> list[str]:
    """Return the text in pieces, empty ones included."""
    edges = sorted(draw.randint(0, len(text)) for _ in range(draw.randint(1, 8)))
    return [text[a:b] for a, b in zip([0, *edges], [*edges, len(text)], strict=True)]


def _span(text: str, draw: Random) -> tuple[int, int]:
    start = draw.randint(0, len(text))
    return start, min(len(text), start + draw.choice((0, 1, 1, 2, 5, 40, 106)))
