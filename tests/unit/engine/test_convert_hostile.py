"""Rules that were written to do harm: each is refused by its place, or does no harm."""

import json
from time import thread_time

import pytest

from longshore.compute.budget import Budget
from longshore.compute.documents import convert_result
from longshore.engine import RuleText, Stamp, convert
from longshore.engine.conversion_parts import MAX_EXPLAINED_CHARS
from longshore.kit.errors import LongshoreError
from longshore.mapping import explain
from longshore.mapping.exact_json import exact_json
from longshore.mapping.rule_texts import read_lookups, read_rules
from tests.unit.engine.conversion_examples import Rule, case, rule

STAMP = Stamp(date="20260115", time="1405")


def refusal(rules: list[Rule], document: str | None = None, **formats: str) -> LongshoreError:
    with pytest.raises(LongshoreError) as caught:
        convert(case() if document is None else document, rules, stamp=STAMP, **formats)  # type: ignore[arg-type]  # texts
    return caught.value


def limit_of(refused: LongshoreError) -> tuple[str, str | None, int | None]:
    return refused.code, refused.details[0].limit, refused.details[0].max


def grown(times: int, length: int) -> Rule:
    """Return a rule whose operations would make a value ``length`` to the power of ``times``."""
    then = [{"op": "replace", "find": "P", "with": "P" * length}] * times
    return rule("BEG.03", "x", then=then)


def test_ten_thousand_rules_are_enough() -> None:
    rules = [rule("BEG.03", f"t{number}") for number in range(10_000)]
    assert len(json.loads(convert(case(), rules).output)) == 10_000
    assert limit_of(refusal([*rules, rule("BEG.03", "x")])) == ("limit_exceeded", "rules", 10_000)


@pytest.mark.parametrize("target_format", ["json", "xml"])
def test_a_target_is_at_most_32_deep(target_format: str) -> None:
    deepest = ".".join(["a"] * 32)
    assert convert(case(), [rule("BEG.03", deepest)], target_format=target_format).output
    refused = refusal([rule("BEG.03", f"{deepest}.a")], target_format=target_format)
    assert limit_of(refused) == ("limit_exceeded", "target_depth", 32)
    assert refused.details[0].param == "field_map[0].tgt"


def test_an_index_is_bounded_by_itself_and_by_its_array() -> None:
    assert limit_of(refusal([rule("BEG.03", "a[100001]")]))[:2] == ("limit_exceeded", "array_index")
    refused = refusal([rule("BEG.03", "a[99999]")])
    assert limit_of(refused) == ("limit_exceeded", "array_index", 1_000)
    assert len(json.loads(convert(case(), [rule("BEG.03", "a[1000]")]).output)["a"]) == 1_001
    assert limit_of(refusal([rule("BEG.03", "a[1001]")]))[1] == "array_index"


def test_values_do_not_grow_without_end() -> None:
    assert limit_of(refusal([grown(100, 10)])) == ("limit_exceeded", "value_chars", 1_048_576)
    padded = rule("BEG.03", "x", then=[{"op": "pad", "len": 1_048_577}])
    assert refusal([padded]).code == "invalid_mapping_rule"


def test_an_output_of_64_mib_is_the_longest() -> None:
    most = 64 * 2**20
    pad = [{"op": "pad", "len": 2**20}]
    rules = [rule("BEG.03", "a", then=pad, on_duplicate="append") for _ in range(64)]
    assert limit_of(refusal(rules)) == ("limit_exceeded", "output_bytes", most)
    assert len(convert(case(), rules[:63]).output) < most


def test_an_output_of_single_values_is_bounded_alike() -> None:
    pad = [{"op": "pad", "len": 2**20}]
    rules = [rule("BEG.03", f"t{number}", then=pad) for number in range(65)]
    assert limit_of(refusal(rules))[1] == "output_bytes"
    umlauts = [{"op": "pad", "len": 2**20, "char": "\u00fc"}]
    rules = [rule("BEG.03", f"t{number}", then=umlauts) for number in range(33)]
    assert limit_of(refusal(rules))[1] == "output_bytes"
    assert len(convert(case(), rules[:31]).output.encode()) < 64 * 2**20


def test_an_explanation_is_bounded_as_an_output_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explain, "MAX_OUTPUT_BYTES", 200)
    with pytest.raises(LongshoreError) as caught:
        convert(case(), [rule("PO1[*].02", "a[*]")], is_explained=True)
    assert limit_of(caught.value) == ("limit_exceeded", "output_bytes", 200)


def test_outputs_of_many_sets_are_bounded_together() -> None:
    document = "".join(f"ST*850*{number:04}~BEG*00~SE*3*{number:04}~" for number in range(70))
    rules = [rule("BEG.01", "a", then=[{"op": "pad", "len": 2**20}])]
    with pytest.raises(LongshoreError) as caught:
        convert(document, rules, is_split=True)
    assert limit_of(caught.value)[:2] == ("limit_exceeded", "output_bytes")


def explained_split_seconds(sets: int) -> float:
    body = "".join(f"ST*850*{at:04}~BEG*00*SA*1~SE*3*{at:04}~" for at in range(1, sets + 1))
    before = thread_time()
    made = convert(body, [rule("BEG.03", "a")], is_explained=True, is_split=True)
    assert len(made.outputs) == sets
    return thread_time() - before


def test_explaining_each_of_many_sets_reads_the_document_once() -> None:
    few = min(explained_split_seconds(100) for _ in range(3))
    assert explained_split_seconds(1_600) < 64 * few  # sixteen times, not its square


@pytest.mark.parametrize(
    ("faulty", "param"),
    [
        (rule("BEG.03", "x", then=[{"op": "regex", "find": "(a+)+$"}]), "then[0].op"),
        (rule("BEG.03", "x", then=[{"op": "eval", "code": "1"}]), "then[0].op"),
        (rule("BEG.03", "x", then=[{"op": "substring"}]), "then[0].start"),
        (rule("BEG.03", "x", then=[{"op": "pad", "len": 3, "fill": "0"}]), "then[0].fill"),
        (rule("BEG.03", "x", then=[{}] * 101), "then"),
        (rule("BEG.03", "x", expr="$sum(x)"), "expr"),
        (rule("BEG.03", "x", lang="jsonata"), "lang"),
        (rule("BEG.03", "x", lookup={"table_id": "units"}), "lookup.table_id"),
        (rule("BEG.03", "x", lookup={"tables": {"a": "b"}}), "lookup.tables"),
        (rule("BEG.03", "x", type="float"), "type"),
        (rule("BEG.03", "x", on_missing="crash"), "on_missing"),
        (rule("BEG.03", "x", on_duplicate="merge"), "on_duplicate"),
        (rule("BEG.03", "x", const="y"), "src"),
        (rule("BEG.03", "x", when="BEG..03"), "when"),
        (rule("PO1[*].02", "a[*].b[*]"), "tgt"),
        (rule("BEG.03", "lines[*].x"), "tgt"),
        (rule("BEG.03", "a..b"), "tgt"),
        (rule("BEG..03", "a"), "src"),
        (rule("N1[01=ST", "a"), "src"),
        (rule("PO1[9999999999999999999999].02", "a"), "src"),
        (rule("PO1" + ">PO1" * 2_000 + ".02", "a"), "src"),
        (rule([], "a"), "src"),
        (rule(None, "a"), "src"),
        ({"src": "BEG.03"}, "tgt"),
    ],
)
def test_a_faulty_rule_is_refused_at_its_member(faulty: Rule, param: str) -> None:
    refused = refusal([rule("BEG.03", "good"), faulty])
    assert refused.code == "invalid_mapping_rule"
    assert refused.details[0].param == f"field_map[1].{param}"


def test_all_faults_of_all_rules_are_reported_at_once() -> None:
    rules = [
        rule("BEG.03", "a", transform="title"),
        rule("BEG..", "b"),
        rule("BEG.03", "c", typ="x", note=5),
    ]
    assert [each.param for each in refusal(rules).details] == [
        "field_map[0].transform",
        "field_map[1].src",
        "field_map[2].typ",
        "field_map[2].note",
    ]


def test_a_thousand_faults_are_reported_and_no_more() -> None:
    refused = refusal([{"src": "BEG.03", "tgt": "x", f"k{number}": 1} for number in range(3_000)])
    assert len(refused.details) == 1_000


# ---- texts of rules ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("_case", "text"),
    [
        ("no JSON", "[{"),
        ("a member twice", '[{"src":"BEG.03","src":"BEG.02","tgt":"x"}]'),
        ("a member twice that is long", '[{"K":1,"K":2}]'.replace("K", "k" * 900)),
        ("a member twice that is not printable", '[{"\\u0007":1,"\\u0007":2}]'),
        ("no number", '[{"const":NaN,"tgt":"x"}]'),
        ("infinity", '[{"const":-Infinity,"tgt":"x"}]'),
        ("an exponent without end", '[{"const":1e99999999999999999999,"tgt":"x"}]'),
        ("half a surrogate pair", '[{"const":"\\ud800","tgt":"x"}]'),
        ("as deep as the stack", "[" * 100_000),
    ],
)
def test_a_text_that_is_no_json_is_refused(_case: str, text: str) -> None:
    with pytest.raises(LongshoreError) as caught:
        read_rules(text)
    assert (caught.value.code, caught.value.details[0].param) == ("invalid_json", "field_map")


def test_whole_numbers_of_any_length_are_read_in_no_time() -> None:
    before = thread_time()
    assert exact_json("9" * 2_000_000, "x").is_finite()  # type: ignore[attr-defined]  # a Decimal
    assert thread_time() - before < 2
    assert (exact_json("12", "x"), exact_json('"\\u00e9"', "x")) == (12, "é")


@pytest.mark.parametrize(
    ("text", "param"),
    [
        ("{}", "lookups"),
        ("[5]", "lookups[0]"),
        ('[{"name":"u"}]', "lookups[0]"),
        ('[{"name":"u","rows":[{"from":"a"}]}]', "lookups[0].rows[0]"),
        ('[{"name":"u","rows":["a"]}]', "lookups[0].rows[0]"),
    ],
)
def test_lookup_tables_have_their_shape(text: str, param: str) -> None:
    with pytest.raises(LongshoreError) as caught:
        read_lookups(text)
    assert (caught.value.code, caught.value.details[0].param) == ("invalid_parameter", param)
    with pytest.raises(LongshoreError):
        read_rules("{}")
    rows = '[{"name":"u","rows":[{"from":"EA","to":"each"},{"from":1,"to":1.50}]}]'
    assert read_lookups(rows) == {"u": {"EA": "each", "1": "1.50"}}


# ---- time and what is made -----------------------------------------------------------------------


def many_lines(count: int) -> str:
    lines = "".join(f"PO1*{number}*{number}~" for number in range(count))
    return f"ST*850*0001~{lines}SE*{count + 2}*0001~"


def test_rules_that_compute_for_ever_are_stopped() -> None:
    then = [{"op": "pad", "len": 20_000}, {"op": "replace", "find": " ", "with": "x"}] * 50
    rules = [rule("PO1[*].02", f"a[*].t{number}", then=then) for number in range(100)]
    before = thread_time()
    with pytest.raises(LongshoreError) as caught:
        convert_result(many_lines(2_000), RuleText(json.dumps(rules)), cpu_seconds=0.2)
    assert limit_of(caught.value) == ("limit_exceeded", "cpu_seconds", 0)
    assert thread_time() - before < 2  # a hundredth of what they would take


def test_conditions_that_look_at_everything_are_stopped() -> None:
    rules = [rule(f"PO1[02={number}].01", f"t{number}") for number in range(5_000, 9_000)]
    before = thread_time()
    with pytest.raises(LongshoreError) as caught:
        convert_result(many_lines(5_000), RuleText(json.dumps(rules)), cpu_seconds=0.3)
    assert limit_of(caught.value)[1] == "cpu_seconds"
    assert thread_time() - before < 2


def test_what_rules_make_out_of_nothing_is_bounded() -> None:
    rules = RuleText(
        json.dumps([{"const": "x" * 1_000, "tgt": "a[*].x"}, rule("PO1[*].02", "a[*].y")])
    )
    with pytest.raises(LongshoreError) as caught:
        convert_result(many_lines(1_000), rules, chars=100_000)
    assert limit_of(caught.value) == ("limit_exceeded", "value_chars", 100_000)
    defaults = RuleText(json.dumps([rule("PO1[*].09", "a[*].y", default="x" * 1_000)]))
    with pytest.raises(LongshoreError) as caught:
        convert_result(many_lines(1_000), defaults, chars=100_000)
    assert limit_of(caught.value)[1] == "value_chars"


def test_a_budget_is_spent_by_characters_and_by_time() -> None:
    budget = Budget(60, chars=10)
    budget.spend(10)
    with pytest.raises(LongshoreError):
        budget.spend(1)
    with pytest.raises(LongshoreError):
        Budget(-1).spend(0)


def test_the_cost_grows_with_the_lines_and_not_faster() -> None:
    rules = RuleText(json.dumps([rule(f"PO1[*].0{at}", f"a[*].t{at}") for at in (1, 2, 3)]))

    def cost(lines: int) -> float:
        document = many_lines(lines)
        convert_result(document, rules)
        before = thread_time()
        convert_result(document, rules)
        return thread_time() - before

    # Both are too long for the way that short documents take.
    few, many = (min(cost(lines) for _ in range(3)) for lines in (12_000, 48_000))
    assert many < 10 * few  # 4 times the lines; with their square it were 16 times the cost


def test_a_long_document_is_not_explained() -> None:
    filler = f"MSG*{'x' * 1_000_000}~"
    head = f"ST*850*0001~{filler}{filler}NTE**"
    document = f"{head}{'y' * (MAX_EXPLAINED_CHARS - len(head) - 12)}~SE*5*0001~~"
    assert len(document) == MAX_EXPLAINED_CHARS
    assert convert(document, [rule("ST.01", "set")], is_explained=True).output == '{"set":"850"}'
    with pytest.raises(LongshoreError) as refused:
        convert(f"{document}~", [rule("ST.01", "set")], is_explained=True)
    (detail,) = refused.value.details
    assert (detail.limit, detail.max) == ("explained_chars", MAX_EXPLAINED_CHARS)
    assert convert(f"{document}~", [rule("ST.01", "set")]).output == '{"set":"850"}'
