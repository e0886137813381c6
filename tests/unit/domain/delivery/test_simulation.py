"""The simulator partner: each word of a script, and answers that any partner could send."""

from datetime import timedelta

import pytest

from longshore.domain.delivery.ports import Reply
from longshore.domain.delivery.simulation import ACCEPT, Script, Word, read_script, simulate
from longshore.engine import validate
from longshore.engine.parse import parse
from longshore.kit.errors import LongshoreError


def sets(*ids: str) -> str:
    return "".join(f"ST*850*{each}~BEG*00*SA*PO-{each}**20260115~SE*3*{each}~" for each in ids)


def group(body: str, number: str, count: int, version: str = "004010") -> str:
    head = f"GS*PO*ACME*NWRETAIL*20260115*1405*{number}*X*{version}~"
    return f"{head}{body}GE*{count}*{number}~"


def document(*groups: str, number: str = "000000123", asks: str = "0", usage: str = "T") -> bytes:
    names = "*ZZ*ACMECORP       *01*123456789      "
    head = f"ISA*00*          *00*          {names}*260115*1405*U*00401*{number}*{asks}*{usage}*>~"
    return f"{head}{''.join(groups)}IEA*{len(groups)}*{number}~".encode()


ONE = document(group(sets("0001"), "7", 1))
TWO = document(group(sets("0001", "0002"), "7", 2))


def answers(content: bytes, script: str) -> list[str]:
    found = read_script(script)
    assert found is not None
    return [each.content.decode() for each in simulate(content, found)]


def body(answer: str) -> str:
    """Return what stands between ST and SE of the first set."""
    return answer.partition("~AK1*")[2].partition("~SE*")[0]


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("accept", ACCEPT),
        ("reject", Script(Word.REJECT)),
        ("reject:4", Script(Word.REJECT, "4")),
        ("reject:I5", Script(Word.REJECT, "I5")),
        ("late", Script(Word.LATE, delay=timedelta(seconds=60))),
        ("late:3600", Script(Word.LATE, delay=timedelta(hours=1))),
        ("late:I5", None),
        ("reject:1234", None),
        ("accept:1", None),
        ("never ", None),
        ("Accept", None),
        ("refuse", None),
        ("", None),
        ("late:1٣", None),
    ],
)
def test_a_script_is_a_word_and_what_belongs_to_it(text: str, script: Script | None) -> None:
    assert read_script(text) == script


def test_each_word_is_read() -> None:
    assert [read_script(each.value) is not None for each in Word] == [True] * len(Word)


@pytest.mark.parametrize(
    ("script", "content", "said"),
    [
        ("accept", ONE, "PO*7~AK2*850*0001~AK5*A~AK9*A*1*1*1"),
        ("late", ONE, "PO*7~AK2*850*0001~AK5*A~AK9*A*1*1*1"),
        ("accept", TWO, "PO*7~AK2*850*0001~AK5*A~AK2*850*0002~AK5*A~AK9*A*2*2*2"),
        (
            "accept_with_errors",
            ONE,
            "PO*7~AK2*850*0001~AK3*BEG*2**8~AK4*1**7*00~AK5*E*5~AK9*E*1*1*1",
        ),
        ("reject", ONE, "PO*7~AK2*850*0001~AK3*BEG*2**8~AK4*1**7*00~AK5*R*5~AK9*R*1*1*0"),
        ("reject:5", ONE, "PO*7~AK2*850*0001~AK3*BEG*2**8~AK4*1**7*00~AK5*R*5~AK9*R*1*1*0"),
        ("reject:4", TWO, "PO*7~AK2*850*0001~AK5*R*4~AK2*850*0002~AK5*R*4~AK9*R*2*2*0"),
        ("partial", ONE, "PO*7~AK9*P*1*1*0"),
        ("partial", TWO, "PO*7~AK2*850*0002~AK3*BEG*2**8~AK4*1**7*00~AK5*R*5~AK9*P*2*2*1"),
    ],
)
def test_the_script_decides_the_verdict(script: str, content: bytes, said: str) -> None:
    (answer,) = answers(content, script)
    assert body(answer) == said


@pytest.mark.parametrize("script", [each.value for each in Word if each is not Word.BROKEN])
def test_its_acknowledgements_are_valid_and_addressed_back(script: str) -> None:
    for answer in answers(TWO, script):
        assert validate(answer).findings == ()
        fields = parse(answer).fields
        assert (fields["ISA.06"].strip(), fields["ISA.08"].strip()) == ("123456789", "ACMECORP")
        assert (fields["GS.02"], fields["GS.03"]) == ("NWRETAIL", "ACME")


def test_the_same_document_has_the_same_answer_with_numbers_of_its_own() -> None:
    first, second = (
        document(group(sets("0001"), "7", 1), number=each) for each in ("000000001", "000000002")
    )
    numbers = [parse(answers(each, "accept")[0]).fields["ISA.13"] for each in (first, second)]
    assert numbers == ["000000003", "000000005"]
    assert simulate(first, ACCEPT) == simulate(first, ACCEPT)


def test_a_duplicate_has_the_same_content_in_another_interchange() -> None:
    one, other = answers(ONE, "duplicate")
    assert body(one) == body(other)
    numbers = [parse(each).fields["ISA.13"] for each in (one, other)]
    assert numbers == ["000000247", "000000248"]


def test_a_control_number_that_is_none_leads_to_one() -> None:
    odd = document(group(sets("0001"), "7", 1), number="AB-12    ")
    number = parse(answers(odd, "accept")[0]).fields["ISA.13"]
    assert number.isdecimal()
    assert len(number) == 9


def test_late_answers_come_that_much_later() -> None:
    found = simulate(ONE, Script(Word.LATE, delay=timedelta(seconds=9)))
    assert [each.delay for each in found] == [timedelta(seconds=9)]
    assert simulate(ONE, Script(Word.NEVER)) == ()


def test_a_broken_answer_ends_before_the_result_of_the_group() -> None:
    (broken,) = answers(ONE, "broken")
    assert answers(ONE, "accept")[0].startswith(broken)
    assert broken.endswith("AK5*A~")
    assert not validate(broken).is_valid


def test_the_form_follows_the_version_of_the_group() -> None:
    new = document(group(sets("0001"), "7", 1, "005010X222A1"))
    (answer,) = answers(new, "reject")
    assert "ST*999*0001*005010X231A1~" in answer
    assert "IK5*R*5~" in answer


def test_a_ta1_comes_with_it_where_one_is_asked_for() -> None:
    asking = document(group(sets("0001"), "7", 1), asks="1")
    assert "TA1*000000123*260115*1405*A*000~" in answers(asking, "accept")[0]


def test_faults_of_the_document_do_not_matter() -> None:
    faulty = ONE.replace(b"SE*3*0001", b"SE*9*0002").replace(b"GE*1*7", b"GE*3*8")
    assert body(answers(faulty, "accept")[0]) == "PO*7~AK2*850*0001~AK5*A~AK9*A*3*1*1"


@pytest.mark.parametrize(
    ("_case", "content", "count"),
    [
        ("an acknowledgement", ONE.replace(b"GS*PO*", b"GS*FA*"), 0),
        ("two interchanges", ONE + TWO, 2),
        ("information only", document(group(sets("0001"), "7", 1), usage="I"), 0),
        ("no sets", document(group("", "7", 0)), 1),
        ("a fragment", sets("0001").encode(), 0),
    ],
)
def test_as_many_answers_as_interchanges_that_need_one(
    _case: str, content: bytes, count: int
) -> None:
    assert [len(answers(content, each)) for each in ("accept", "partial", "reject")] == [count] * 3
    assert len(answers(content, "accept_with_errors")) == count


def test_a_set_without_body_is_rejected_without_a_note() -> None:
    empty = document(group("ST*850*0001~", "7", 1))
    assert "AK5*R*5~AK9*R*1*1*0" in body(answers(empty, "reject")[0])


def test_other_letters_come_back_as_they_came() -> None:
    latin = ONE.replace(b"ACME*NW", "ACMÉ*NW".encode("iso-8859-1"))
    (answer,) = simulate(latin, ACCEPT)
    assert isinstance(answer, Reply)
    assert "*ACMÉ*".encode("iso-8859-1") in answer.content


def test_what_is_no_document_is_refused() -> None:
    with pytest.raises(LongshoreError, match="empty"):
        simulate(b"", ACCEPT)
