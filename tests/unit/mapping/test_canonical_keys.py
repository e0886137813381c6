"""Every key of the flat fields is a source path with the same value, read in any way there is."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.formats import csvdoc, jsondoc, x12doc, xmldoc
from longshore.formats.charset import decode
from longshore.formats.document import ParsedDocument
from longshore.mapping.document_x12 import X12Document
from longshore.mapping.paths import PathReader, SourcePath, read_source
from longshore.mapping.paths_fields import read_csv_path, read_json_path, read_xml_path
from longshore.mapping.paths_x12 import read_x12_path
from longshore.mapping.source import MapSource
from longshore.mapping.sources_fields import FieldNode, FieldSource
from longshore.mapping.sources_x12 import X12Source
from longshore.mapping.tree_xml import xml_root
from longshore.mapping.trees import CsvRoot, json_root
from longshore.x12.dictionary.library import shipped
from tests.unit.mapping.outcomes import CASES

UNREADABLE = {"40_not_x12.txt"}
DOCUMENTS = sorted(
    [path for path in CASES.glob("*.*") if path.suffix in {".edi", ".txt"}]
    + list(Path("samples").glob("*/input.edi"))
)
JSON = json.dumps({"a.b": [{"c": 1, "": "x"}, [True, "é\\"]], "d": {"e@": 1.5, "f": {"g": "h"}}})
XML = '<o a="1" xmlns:p="u" p:b="2"><p:l>y</p:l>t<l>1</l><l c="3"><m/>x<m>y</m></l><p:l>z</p:l></o>'
CSV = "a,a,,b.c\n1,2,3,4\n,5,,6,7\n"


def fields_of(parsed: ParsedDocument) -> dict[str, str]:
    fields: dict[str, str] = json.loads(parsed.fields_json)
    return fields


def values_of(source: MapSource, paths: list[SourcePath]) -> list[tuple[str | None, str | None]]:
    """Return the value of each path, read in two ways."""
    values = zip(paths, source.values(paths), strict=True)
    return [(value, source.read(path).values[0]) for path, value in values]


def text_of(path: Path) -> tuple[str, str]:
    return decode(path.read_bytes())


@pytest.mark.parametrize(
    "path", [each for each in DOCUMENTS if each.name not in UNREADABLE], ids=str
)
def test_keys_of_x12_are_paths(path: Path) -> None:
    text, charset = text_of(path)
    fields = fields_of(x12doc.parse(text, charset=charset))
    assert fields
    is_single_octet = charset == x12doc.LATIN_1
    paths = [read_source(read_x12_path, key) for key in fields]
    for is_traced in (False, True):
        document = X12Document(text, is_single_octet=is_single_octet, is_traced=is_traced)
        source = X12Source(document, shipped())
        assert values_of(source, paths) == [(value, value) for value in fields.values()]
        if is_traced:
            places = [source.places(each) for each in paths]
            assert [place.key for (place,) in places] == list(fields)


@pytest.mark.parametrize(
    ("document", "parse", "read", "root"),
    [
        (JSON, jsondoc.parse, read_json_path, json_root),
        (XML, xmldoc.parse, read_xml_path, xml_root),
        (CSV, csvdoc.parse, read_csv_path, CsvRoot),
    ],
)
def test_keys_of_other_formats_are_paths(
    document: str,
    parse: Callable[[str], ParsedDocument],
    read: PathReader,
    root: Callable[[str], FieldNode],
) -> None:
    fields = fields_of(parse(document))
    source = FieldSource(root(document))
    paths = [read_source(read, key) for key in fields]
    assert values_of(source, paths) == [(value, value) for value in fields.values()]
    places = [source.places(each) for each in paths]
    assert [place.key for (place,) in places] == list(fields)


NAMES = st.text(alphabet="ab.\\[]/*>@{é ", max_size=3)
TREES = st.recursive(
    st.text(max_size=3) | st.integers() | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(NAMES, TREES, min_size=1, max_size=3) | st.lists(TREES, min_size=1))
def test_keys_of_any_json_are_paths(tree: object) -> None:
    document = json.dumps(tree)
    fields = fields_of(jsondoc.parse(document))
    fields.pop("", None)  # a member without name in the root has no path
    source = FieldSource(json_root(document), has_literals=True)
    for key, value in fields.items():
        path = read_source(read_json_path, key)
        assert next(source.values([path])) == value
        (place,) = source.places(path)
        assert place.key == key
        assert place.span is not None
        assert json.loads(f'"{document[slice(*place.span)]}"') == value
