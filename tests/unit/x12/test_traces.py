"""The numbers by which responses name their requests: where they are, and in which sets."""

import pytest

from longshore.x12.traces import (
    MAX_TRACES,
    PairingRole,
    SetTraces,
    Trace,
    TraceCollector,
    TraceKind,
    TraceReader,
)
from longshore.x12.walk import Walk
from tests.unit.x12.documents import interchange

REFERENCE, TRACE = TraceKind.REFERENCE, TraceKind.TRACE
Short = tuple[PairingRole, str, list[Trace]]


def found(set_id: str, body: str, guide: str = "") -> SetTraces | None:
    reader = TraceReader(set_id, guide)
    for position, text in enumerate(f"ST*{set_id}*0001~{body}".split("~"), 1):
        reader.take(position, text.split("*"))
    return reader.found()


def short(set_id: str, body: str) -> Short | None:
    traces = found(set_id, body)
    if traces is None:
        return None
    assert traces.total == len(traces.traces)
    return traces.role, traces.request_set, list(traces.traces)


ELIGIBILITY = (
    "BHT*0022*13*REF-1*20240115*0930~TRN*1*STRAY~HL*1**20*1~NM1*PR*2*P~TRN*1*SOURCE~HL*2*1*21*1~"
    "HL*3*2*22*1~TRN*1* S-1 *9ORIGIN~TRN*1*S-2*9ORIGIN~NM1*IL*1*DOE~HL*4*3*23*0~TRN*1*D-1*9ORIGIN"
    "~TRN*1*S-1*9ORIGIN~TRN*1**9ORIGIN~EQ*30"
)


def test_a_270_has_its_bht03_and_the_numbers_of_its_persons_each_once() -> None:
    assert short("270", ELIGIBILITY) == (
        PairingRole.REQUEST,
        "270",
        [
            (REFERENCE, "REF-1", "BHT03", 2),
            (TRACE, "S-1", "TRN02", 9),
            (TRACE, "S-2", "TRN02", 10),
            (TRACE, "D-1", "TRN02", 13),
        ],
    )


def test_a_271_has_the_numbers_it_gives_back_and_not_its_own() -> None:
    answer = "BHT*0022*11*REF-1~HL*3*2*22*0~TRN*1*PAYER-9*9P~TRN*2*S-1*9ORIGIN~EB*1"
    assert short("271", answer) == (
        PairingRole.RESPONSE,
        "270",
        [(REFERENCE, "REF-1", "BHT03", 2), (TRACE, "S-1", "TRN02", 5)],
    )


def test_a_277_gives_the_bht03_of_the_276_back_in_trn02_of_the_receiver() -> None:
    assert short("276", "BHT*0010*13*REF-1~HL*1**20*1~HL*4*3*22*0~TRN*1*C-1") == (
        PairingRole.REQUEST,
        "276",
        [(REFERENCE, "REF-1", "BHT03", 2), (TRACE, "C-1", "TRN02", 5)],
    )
    levels = "HL*2*1*21*1~TRN*2*REF-1~HL*3*2*19*1~TRN*1*0~TRN*2*X~HL*4*3*22*1~TRN*2*C-1~HL*5*4*23"
    assert short("277", f"BHT*0010*08*PAYER-7*20240115*0930*DG~{levels}~TRN*2*C-2") == (
        PairingRole.RESPONSE,
        "276",
        [
            (REFERENCE, "REF-1", "TRN02", 4),
            (TRACE, "C-1", "TRN02", 9),
            (TRACE, "C-2", "TRN02", 11),
        ],
    )
    assert short("277", "BHT*0010*08*P*20240115*0930*DG~HL*2*1*21*1~TRN*2*0") == (
        PairingRole.RESPONSE,
        "276",
        [],
    )


@pytest.mark.parametrize(
    ("purpose", "role"),
    [("13", "request"), ("01", "request"), ("36", "request"), ("11", "response")],
)
def test_bht02_tells_the_request_of_a_278_from_its_response(purpose: str, role: str) -> None:
    given = "1" if role == "request" else "2"
    levels = f"HL*4*3*EV*1~TRN*{given}*E-1~HL*5*4*SS*0~TRN*{given}*S-1~TRN*{3 - int(given)}*OTHER"
    assert short("278", f"BHT*0007*{purpose}*REF-1~{levels}") == (
        PairingRole(role),
        "278",
        [(REFERENCE, "REF-1", "BHT03", 2), (TRACE, "E-1", "TRN02", 4), (TRACE, "S-1", "TRN02", 6)],
    )


def test_other_277s_and_278s_and_sets_without_bht_are_of_no_pair() -> None:
    claims = "BHT*0085*08*R*20240115*0930*TH~HL*2*1*21*1~TRN*2*BATCH-1"
    assert found("277", claims) is None
    assert found("278", "BHT*0007*14*REF-1") is None
    assert found("278", "BHT*0007*13*REF-1", "005010X216") is None
    assert found("278", "BHT*0007*13*REF-1", "005010X217") is not None
    assert found("270", "HL*3*2*22*1~TRN*1*S-1~BHT*0022*13*REF-1") is None


def test_more_numbers_than_are_compared_are_counted() -> None:
    persons = "~".join(f"TRN*1*S-{number}" for number in range(MAX_TRACES + 2))
    traces = found("270", f"BHT*0022*13~HL*3*2*22*1~{persons}~TRN*1*S-0")
    assert traces is not None
    assert (len(traces.traces), traces.total) == (MAX_TRACES, MAX_TRACES + 2)
    assert traces.traces[-1].value == f"S-{MAX_TRACES - 1}"


def test_all_sets_of_a_document_are_read_and_the_guide_is_that_of_the_group() -> None:
    def group(version: str, *sets: str) -> str:
        return f"GS*HI*A*B*20240115*0930*7*X*{version}~{'~'.join(sets)}~GE*{len(sets)}*7"

    def one(set_id: str, number: str, body: str, guide: str = "") -> str:
        head = f"ST*{set_id}*{number}{'*' if guide else ''}{guide}"
        return f"{head}~{body}~SE*{body.count('~') + 3}*{number}"

    text = interchange(
        group("004010X094A1", one("278", "0001", "BHT*0078*13*R-1"), one("850", "0002", "BEG*00")),
        group("005010X216", one("278", "0001", "BHT*0007*13*R-2")),
        group("005010X216", one("278", "0001", "BHT*0007*13*R-3", "005010X217")),
        "IEA*3*000000101",
    )
    collector = TraceCollector()
    for spans in Walk(lambda: (text,)).span_lists():
        collector.add(spans)
    assert {
        index: [each.value for each in traces.traces] for index, traces in collector.found().items()
    } == {1: ["R-1"], 4: ["R-3"]}
