"""Paths that begin alike are walked once up to their last wildcard, however many there are."""

from collections.abc import Sequence

from longshore.mapping.paths import read_source
from longshore.mapping.paths_fields import read_json_path
from longshore.mapping.sources_fields import FieldSource
from longshore.mapping.trees import JsonNode, json_root
from tests.unit.mapping.outcomes import outcome_of, rule
from tests.unit.mapping.test_sources_x12 import interchange

ORDER = '{"lines": [{"notes": [{"a": "1"}, {"b": "2"}]}, {"qty": "3", "notes": [{"a": "4"}]}]}'


class CountingNode(JsonNode):
    """The root of a document, which counts how often it is asked."""

    asked = 0

    def among(self, name: str | None) -> Sequence[JsonNode]:
        self.asked += 1
        return super().among(name)


def test_what_paths_share_is_walked_once() -> None:
    root = CountingNode()
    root.members = json_root(ORDER).members
    source = FieldSource(root)
    read = [
        source.read(read_source(read_json_path, path)).values
        for path in ("lines[*].qty", "lines[*].notes[*].a", "lines[*].notes[*].b", "lines[1].qty")
    ]
    assert read == [[None, "3"], ["1", None, "4"], [None, "2", None], ["3"]]
    assert root.asked == 2  # for lines[*], and for lines[1]


def test_each_path_whose_scope_is_guessed_is_named() -> None:
    text = interchange("123 PO1*1~REF*A*1~N1*ST~PO1*2~REF*A*2~")
    rules = [rule("PO1[*]>REF[*].02", "a[*].b[*]"), rule("PO1[*]>N1[*].01", "a[*].c[*]")]
    outcome = outcome_of(rules, text)
    assert [each.entries for each in outcome.writes] == [
        [((0, 0), "1"), ((1, 0), "2")],
        [((0, 0), "ST")],
    ]
    assert [each.message.partition("loops of ")[2] for each in outcome.warnings] == [
        "PO1[*]>REF[*].02: guessed",
        "PO1[*]>N1[*].01: guessed",
    ]
