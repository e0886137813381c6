"""Generated X12 documents: valid ones, broken ones, and text from a hostile alphabet."""

from itertools import pairwise

from hypothesis import strategies as st

from tests.unit.x12.documents import isa

_IDS = ("BEG", "N1", "PO1", "MSG", "REF", "SV1", "HI", "ZZZ", "HL", "LE", "L11")
_VALUES = st.one_of(
    st.sampled_from([
        "",
        "1",
        "AB",
        "00",
        " ",
        "PO-1",
        "é",
        "Zürich",
        "日本",
        '"',
        "\\",
        "U",
        "x y",
    ]),
    st.text(alphabet='AB1 :>^é"\\\t?', max_size=6),
)
_SNIPPETS = (
    *("ISA", "ISA*", "IEA", "IEA*1*000000101", "GS*PO*A*B*20240115*0930*7*X*004010", "GE*1*7"),
    *("ST*850*0001", "SE*3*0001", "ST", "SE*2*0001~", "BIN*3*a~b~", "BIN*2*é~", "BIN*99*", "BIN*"),
    *("BDS*ASC*3*a*b~", "ISX*?~", "ISX*?", "TA1*1", "~", "*", "\n", "\r\n", "\r", " ", "\t", "\0"),
    *("\x1a", "~~", "~\n", "~\r\n", "^", ":", ">", "?", "??", "?~", "A", "1", "é", "日", '"', "\\"),
    *(
        "ref*1~",
        "N1*BT*X~",
        "PO1*1**~",
        "ISAAC*1~",
        "ISA~",
        "\ufeff",
        "\x1c",
        "'",
        "|",
        "!",
        "\x85",
    ),
    isa(),
    isa() + "~",
    isa("|", e16=":") + "'",
    isa(e11="^", e12="00501") + "\n",
    isa(e11="^", e12="00704") + "~ISX*?~",
    isa(padded=False) + "~",
)


@st.composite
def valid_documents(draw: st.DrawFn) -> str:
    """One to three interchanges with their own separators, line breaks, sets and binary data."""
    parts = []
    for number in range(draw(st.integers(1, 3))):
        parts.append(draw(_interchanges(number)))
        parts.append(draw(st.sampled_from(["", "\n", " \r\n", "\x1a\0"])))
    return draw(st.sampled_from(["", "\ufeff", " \r\n", "\0"])) + "".join(parts)


@st.composite
def _interchanges(draw: st.DrawFn, number: int) -> str:
    element, segment, component = draw(
        st.sampled_from([
            ("*", "~", ">"),
            ("|", "'", ":"),
            ("\x1d", "\x1c", "\x1f"),
            ("*", "\n", ":"),
        ])
    )
    segment = draw(st.sampled_from(["\r\n", "\n"])) if segment == "\n" else segment
    version, repetition = draw(
        st.sampled_from([("00401", "U"), ("00501", "^"), ("00501", "U"), ("00704", "^")])
    )
    break_ = draw(st.sampled_from(["", "\n", "\r\n", " "])) if "\n" not in segment else ""
    release = version == "00704" and draw(st.booleans())
    texts = [isa(element, e16=component, e11=repetition, e12=version)]
    if release:
        texts.append(f"ISX{element}?")
    texts.append(element.join(("GS", "PO", "A", "B", "20240115", "0930", "7", "X", "005010")))
    marks = element + segment + component + repetition * (repetition != "U") + "?" * release
    set_count = draw(st.integers(0, 3))
    for set_number in range(set_count):
        texts.extend(draw(_sets(element, marks, f"{set_number:04d}")))
    texts += [element.join(("GE", str(set_count), "7")), element.join(("IEA", "1", "000000101"))]
    ending = segment + break_
    return ending.join(texts) + draw(
        st.sampled_from(["", segment, ending]) if number else st.just(ending)
    )


@st.composite
def _sets(draw: st.DrawFn, element: str, marks: str, number: str) -> list[str]:
    bare = "".join(mark for mark in marks if mark in element + marks[1:3])
    drop = {ord(mark): None for mark in bare + "\r\n"}
    texts = [element.join(("ST", "850", number))]
    for _ in range(draw(st.integers(0, 6))):
        if draw(st.integers(0, 8)) == 0:
            data = draw(st.text(alphabet="ab~*\n'é|ISAIEA\x1d\x01", max_size=12))
            texts.append(element.join(("BIN", str(len(data.encode())), data)))
        else:
            values = draw(st.lists(_VALUES, max_size=14))
            texts.append(
                element.join((
                    draw(st.sampled_from(_IDS)),
                    *(each.translate(drop) for each in values),
                ))
            )
    texts.append(element.join(("SE", str(len(texts) + 1), number)))
    return texts


@st.composite
def broken_documents(draw: st.DrawFn) -> str:
    """A valid document with pieces deleted, inserted, replaced or doubled, perhaps wrapped."""
    text = draw(valid_documents())
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 1, 2, 5, 40, 106])))
        kind = draw(st.integers(0, 3))
        new = (draw(st.sampled_from(_SNIPPETS)), "", text[start:end] * 2, text[start:end])[kind]
        text = text[:start] + new + text[end:]
    if draw(st.integers(0, 4)) == 0:
        text = wrapped(
            text, draw(st.sampled_from([1, 3, 40, 80, 128])), draw(st.sampled_from(["\n", "\r\n"]))
        )
    return text


def wrapped(text: str, width: int, break_: str) -> str:
    """Return the text in lines of ``width`` characters, the last one shorter."""
    return break_.join(text[at : at + width] for at in range(0, len(text), width))


hostile_texts = st.lists(st.sampled_from(_SNIPPETS), max_size=25).map("".join)
wrapped_documents = st.builds(
    wrapped, valid_documents(), st.sampled_from([10, 40, 80, 128]), st.sampled_from(["\n", "\r\n"])
)
documents = st.one_of(valid_documents(), broken_documents(), hostile_texts, wrapped_documents)


@st.composite
def cuts(draw: st.DrawFn, text: str) -> list[str]:
    """Any split of ``text`` into pieces, empty ones included."""
    at = sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))
    if draw(st.integers(0, 5)) == 0:
        at = list(range(1, len(text)))
    edges = [0, *at, len(text)]
    return [text[start:end] for start, end in pairwise(edges)]
