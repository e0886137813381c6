"""What a change of rules does to a document that was converted before."""

from longshore.engine import RuleText
from longshore.engine.trials import MapTrial, Replayed, replay
from longshore.mapping.compare import Difference

DOCUMENT = "ST*850*0001~BEG*00*SA*PO-1**20260115~SE*3*0001~"
NUMBER = '[{"src":"BEG.03","tgt":"n"}]'
REQUIRED = '[{"src":"REF.02","tgt":"n","required":true}]'


def rules(field_map: str, target_format: str = "json") -> MapTrial:
    return MapTrial(rules=RuleText(field_map, "[]", "x12", target_format), tx_set="850")


def test_the_same_output_is_identical_and_another_one_changed() -> None:
    assert replay(rules(NUMBER), rules(NUMBER), DOCUMENT).outcome == "identical"
    changed = replay(rules(NUMBER), rules(NUMBER.replace("BEG.03", "BEG.02")), DOCUMENT)
    assert (changed.outcome, changed.diff) == ("changed", (Difference("n", '"PO-1"', '"SA"'),))


def test_what_the_candidate_cannot_convert_has_failed() -> None:
    failed = replay(rules(NUMBER), rules(REQUIRED), DOCUMENT)
    assert (failed.outcome, failed.diff) == ("failed", ())
    assert "field_map[0]" in failed.error


def test_what_only_the_candidate_converts_or_in_another_format_differs_as_a_whole() -> None:
    whole = Replayed(diff=(Difference("", None, None),))
    assert replay(rules(REQUIRED), rules(NUMBER), DOCUMENT) == whole
    assert replay(rules(NUMBER), rules(NUMBER, "xml"), DOCUMENT) == whole
