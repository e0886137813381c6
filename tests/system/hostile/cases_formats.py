"""JSON, XML and CSV documents made to hurt."""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from tests.system.hostile.attack import Case, Expected, a_request
from tests.system.hostile.cases_x12 import A_MILLION, EMPTY, filling, parsing
from tests.system.hostile.victim import Victim

LIMIT = "limit_exceeded"


def unparseable(detail: str) -> Expected:
    return Expected(400, "document_unparseable", detail)


def _json() -> Iterator[Case]:
    syntax, number, scalar = (
        unparseable(f"json_{kind}") for kind in ("syntax", "number", "scalar")
    )
    deep = Expected(400, LIMIT, LIMIT)
    for case, document, expected in (
        ("nothing", "", EMPTY),
        ("a lone brace", "{", syntax),
        ("NaN", '{"a":NaN}', number),
        ("Infinity", '{"a":-Infinity}', number),
        ("a number alone", "1e999", scalar),
        ("a string alone", '"a"', scalar),
        ("two documents", "{}{}", syntax),
        ("a name twice", '{"a":1,"a":1}', unparseable("json_duplicate_name")),
        ("a name twice, escaped", '{"a":1,"\\u0061":1}', unparseable("json_duplicate_name")),
        ("a lone surrogate", '{"a":"\\ud800"}', unparseable("json_surrogate")),
        ("a lone surrogate as name", '{"\\udc00":1}', unparseable("json_surrogate")),
        ("a raw control character", '{"a":"\x01"}', syntax),
        ("a raw NUL", '{"a":"\0"}', syntax),
        ("a comma too many", '{"a":1,}', syntax),
        ("a leading zero", '{"a":01}', syntax),
        ("other digits", '{"a":\u0661}', syntax),
        ("a comment", '{"a":1}//', syntax),
        ("single quotes", "{'a':1}", syntax),
        ("65 levels", "[" * 65 + "]" * 65, deep),
    ):
        yield parsing(case, document, expected, format="json")
    yield parsing("64 levels", "[" * 64 + "]" * 64, format="json")
    yield parsing("a million levels", lambda: "[" * A_MILLION, deep, format="json")
    yield parsing("a million levels of objects", lambda: '{"a":' * A_MILLION, deep, format="json")
    yield parsing("32 MiB of {", filling("", "{"), syntax, format="json", cpu_seconds=20)
    yield parsing("32 MiB of [", filling("", "["), deep, format="json", cpu_seconds=20)
    yield parsing("32 MiB of one digit run", filling("[", "9", "]"), format="json", cpu_seconds=20)
    yield parsing("32 MiB of one string", filling('["', "a", '"]'), format="json", cpu_seconds=20)
    yield parsing(
        "32 MiB of empty arrays", filling("[", "[],", "1]"), deep, format="json", cpu_seconds=30
    )
    yield parsing(
        "32 MiB of nulls", filling("[", "null,", "1]"), deep, format="json", cpu_seconds=30
    )
    yield parsing("32 MiB of escapes", filling('["', "\\n", '"]'), format="json", cpu_seconds=30)
    yield parsing(
        "400,001 fields", lambda: "[" + "1," * 400_000 + "1]", deep, format="json", cpu_seconds=10
    )
    yield parsing(
        "a long name over many values",
        lambda: json.dumps({"n" * 200_000: [1] * 20_000}),
        deep,
        format="json",
        cpu_seconds=10,
    )
    for value in ("1e999999999", "9" * 5_000, "0." + "0" * 5_000 + "1", "-0.0e-0"):
        yield parsing(
            f"the number {value[:12]}",
            f"[{value}]",
            format="json",
            check=partial(_is_field, "[0]", value),
        )


def _is_field(key: str, value: str, members: dict[str, Any]) -> None:
    assert members["fields"][key] == value


def _xml() -> Iterator[Case]:
    doctype, syntax = unparseable("xml_doctype"), unparseable("xml_syntax")
    deep = Expected(400, LIMIT, LIMIT)
    entities = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10}">' for at in range(1, 10))
    for case, document, expected in (
        ("nothing", "", EMPTY),
        ("a DOCTYPE", "<!DOCTYPE a><a/>", doctype),
        ("billion laughs", f'<!DOCTYPE a [<!ENTITY e0 "ha">{entities}]><a>&e9;</a>', doctype),
        (
            "a local file",
            '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
            doctype,
        ),
        ("a parameter entity", '<!DOCTYPE a [<!ENTITY % p "x"> %p;]><a/>', doctype),
        ("an undeclared entity", "<a>&x;</a>", syntax),
        ("two roots", "<a/><b/>", syntax),
        ("a root that never ends", "<a>", syntax),
        ("an attribute twice", '<a b="1" b="2"/>', syntax),
        ("NUL", "<a>\0</a>", syntax),
        ("a character reference to NUL", "<a>&#0;</a>", syntax),
        ("a character reference to a surrogate", "<a>&#xD800;</a>", syntax),
        ("a reference beyond Unicode", "<a>&#x7fffffff;</a>", syntax),
        ("an unbound prefix", "<x:a/>", syntax),
        ("prose", "hello", syntax),
        ("JSON", "{}", syntax),
        ("65 levels", "<a>" * 65 + "</a>" * 65, deep),
    ):
        yield parsing(case, document, expected, format="xml")
    yield parsing(
        "a lie about its encoding", '<?xml version="1.0" encoding="utf-16"?><a>é</a>', format="xml"
    )
    yield parsing("a million levels", lambda: "<a>" * A_MILLION, deep, format="xml", cpu_seconds=5)
    yield parsing("quadratic entities", _quadratic, doctype, format="xml")
    yield parsing("32 MiB of <", filling("", "<"), syntax, format="xml", cpu_seconds=20)
    yield parsing("32 MiB of text", filling("<a>", "x", "</a>"), format="xml", cpu_seconds=20)
    yield parsing(
        "32 MiB of references", filling("<a>", "&lt;", "</a>"), format="xml", cpu_seconds=40
    )
    yield parsing(
        "32 MiB of comments", filling("<a>", "<!---->", "</a>"), format="xml", cpu_seconds=40
    )
    yield parsing(
        "32 MiB of elements", filling("<a>", "<b/>", "</a>"), deep, format="xml", cpu_seconds=40
    )
    yield parsing(
        "a million attributes",
        lambda: "<a" + "".join(f" b{at}=''" for at in range(A_MILLION)) + "/>",
        deep,
        format="xml",
        cpu_seconds=20,
    )
    yield parsing("a namespace of 1 MiB", lambda: f"<a xmlns='{'u' * 2**20}'/>", deep, format="xml")
    for name, before in (
        ("an external entity", '<!DOCTYPE a [<!ENTITY x SYSTEM "{}">]><a>&x;</a>'),
        ("an external DTD", '<!DOCTYPE a SYSTEM "{}"><a/>'),
        ("a public DTD", '<!DOCTYPE a PUBLIC "-//x//y" "{}"><a/>'),
        ("an external parameter entity", '<!DOCTYPE a [<!ENTITY % p SYSTEM "{}"> %p;]><a/>'),
    ):
        yield Case(
            name=f"xml: {name} at the canary",
            request=partial(_at_the_canary, before),
            answers=(doctype,),
        )
    for name, before in (
        ("XInclude", '<a xmlns:x="http://www.w3.org/2001/XInclude"><x:include href="{}"/></a>'),
        (
            "a schema location",
            (
                '<a xmlns:x="http://www.w3.org/2001/XMLSchema-instance" '
                'x:noNamespaceSchemaLocation="{}"/>'
            ),
        ),
        ("a stylesheet", '<?xml-stylesheet href="{}"?><a/>'),
    ):
        yield Case(
            name=f"xml: {name} at the canary",
            request=partial(_at_the_canary, before),
            answers=(Expected(200),),
        )


def _at_the_canary(before: str, victim: Victim) -> bytes:
    document = before.replace("{}", f"http://127.0.0.1:{victim.canary.port}/x")
    body = json.dumps({"document": document, "format": "xml"}).encode()
    return a_request(victim.keys.sandbox, body=body)


def _quadratic() -> str:
    return f'<!DOCTYPE a [<!ENTITY x "{"x" * 50_000}">]><a>{"&x;" * 50_000}</a>'


def _csv() -> Iterator[Case]:
    syntax, many = unparseable("csv_syntax"), Expected(400, LIMIT, LIMIT)
    for case, document, expected in (
        ("nothing", "", EMPTY),
        ("an open quote", 'a,b\n"1,2\n', syntax),
        ("text behind a quote", 'a\n"b"c', syntax),
        ("one header", "a", Expected(200)),
        ("NUL", "a,b\n\0,1\n", Expected(200)),
        ("formulas", "a\n=cmd|'/c calc'!A1\n@SUM(1)\n", Expected(200)),
        (
            "the same header 1,000 times",
            ",".join(["a"] * 1_000) + "\n" + ",".join(["1"] * 1_000),
            Expected(200),
        ),
        ("only delimiters", ",;|\t" * 100 + "\n", Expected(200)),
        ("line breaks of all kinds", "a\r1\r\n2\n3\x0b4\u20285", Expected(200)),
    ):
        yield parsing(case, document, expected, format="csv")
    yield parsing("a cell of 31 MiB", filling("a\n", "x"), format="csv", cpu_seconds=20)
    yield parsing(
        "a quoted cell of 31 MiB", filling('a\n"', "x", '"'), format="csv", cpu_seconds=20
    )
    yield parsing("32 MiB of quotes", filling("", '"'), format="csv", cpu_seconds=40)
    yield parsing("32 MiB of commas", filling("", ","), many, format="csv", cpu_seconds=20)
    yield parsing("32 MiB of short rows", filling("a\n", "1\n"), many, format="csv", cpu_seconds=40)
    yield parsing(
        "32 MiB of open quotes", filling("a\n", '"\n'), many, format="csv", cpu_seconds=60
    )
    yield parsing(
        "a long name over many rows",
        lambda: "n" * 200_000 + "\n" + "1\n" * 200_000,
        many,
        format="csv",
        cpu_seconds=10,
    )
    yield parsing(
        "a million rows without header",
        lambda: "1\n" * A_MILLION,
        many,
        format="csv",
        csv={"header": False},
        cpu_seconds=10,
    )


CASES = (*_json(), *_xml(), *_csv())
