"""What the fuzzer begins with: every sample, every case, every kept find, by format."""

import re
import tomllib
from pathlib import Path

from longshore.x12.samples.parts import SampleKind
from tests.unit.x12.valid_documents import a_document, definitions

TESTS = Path(__file__).parents[1]
FORMAT_BY_SUFFIX = {".edi": "x12", ".txt": "x12", ".json": "json", ".xml": "xml", ".csv": "csv"}
PLACES = (TESTS.parent / "samples", TESTS / "cases", TESTS / "corpus")
MAX_SEED_CHARS = 6_000  # longer ones only make each round slower
MORE = {
    "json": ['{"a":{"b":[1,null,"x",{}]},"c.d":1.10}', '[[],{"é":"\\ud83d\\ude00"},-0.0e-5,true]'],
    "xml": [
        '<a xmlns="u" xmlns:p="v"><b c="1">x<![CDATA[<y>]]></b><p:b/><b>&#65;</b><!--z--></a>',
        '<?xml version="1.0"?><O><L><Q>1</Q></L><L><Q>2</Q></L></O>',
    ],
    "csv": ['a,b\n1,"x ""y"""\n\n2,3\n', "a;a;;b\r\n1;2;3;4;5\r\n", "a\tb\r1\t2\r"],
    "x12": [
        "ST*850*0001~BEG*00*SA*PO-1**20260115~SE*3*0001~",
        "ST|997|0001\nAK1|PO|1\nSE|3|0001\n",
    ],
}


def seeds() -> dict[str, list[str]]:
    """Return the texts of each format, in an order that never changes."""
    found = {name: list(texts) for name, texts in MORE.items()}
    for path in sorted(path for place in PLACES for path in place.rglob("*") if path.is_file()):
        name = FORMAT_BY_SUFFIX.get(path.suffix)
        if name and (path.stem == "input" or path.parent.name != "samples"):
            text = path.read_bytes().decode("latin-1")
            if path.name not in {"expected.json", "fields.json"}:
                found[name].append(text[:MAX_SEED_CHARS])
    return found


def valid_documents() -> list[str]:
    """Return valid documents of every set: samples, cases, and those with known variants."""
    sets = (TESTS / "sets").glob("*.toml")
    found = [
        tomllib.loads(path.read_text(encoding="utf-8"))["document"].strip() for path in sorted(sets)
    ]
    found += [_text(path) for path in sorted((TESTS.parent / "samples").glob("*/input.edi"))]
    found += [_text(path) for path in sorted((TESTS / "cases").glob("*.edi"))]
    generated = (
        a_document(definition, manner, seed).text()
        for definition in definitions()
        for manner, seed in (
            (SampleKind.MINIMAL, 0),
            (SampleKind.VARIED, 1),
            (SampleKind.VARIED, 2),
        )
    )
    return [*found, *(text for text in generated if len(text) < MAX_SEED_CHARS)]


def acknowledgements() -> list[str]:
    """Return documents with a 997, a 999 or a TA1."""
    return [text for text in valid_documents() if re.search(r"\bAK1\b|\bTA1\b", text)]


def _text(path: Path) -> str:
    return path.read_bytes().decode("latin-1")[:MAX_SEED_CHARS]
