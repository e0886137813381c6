"""Acknowledgements as a whole: when they are made, and every character of them."""

import pytest

from longshore.x12.acks.assessment import received_interchanges
from longshore.x12.acks.build import AckNumbers, plan_acks, write_acks
from longshore.x12.acks.profile import AckProfile, AckType, Ta1Rule, UnknownSets
from longshore.x12.results import SetResult
from tests.unit.x12.acks.acknowledged import (
    GUIDE,
    ON_ERROR,
    a_document,
    a_result,
    acknowledgements,
    an_error,
    case,
    inside,
    the_ack,
    walked,
)
from tests.unit.x12.documents import a_set, interchange, isa

HEAD = (
    "ISA*00*          *00*          *14*0614141SUPPLIER*ZZ*ACMERETAIL     "
    "*240115*0930*U*00401*000000001*0*T*>~"
)
GROUP = "GS*FA*0614141SUPPLIER*ACMERETAIL*20240115*0930*1*X*004010~"
END = "GE*1*1~IEA*1*000000001~"


@pytest.mark.parametrize(
    ("number", "body"),
    [
        (1, "AK1*PO*101~AK2*850*0001~AK5*A~AK9*A*1*1*1~SE*6*0001~"),
        (14, "AK1*PO*101~AK2*850*0001~AK5*A~AK2*850*0002~AK5*A~AK9*A*2*2*2~SE*8*0001~"),
        (16, "AK1*PO*101~AK2*850*0001~AK5*A~AK9*A*1*1*1~SE*6*0001~"),
        (17, "AK1*PO*101~AK2*850*0001~AK5*A~AK9*A*1*1*1~SE*6*0001~"),
        (25, "AK1*PO*101~AK2*850*0001~AK5*R*4~AK9*R*1*1*0~SE*6*0001~"),
        (26, "AK1*PO*101~AK2*850*0001~AK5*R*3~AK9*R*1*1*0~SE*6*0001~"),
        (28, "AK1*PO*101~AK9*R*1*1*0*3~SE*4*0001~"),
        (29, "AK1*PO*101~AK2*850*0001~AK5*A~AK2*850*0001~AK5*R*23~AK9*P*2*2*1~SE*8*0001~"),
    ],
)
def test_a_997_answers_the_group(number: int, body: str) -> None:
    assert the_ack(case(number)) == f"{HEAD}{GROUP}ST*997*0001~{body}{END}"


@pytest.mark.parametrize(
    ("number", "ta1"),
    [
        (12, "TA1*000000101*240115*0930*R*023~"),
        (15, "TA1*000000101*240115*0930*R*022~"),
        (27, "TA1*000000101*240115*0930*R*001~"),
        (30, "TA1*000000101*241340*0930*R*014~"),
    ],
)
def test_a_rejected_interchange_has_a_ta1_if_one_is_due_and_no_997(number: int, ta1: str) -> None:
    document = case(number)
    assert the_ack(document) == ""
    text = the_ack(document, profile=ON_ERROR)
    date = "000101" if number == 30 else "240115"
    assert text == f"{HEAD.replace('240115', date)}{ta1}IEA*0*000000001~"


def test_a_group_without_trailer_leaves_the_interchange_accepted() -> None:
    text = the_ack(case(28).replace("*0*T*>", "*1*T*>"))
    assert text == (
        f"{HEAD}TA1*000000101*240115*0930*A*000~{GROUP}"
        f"ST*997*0001~AK1*PO*101~AK9*R*1*1*0*3~SE*4*0001~{END}"
    )


@pytest.mark.parametrize("number", [31, 32, 33, 34])
@pytest.mark.parametrize("profile", [AckProfile(), ON_ERROR])
def test_acknowledgements_and_fragments_are_never_acknowledged(
    number: int, profile: AckProfile
) -> None:
    assert the_ack(case(number).replace("*0*T*", "*1*T*"), profile=profile) == ""


def test_an_acknowledgement_with_an_unknown_code_is_not_answered() -> None:
    document = case(32).replace("AK5*A~", "AK5*Q~").replace("*0*T*", "*1*T*")
    assert the_ack(document) == ""


@pytest.mark.parametrize(
    ("asked", "rule", "is_broken", "kinds"),
    [
        ("1", Ta1Rule.ON_REQUEST, False, ("TA1", "997")),
        ("1", Ta1Rule.ON_REQUEST, True, ("TA1",)),
        ("0", Ta1Rule.ON_REQUEST, True, ()),
        ("0", Ta1Rule.ON_ERROR, True, ("TA1",)),
        ("0", Ta1Rule.ON_ERROR, False, ("997",)),
    ],
)
def test_a_ta1_is_sent_on_request_or_on_error(
    *, asked: str, rule: Ta1Rule, is_broken: bool, kinds: tuple[str, ...]
) -> None:
    document = a_document("004010", a_set(), e14=asked)
    if is_broken:
        document = document.replace("IEA*1*000000101", "IEA*1*000000102")
    made = acknowledgements(document, profile=AckProfile(ta1=rule))
    assert [plan.ack_types for plan, _ in made] == [kinds] * bool(kinds)


def test_a_bad_set_in_a_valid_interchange_has_both_answers() -> None:
    document = a_document("004010", a_set(), e14="1")
    text = the_ack(document, {1: a_result(an_error("BEG", 2, "3"))})
    assert text.split("~")[1] == "TA1*000000101*240115*0930*A*000"
    assert inside(text, "AK2") == "AK3*BEG*2**3~AK5*R*5~AK9*R*1*1*0~"


def test_a_fault_that_is_acceptable_is_said_and_processed() -> None:
    document = a_document("004010", a_set(), e14="1").replace("IEA*1*", "IEA*2*")
    text = the_ack(document)
    assert text.split("~")[1] == "TA1*000000101*240115*0930*E*021"
    assert "AK5*A~" in text


def test_an_interchange_of_nothing_is_answered_when_it_asks() -> None:
    document = interchange("IEA*0*000000101", head=isa(e14="1"))
    assert the_ack(document).split("~")[1:3] == [
        "TA1*000000101*240115*0930*A*000",
        "IEA*0*000000001",
    ]


@pytest.mark.parametrize("ack_type", [AckType.NONE, AckType.AUTO])
def test_information_and_partners_who_want_none_get_no_functional_acknowledgement(
    ack_type: AckType,
) -> None:
    usage = "I" if ack_type is AckType.AUTO else "P"
    document = a_document("004010", a_set(), e15=usage)
    assert the_ack(document, profile=AckProfile(ack_type=ack_type)) == ""
    asking = a_document("004010", a_set(), e14="1", e15=usage)
    ((plan, _),) = acknowledgements(asking, profile=AckProfile(ack_type=ack_type))
    assert plan.ack_types == ("TA1",)


def test_accepted_sets_are_listed_unless_the_partner_wants_only_the_others() -> None:
    document = a_document("004010", a_set(number="0001"), a_set(number="0002"))
    bad = {2: a_result(an_error("BEG", 2, "3"))}
    text = the_ack(document, bad, AckProfile(has_accepted_sets=False))
    assert inside(text, "AK1") == "AK2*850*0002~AK3*BEG*2**3~AK5*R*5~AK9*P*2*2*1~"


def test_a_999_is_made_in_the_words_of_its_guide() -> None:
    st = f"ST*837*0001*{GUIDE}"
    document = a_document(GUIDE, (st, "SE*2*0001"), group_id="HC")
    assert the_ack(document).split("~", 1)[1] == (
        "GS*FA*US*THEM*20240115*0930*1*X*005010X231A1~ST*999*0001*005010X231A1~"
        f"AK1*HC*101*{GUIDE}~AK2*837*0001*{GUIDE}~IK5*A~AK9*A*1*1*1~SE*6*0001~GE*1*1~"
        "IEA*1*000000001~"
    )


def test_a_997_of_005010_names_versions() -> None:
    document = a_document("005010", ("ST*850*0001*REFERENCE", "SE*2*0001"))
    assert inside(the_ack(document), "ST") == (
        "AK1*PO*101*005010~AK2*850*0001*REFERENCE~AK5*A~AK9*A*1*1*1~"
    )
    older = document.replace("005010", "004010")
    assert inside(the_ack(older), "ST") == "AK1*PO*101~AK2*850*0001~AK5*A~AK9*A*1*1*1~"


@pytest.mark.parametrize(
    ("version", "code", "written"),
    [
        ("005010", "18", "AK5*R*18~"),
        ("004010", "18", "AK5*R*6~"),
        (GUIDE, "18", "IK5*R*18~"),
        ("005010", "19", "AK5*R*19~"),
        ("004010", "19", "AK5*R*6~"),
        (GUIDE, "19", "IK5*R*I6~"),
        ("004010", "1", "AK5*R*1~"),
    ],
)
def test_the_code_of_a_set_is_that_of_the_form(version: str, code: str, written: str) -> None:
    document = a_document(version, a_set(), group_id="IN")
    text = the_ack(document, {1: SetResult(codes=(code,))})
    assert inside(text, "AK2").startswith(written)


def test_at_most_five_codes_are_written_in_ascending_order() -> None:
    broken = ("ST*85*1", "SE*9*2")
    result = a_result(an_error("BEG", 2, "3"))
    result.codes = ("18", "1", "6")
    text = the_ack(a_document("005010", broken), {1: result})
    assert inside(text, "AK2") == "AK3*BEG*2**3~AK5*R*1*3*4*5*6~AK9*R*1*1*0~"


@pytest.mark.parametrize(("version", "code"), [("004010", "6"), ("005010", "19")])
def test_a_repeated_group_number_has_a_code_since_005010(version: str, code: str) -> None:
    group = (f"GS*PO*THEM*US*20240115*0930*7*X*{version}", *a_set(), "GE*1*7")
    document = interchange(*group, *group, "IEA*2*000000101")
    text = the_ack(document)
    assert text.count("~AK9*") == 2
    assert f"AK9*R*1*1*0*{code}~" in text
    assert text.count("AK2*") == 1


def test_groups_share_a_group_of_acknowledgements_where_version_and_addresses_agree() -> None:
    def group(number: int, version: str, sender: str = "THEM", kind: str = "PO") -> list[str]:
        gs = f"GS*{kind}*{sender}*US*20240115*0930*{number}*X*{version}"
        return [gs, *a_set(), f"GE*1*{number}"]

    document = interchange(
        *group(1, "004010"), *group(2, GUIDE), *group(3, "004010"),
        *group(4, "004010", "OTHER"), *group(5, "004010", kind="FA"), "IEA*5*000000101",
        head=isa(e12="00501", e11="^"),
    )  # fmt: skip
    names = ("GS", "ST", "AK1", "GE", "IEA")
    written = [each for each in the_ack(document).split("~") if each.split("*")[0] in names]
    assert written == [
        "GS*FA*US*THEM*20240115*0930*1*X*004010",
        "ST*997*0001", "AK1*PO*1", "ST*997*0002", "AK1*PO*3", "GE*2*1",
        "GS*FA*US*THEM*20240115*0930*2*X*005010X231A1",
        "ST*999*0001*005010X231A1", f"AK1*PO*2*{GUIDE}", "GE*1*2",
        "GS*FA*US*OTHER*20240115*0930*3*X*004010",
        "ST*997*0001", "AK1*PO*4", "GE*1*3",
        "IEA*3*000000001",
    ]  # fmt: skip


def test_a_group_with_a_set_that_is_held_is_not_acknowledged() -> None:
    unknown = ("GS*PO*THEM*US*20240115*0930*8*X*004010", *a_set(), "GE*1*8")
    known = ("GS*PO*THEM*US*20240115*0930*7*X*004010", *a_set(), "GE*1*7")
    walk = walked(interchange(*known, *unknown, "IEA*2*000000101"))
    (received,) = received_interchanges(walk.envelope, {1: SetResult(is_checked=True)})
    plan = plan_acks(received, AckProfile(unknown_sets=UnknownSets.HOLD))
    assert plan is not None
    answered = [group.summary.header[6] for each in plan.groups for group in each.answered]
    assert answered == ["7"]


def test_numbers_and_time_are_those_of_the_caller() -> None:
    walk = walked(a_document("004010", a_set()))
    (received,) = received_interchanges(walk.envelope, {})
    plan = plan_acks(received, AckProfile(unknown_sets=UnknownSets.ACCEPT))
    assert plan is not None
    numbers = AckNumbers(
        interchange="000000077",
        groups=("000000055",),
        sets=(("0012",),),
        date="20260115",
        time="140509",
    )
    segments = write_acks(plan, numbers).text.split("~")
    assert segments[0].split("*")[9:14] == ["260115", "1405", "U", "00401", "000000077"]
    assert segments[1] == "GS*FA*US*THEM*20260115*140509*000000055*X*004010"
    assert segments[2] == "ST*997*0012"
    assert segments[-4:] == ["SE*6*0012", "GE*1*000000055", "IEA*1*000000077", ""]


def test_each_interchange_has_an_acknowledgement_under_its_own_separators() -> None:
    first, second = acknowledgements(case(13))
    assert first[1].text.startswith(HEAD + GROUP)
    assert second[1].text.endswith("AK1|PO|102'AK2|850|0001'AK5|A'AK9|A|1|1|1'SE|6|0001'"
                                   "GE|1|1'IEA|1|000000001'")  # fmt: skip
    assert second[1].text[105] == "'"


def test_a_release_character_is_not_taken_over() -> None:
    text = the_ack(case(38))
    assert "ISX" not in text
    assert inside(text, "ST") == "AK1*PO*101*007040~AK2*850*0001~AK5*A~AK9*A*1*1*1~"


@pytest.mark.parametrize(
    ("elements", "written"),
    [
        ({"e12": "00901"}, {12: "00401"}),
        ({"e15": "X"}, {15: "T"}),
        ({"e15": " "}, {15: "T"}),
        ({"e9": "9901X1"}, {9: "000101"}),
        ({"e9": "990101"}, {9: "990101"}),
        ({"e10": "25:0"}, {10: "0000"}),
        ({"e5": "Z ", "e6": ""}, {7: "Z ", 8: " " * 15}),
        ({"e11": "A"}, {11: "U"}),
    ],
)
def test_an_isa_with_faults_is_answered_by_one_without(
    elements: dict[str, str], written: dict[int, str]
) -> None:
    text = the_ack(a_document("004010", a_set(), e14="1", **elements))
    isa = text.split("~")[0].split("*")
    assert {at: isa[at] for at in written} == written
    assert [len(each) for each in isa[1:]] == [2, 10, 2, 10, 2, 15, 2, 15, 6, 4, 1, 5, 9, 1, 1, 1]


def test_ids_beyond_their_width_are_cut() -> None:
    document = a_document("004010", a_set()).replace("ZZ*SENDER         *", "ZZ*" + "S" * 40 + "*")
    text = the_ack(document, profile=ON_ERROR)
    assert text.split("~")[0].split("*")[8] == "S" * 15
    assert text.split("~")[1] == "TA1*000000101*240115*0930*R*022"


def test_an_old_date_keeps_its_century() -> None:
    text = the_ack(a_document("004010", a_set(), e9="990101"))
    assert text.split("~")[1].split("*")[4] == "19990101"


def test_names_that_hold_a_separator_change_the_separators() -> None:
    text = the_ack(a_document("004010", a_set(), group_id="P>"))
    assert text[104] == ":"
    assert inside(text, "ST").startswith("AK1*P>*101~")


def test_names_that_hold_every_separator_are_made_fit() -> None:
    everything = "".join(chr(code) for code in range(1, 0x7F) if not chr(code).isalnum())
    number = "".join(mark for mark in everything if mark not in "*~\r\n\t ")
    text = the_ack(a_document("004010", a_set()).replace("*101*X", f"*{number}*X"))
    name = inside(text, "ST").split("~")[0].split("*")[2]
    assert len(name) == len(number)
    assert name.isprintable()
    assert ">" not in name
