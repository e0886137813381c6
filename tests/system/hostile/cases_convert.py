"""Rules made to hurt whoever runs them, and documents that are not what rules expect.

Each is posted to convert, and to the doors of saved maps that run or keep rules too.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any

from tests.support.live_server import Wire
from tests.support.users import PASSWORD
from tests.system.hostile.attack import Case, Expected, a_request
from tests.system.hostile.cases_judged import A_SET, sets
from tests.system.hostile.victim import Victim

CONVERT, PREVIEW, MAPS = "/api/v1/convert", "/api/maps/preview", "/api/maps"
EDITOR, NEIGHBOUR = "editor@demo.example", "owner@northwind.example"
DONE = Expected(200)
RULE = Expected(400, "invalid_mapping_rule", "invalid_mapping_rule")
LIMIT = Expected(400, "limit_exceeded", "limit_exceeded")
JSON = Expected(400, "invalid_json", "invalid_json")
NOT_FOUND = Expected(404, "not_found")
ORDER = "ST*850*0001~BEG*00*SA*PO-1**20260115~PO1*1*48*EA*12.75**BP*A-1~PO1*2*4*EA*1~SE*5*0001~"
NUMBER = {"src": "BEG.03", "tgt": "number"}
HUGE = 10**400

Members = dict[str, object]
Check = Callable[[dict[str, Any]], None]


@cache
def session_of(victim: Victim, email: str) -> tuple[str, ...]:
    """Log in, and return the header lines of what a page sends."""
    body = json.dumps({"email": email, "password": PASSWORD}).encode()
    with Wire(victim.port) as wire:
        wire.send(a_request("", "POST", "/api/session", body=body))
        answer = wire.answer("POST", "/api/session")
    cookie = answer.headers["set-cookie"].partition(";")[0]
    return (f"Cookie: {cookie}", f"X-CSRF-Token: {answer.json()['csrf_token']}")


def as_user(
    path: str,
    body: Callable[[], bytes],
    victim: Victim,
    *,
    email: str = EDITOR,
    method: str = "POST",
) -> bytes:
    return a_request("", method, path, *session_of(victim, email), body=body())


def as_key(body: Callable[[], bytes], victim: Victim) -> bytes:
    return a_request(victim.keys.sandbox, "POST", CONVERT, body=body())


def encoded(members: Callable[[], Members]) -> bytes:
    return json.dumps(members()).encode()


def converting(
    name: str,
    members: Callable[[], Members],
    expected: Expected = DONE,
    *,
    cpu_seconds: float = 2,
    check: Check | None = None,
) -> Case:
    """Return the case of converting; ``ORDER`` and one rule stand for what is not given."""

    def body() -> bytes:
        return encoded(lambda: {"document": ORDER, "field_map": [NUMBER]} | members())

    return Case(
        name=f"convert: {name}",
        request=partial(as_key, body),
        answers=(expected,),
        path=CONVERT,
        cpu_seconds=cpu_seconds,
        check=check,
    )


def everywhere(
    name: str,
    members: Callable[[], Members],
    expected: Expected,
    *,
    kept: Expected | None = None,
    cpu_seconds: float = 2,
) -> Iterator[Case]:
    """Yield the same at convert, at preview, and at a new map, which keeps rules without data."""
    yield converting(name, members, expected, cpu_seconds=cpu_seconds)
    for path, answer in ((PREVIEW, expected), (MAPS, kept or expected)):
        yield Case(
            name=f"{path.rpartition('/')[2]}: {name}",
            request=partial(as_user, path, partial(encoded, partial(_sent_to, path, members))),
            answers=(answer,),
            path=path,
            cpu_seconds=cpu_seconds,
        )


def _sent_to(path: str, members: Callable[[], Members]) -> Members:
    given = {"field_map": [NUMBER]} | members()
    if path == PREVIEW:
        return {"document": ORDER} | given
    document = given.pop("document", None)
    given.pop("explain", None)
    given.pop("split", None)
    for name, short in (("source_format", "source_fmt"), ("target_format", "target_fmt")):
        if name in given:
            given[short] = given.pop(name)
    return {"name": "hostile"} | given | ({} if document is None else {"target_sample": ""})


def rules(*given: object) -> Callable[[], Members]:
    return lambda: {"field_map": list(given)}


def growing(*operations: Mapping[str, object]) -> Callable[[], Members]:
    return rules(NUMBER | {"then": list(operations)})


# ---- rules -------------------------------------------------------------------------------------


def _sizes() -> Iterator[Case]:
    """Yield rules that are too many, too deep or too long."""
    many = [{"const": "x", "tgt": f"a{at}"} for at in range(10_001)]
    yield from everywhere("10,001 rules", rules(*many), LIMIT)
    yield from everywhere("10,000 rules", rules(*many[1:]), DONE, cpu_seconds=8)
    same = [{"src": f"N1[{at}].03", "tgt": "a"} for at in range(1, 10_001)]
    yield from everywhere("10,000 rules of one target", rules(*same), DONE, cpu_seconds=8)
    crossed = [{"const": "x", "tgt": f"a{'.b' * (at % 30)}"} for at in range(10_000)]
    yield from everywhere("10,000 rules in one another's way", rules(*crossed), RULE, cpu_seconds=8)
    unread = [{"src": "!", "tgt": "a"}] * 10_000
    yield from everywhere("10,000 bad rules", rules(*unread), RULE, cpu_seconds=8)
    yield from everywhere("a target 33 deep", rules({**NUMBER, "tgt": ".".join("a" * 33)}), LIMIT)
    yield from everywhere("a target 32 deep", rules({**NUMBER, "tgt": ".".join("a" * 32)}), DONE)
    yield from everywhere("index 100,001", rules({**NUMBER, "tgt": "a[100001]"}), LIMIT)
    yield from everywhere(
        "index 100,000 of nothing", rules({**NUMBER, "tgt": "a[100000]"}), LIMIT, kept=DONE
    )
    for kind, path, written in (
        ("of one name", "B" * 2**20, DONE),
        ("of >", "N1>" * 350_000, RULE),
        ("of [", "[" * 2**20, RULE),
        ("of digits", "BEG." + "9" * 2**20, DONE),
        ("of occurrences", "N1" + "[1]" * 350_000, LIMIT),
        ("of qualifiers", "N1" + "[01=ST]" * 150_000, RULE),
    ):
        name = f"path of 1 MiB {kind}"
        yield from everywhere(f"a source {name}", rules({**NUMBER, "src": path}), RULE)
        yield from everywhere(f"a target {name}", rules({**NUMBER, "tgt": path}), written)
    steps = [{"op": "replace", "find": "a", "with": "b"}] * 10_000
    yield from everywhere("then of 10,000", growing(*steps), RULE)
    for depth in (2_000, 1_000_000):
        constant = b"[" * depth + b"]" * depth
        body = b'{"document":"x","field_map":[{"tgt":"a","const":%s}]}' % constant
        yield Case(
            name=f"convert: a constant {depth:,} deep",
            request=partial(as_key, partial(bytes, body)),
            answers=(JSON,),
            path=CONVERT,
        )


def _growth() -> Iterator[Case]:
    """Yield rules that make much of little."""
    double = {"op": "replace", "find": "P", "with": "PP"}
    yield converting("growth by replace", growing(*[double] * 100), LIMIT, cpu_seconds=5)
    pads = [{"op": "pad", "len": 2**20, "char": char} for char in "ab"]
    yield converting("growth by pad", growing(pads[0], {**double, "find": "a"}), LIMIT)
    yield converting("pad beyond all bounds", growing({**pads[0], "len": HUGE}), RULE)
    wide = [{**NUMBER, "tgt": f"a{at}", "then": pads[:1]} for at in range(100)]
    yield converting("100 pads of 1 MiB", rules(*wide), LIMIT, cpu_seconds=10)
    joined = {"src": ["BEG.03"] * 10_000, "tgt": "a", "join": "j" * 10_000}
    yield converting("growth by join", rules(joined), LIMIT, cpu_seconds=5)
    lines = "".join(f"PO1*{at}*1*EA~" for at in range(20_000))
    nested = rules({"src": "PO1[*].01", "tgt": "a[*]", "then": [{"op": "pad", "len": 10_000}]})
    yield converting(
        "20,000 pads of 10,000",
        lambda: {"document": f"ST*850*1~{lines}"} | nested(),
        LIMIT,
        cpu_seconds=20,
    )


def _values() -> Iterator[Case]:
    """Yield rules whose members are not what they should be."""
    for name, given in (
        ("a rule that is null", None),
        ("a rule that is a list", [NUMBER]),
        ("NUL in a source", {**NUMBER, "src": "BEG\0.03"}),
        ("a wildcard too many", {"src": "PO1[*].02", "tgt": "a"}),
        ("a wildcard too few", {"src": "BEG.03", "tgt": "a[*]"}),
        ("wildcards in turns", {"src": "PO1[*].02", "tgt": "a[*].b[*]"}),
        ("a huge constant index", {**NUMBER, "tgt": f"a[{HUGE}]"}),
        ("other digits in an index", {**NUMBER, "tgt": "a[\u0661]"}),
        ("a huge element", {**NUMBER, "src": f"BEG.{HUGE}"}),
        ("a huge scale", {**NUMBER, "then": [{"op": "implied", "scale": HUGE}]}),
        ("a negative index", {**NUMBER, "tgt": "a[-1]"}),
        ("an operation of a code", {**NUMBER, "then": [{"op": "eval", "code": "1"}]}),
        ("dunder members", {**NUMBER, "__class__": "x", "constructor": {}}),
        ("a table that is not there", {**NUMBER, "lookup": {"table_id": "x"}}),
    ):
        yield from everywhere(name, rules(given), RULE)
    for name, good in (
        ("a huge number", {"const": HUGE, "tgt": "a"}),
        ("a tiny number", {"const": 1e-300, "tgt": "a"}),
        ("__proto__", {**NUMBER, "tgt": "__proto__.polluted"}),
        ("NUL in a constant", {"const": "\0", "tgt": "a"}),
        ("NUL in a target", {**NUMBER, "tgt": "a\0b"}),
    ):
        yield from everywhere(name, rules(good), DONE)
    for member in ("src", "tgt", "const", "default"):
        surrogate = rules({**NUMBER, member: "\ud800"})
        yield converting(f"a lone surrogate in {member}", surrogate, JSON)
    rows = {f"k{at}": "v" for at in range(100_000)}
    lookup = rules({**NUMBER, "lookup": {"table": rows}})
    yield converting("a lookup of 100,000 rows", lookup, DONE, cpu_seconds=5)


# ---- documents ---------------------------------------------------------------------------------


def _documents() -> Iterator[Case]:
    """Yield documents that are not what the rules expect, or as large as they get."""
    for form, document in (("json", ORDER), ("xml", ORDER), ("json", "[]x"), ("xml", "{}")):
        expected = Expected(400, "document_unparseable", f"{form}_syntax")
        yield converting(
            f"{document[:4]} as {form}",
            partial(
                dict, document=document, source_format=form, field_map=[{**NUMBER, "src": "a"}]
            ),
            expected,
        )
    no_x12 = Expected(400, "document_not_x12", "document_not_x12")
    yield converting("JSON as X12", lambda: {"document": '{"a":1}'}, no_x12)
    columns = ",".join(f"c{at}" for at in range(100_000))
    yield converting(
        "CSV of 100,000 columns",
        lambda: {
            "document": f"{columns}\n{columns}\n",
            "source_format": "csv",
            "field_map": [{"src": "row[*]/c99999", "tgt": "a[*]"}],
        },
        cpu_seconds=5,
    )
    every = rules(*({"src": "PO1[*].02", "tgt": f"a{at}[*]"} for at in range(1_000)))
    lines = "".join(f"PO1*{at}*1*EA~" for at in range(20_000))
    yield converting(
        "1,000 wildcards over 20,000 lines",
        lambda: {"document": f"ST*850*1~{lines}"} | every(),
        LIMIT,
        cpu_seconds=70,
    )
    yield converting(
        "4,000 sets, split and explained",
        lambda: {"document": sets(4_000, *A_SET), "split": True, "explain": True},
        cpu_seconds=5,
    )
    line = "PO1*1*1*EA*1**BP*A~"
    yield converting(
        "1 MiB explained",
        lambda: {"document": "ST*850*1~" + line * (2**20 // len(line)), "explain": True},
        cpu_seconds=5,
    )
    for form, document in (("json", "{}"), ("csv", "a\n1\n"), ("xml", "<a/>")):
        given = {"document": document, "source_format": form, "split": True}
        members: Callable[[], Members] = partial(
            dict, given, field_map=[{"const": "x", "tgt": "a"}]
        )
        yield converting(f"split of {form}", members)


def _strangers() -> Iterator[Case]:
    """Yield maps that are not the caller's, or nobody's."""
    for number in (0, -1, 2**63 - 1, 2**63, HUGE):
        name = f"map {str(number)[:20]}"
        yield converting(name, partial(dict, map_id=number, save_to_vault=True), NOT_FOUND)
    yield Case(
        name="convert: the map of a neighbour",
        request=_with_a_neighbours_map,
        answers=(NOT_FOUND,),
        path=CONVERT,
    )


def _with_a_neighbours_map(victim: Victim) -> bytes:
    new = partial(encoded, lambda: {"name": "theirs", "field_map": [NUMBER]})
    with Wire(victim.port) as wire:
        wire.send(as_user(MAPS, new, victim, email=NEIGHBOUR))
        made = wire.answer("POST", MAPS)
    assert made.status == 200
    return as_key(
        partial(encoded, lambda: {"document": ORDER, "map_id": made.json()["map"]["id"]}), victim
    )


CASES = (*_sizes(), *_growth(), *_values(), *_documents(), *_strangers())
