"""Requests of every operation, good and bad, with marks in whatever they carry."""

import http.client
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any
from urllib.parse import quote, urlsplit

from longshore.http.openapi import openapi_document
from tests.support.definitions import AN_ESL
from tests.system.marks import CONTENT, EMAIL, PASSWORD, marked
from tests.system.server import DEADLINE_SECONDS

COLLEAGUE = "marked.colleague.4718@example.org"
ORDER = (
    f"ST*850*0001~BEG*00*SA*{CONTENT}**20260115~REF*DP*{CONTENT}~PER*BD*{CONTENT}*TE*{CONTENT}~"
    f"N1*ST*{CONTENT}*92*{CONTENT}~N3*{CONTENT}~N4*{CONTENT}*NY*{CONTENT}~"
    f"PO1*1*10*EA*1.5**BP*{CONTENT}~PID*F****{CONTENT}~CTT*1~SE*10*0001~"
)
GOOD_ORDER = (
    f"ST*850*0001~BEG*00*SA*{CONTENT}**20260115~REF*DP*{CONTENT}~"
    f"PO1*1*10*EA*1.5**BP*{CONTENT}~CTT*1~SE*6*0001~"
)
BAD_ORDER = GOOD_ORDER.replace("*SA*", f"*{CONTENT}*")
REJECTION = (
    f"ST*997*0001~AK1*PO*1~AK2*850*0001~AK3*BEG*2**8~AK4*3*324*7*{CONTENT}~"
    "AK5*R*5~AK9*R*1*1*0~SE*8*0001~"
)
QUARANTINED, MAPPED = 5, 9
"""The first interchange that is received, and the record of the good order."""
RULES = [
    {"src": "BEG.03", "tgt": "number"},
    {"src": "PO1[*].07", "tgt": "lines[*].sku", "note": CONTENT},
    {"const": CONTENT, "tgt": "constant"},
    {"src": "N1[01=ST].02", "tgt": "to", "lookup": {"table": {CONTENT: CONTENT}}},
]
MAP = {
    "name": CONTENT,
    "description": CONTENT,
    "note": CONTENT,
    "tx_set": "850",
    "field_map": RULES,
    "lookups": [{"name": "units", "rows": [{"from": CONTENT, "to": CONTENT}]}],
    "sample": {"document": ORDER, "format": "x12"},
    "target_sample": CONTENT,
    "tests": [{"name": CONTENT, "document": ORDER, "expected": f'{{"number":"{CONTENT}"}}'}],
}
WAITING = {
    "name": "Waiting",
    "isa_id": "WAITING",
    "routes": [{"tx_set": "850", "map_id": 1, "save_to_vault": True}],
}
"""A partner without a connection, whose orders go through the map."""
ENDING = {
    *("logOut", "endSession", "deleteUser", "removeMap", "deletePartner"),
    *("revokeKey", "rotateKey"),
}
NEVER_WELL = {"retryTransaction", "retryTransactionInSession", "receiveAs2Receipt"}
"""What takes a delivery that failed for good, which takes days, or a message that was sent."""
EDI = {"content_type": "application/edi-x12"}
INBOUND = re.compile(rb"/edi/receive/([0-9A-Za-z_-]+)")
DOCUMENT = {"document": ORDER}
CONVERSION = {**DOCUMENT, "field_map": RULES, "save_to_vault": True, "explain": True}
SAVED = {**DOCUMENT, "map_id": 1, "save_to_vault": True}


@dataclass(frozen=True)
class Request:
    """One request. ``security``: whose credentials go with it, ``""`` for none of ours."""

    operation: str
    method: str
    template: str
    path: str
    security: str
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def with_body(self, value: object) -> "Request":
        return replace(self, body=json.dumps(value).encode())


@dataclass(frozen=True)
class Reply:
    """An answer: ``text`` is its headers and its body; the cookie it sets stands apart."""

    status: int
    text: bytes
    cookie: str


def sent(address: str, request: Request, headers: Mapping[str, str]) -> Reply:
    """Return the answer to a request on a connection of its own."""
    where = urlsplit(address)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection = http.client.HTTPConnection(where.hostname or "", where.port, DEADLINE_SECONDS)
    with closing(connection):
        with suppress(ConnectionError):  # the answer may come before all of a long body is sent
            connection.request(request.method, request.path, request.body, named)
        with connection.getresponse() as response:
            cookie = response.headers.get("set-cookie", "")
            del response.headers["set-cookie"]
            text = str(response.headers).encode() + response.read()
    return Reply(response.status, text, cookie.partition("=")[2].partition(";")[0])


# Any: the document is JSON of every shape.
def _operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for template, methods in openapi_document()["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), template, operation


@dataclass
class Inbound:
    """The address that documents are received at: that of the partner made last."""

    token: str = "unknown"

    def learn(self, reply: Reply) -> None:
        """Take the address from an answer that shows any."""
        for found in INBOUND.findall(reply.text)[-1:]:
            self.token = found.decode()

    def filled(self, request: Request) -> Request:
        """Return a request with the address in its path."""
        return replace(request, path=request.path.replace("{token}", self.token))


def _request(name: str, body: object = None, *, number: int = 1, query: str = "") -> Request:
    """Return the good request of an operation about the thing of this number."""
    method, template, operation = next(
        each for each in _operations() if each[2]["operationId"] == name
    )
    path = template.replace("{tx_set}", "850").replace("{key}", "850-to-json")
    for parameter in ("id", "map_id", "doc_id", "delivery_id"):
        path = path.replace(f"{{{parameter}}}", str(number))
    (security,) = (next(iter(each)) for each in operation.get("security") or [{"": []}])
    headers = {"if_match": "*"} if _needs(operation, "If-Match") else {}
    made = Request(name, method, template, path + query, security, headers=headers)
    return made if body is None else made.with_body(body)


def _needs(operation: dict[str, Any], header: str) -> bool:
    return any(each.get("name") == header for each in operation.get("parameters", ()))


def first_one(token: str) -> Request:
    """Return what makes the first user."""
    return _request("setUp", {"token": token, "email": EMAIL, "password": PASSWORD})


def good_ones(named: Mapping[str, object] = MappingProxyType({})) -> Iterator[Request]:
    """Yield a request of every operation but the last ones, in this order.

    ``named``: what the map, a key and a partner are called instead of the mark. The path of an
    inbound address has ``{token}`` in it, which ``Inbound`` fills.
    """
    saved_map = {**MAP, **named}
    for name in (
        "ping",
        "listSchemas",
        "showSchema",
        "makeSample",
        "health",
        "readiness",
        "metrics",
    ):
        yield _request(name)
    for name in ("parse", "validate"):
        yield _request(name, DOCUMENT)
    yield _request("logIn", {"email": EMAIL, "password": PASSWORD})
    for name in ("validateInSession", "inspect"):
        yield _request(name, DOCUMENT)
    for name in ("listSchemasInSession", "showSchemaInSession", "makeSampleInSession"):
        yield _request(name)
    for name in ("showSession", "listSessions", "listUsers", "showAccount"):
        yield _request(name)
    for name in ("listStarterMaps", "showStarterMap"):
        yield _request(name)
    yield _request("createUser", {"email": COLLEAGUE, "role": "viewer"})
    yield _request("changeUser", {"email": COLLEAGUE, "role": "editor"}, number=2)
    yield _request("changeAccount", {"retention_days": 90})
    yield _request("createKey", {"name": saved_map["name"], "environment": "sandbox"})
    yield _request("rotateKey", {"overlap_hours": 24}, number=2)
    yield _request("revokeKey", {}, number=2)
    yield _request("listKeys")
    sample = f'{{"number":"{CONTENT}"}}'
    yield _request("suggestRules", {**DOCUMENT, "target_sample": sample})
    yield _request("createMap", saved_map)
    yield _request("saveMap", saved_map)
    yield _request("previewMap", {**DOCUMENT, "field_map": RULES})
    for _ in range(2):
        yield _request("convert", SAVED)
    yield _request("convert", CONVERSION)
    yield _request("restoreMap", {"version": 1, "note": saved_map["note"]})
    for name in ("listMaps", "showMap", "listMapVersions", "lockMap", "unlockMap"):
        yield _request(name)
    yield _request("runMapTests", {"field_map": RULES[:2]})
    yield _request("replayMap", {"last": 5, "field_map": RULES[:1]})
    yield from of_trading(str(saved_map["name"]))
    yield from of_reception()
    yield from of_as2()
    yield from of_webhooks(named)
    yield from of_definitions()
    yield _request("listVault", query=f"?q={CONTENT}")
    yield _request("showDocument", number=2)
    yield _request("showVaultDocument", number=1)
    yield _request("downloadVaultDocument", number=2)
    for name in ("listSamples", "addSamples"):
        yield _request(name)
    yield _request("endSession", number=2)
    # Before the bad ones: they are throttled together.
    yield _request("changePassword", {"old": PASSWORD, "new": PASSWORD[::-1]})


def of_trading(marked_name: str) -> Iterator[Request]:
    """Yield what is asked of partners, the first of which simulates, and of their documents.

    ``marked_name``: of a partner, its trade, and the path of its address.
    """
    connection = {
        "type": "http",
        "url": f"https://partner.example/{quote(marked_name)}",
        "headers": {"X-Key": CONTENT},
        "basic": {"user": "us", "password": PASSWORD},
    }
    partner = {"name": marked_name, "industry": marked_name, "connections": {"test": connection}}
    yield _request("createPartner", partner)
    yield _request("changePartner", partner, number=2)
    sftp = {"type": "sftp", "host": "none.invalid", "user": "us", "password": PASSWORD}
    yield _request("changePartner", partner | {"connections": {"test": sftp}}, number=2)
    yield _request("checkPartnerConnection", {"environment": "sandbox"}, number=2)
    yield _request("changePartner", partner, number=2)
    yield _request("rotatePartnerToken", {"environment": "sandbox"}, number=2)
    for name in ("listPartners", "listPartnersInSession"):
        yield _request(name, query=f"?q={CONTENT}")
    for name in ("showPartner", "showPartnerInSession", "showControlNumbers"):
        yield _request(name, number=2)
    for name in ("listAcks", "listAcksInSession"):
        yield _request(name, query="?tx_set=850")
    yield from of_transactions()


def of_transactions() -> Iterator[Request]:
    """Yield what is asked of documents that wait, since their partner has no connection."""
    yield _request("createPartner", WAITING)
    order = {
        "partner_id": 3,
        "tx_set": "850",
        "direction": "outbound",
        "content": ORDER,
        "on_invalid": "send",
        "business_key": CONTENT,
        "metadata": {"note": CONTENT},
    }
    for number, door in enumerate(("", "InSession"), 1):
        yield _request(f"submitTransaction{door}", order)
        yield _request(f"listTransactions{door}", query=f"?business_key={CONTENT}")
        for name in ("showTransaction", "downloadTransactionContent", "showTransactionTimeline"):
            yield _request(f"{name}{door}", number=number)
        yield _request(f"listTransactionDeliveries{door}", number=number)
    for number, door in enumerate(("", "InSession"), 1):
        for name in ("cancelTransaction", "reissueTransaction"):
            yield _request(f"{name}{door}", {"reason": CONTENT}, number=number)
        yield _request(f"listEvents{door}")
        yield _request(f"redriveTransactions{door}", {"ids": [1, 2]})
    yield _request("listAudit", query="?action=transaction.cancel")
    for name in ("showStats", "showAttention", "exportAcks", "exportInterchanges", "exportAudit"):
        yield _request(name)
    yield _request("exportTransactions", query=f"?business_key={CONTENT}")


def received(body: str) -> Request:
    """Return the request of a partner that sends a document, and waits for what becomes of it."""
    return replace(
        _request("receiveDocuments", query="?wait=1"), body=body.encode(), headers={**EDI}
    )


def of_reception() -> Iterator[Request]:
    """Yield what the partner made last sends, and what is decided about it.

    Of what is no document, of an order with a fault, so that our answer repeats a bad value, of an
    order that a map makes something of, and of an acknowledgement with a bad value of ours.
    """
    for greeting in ("Dear Sir", "Dear Madam"):
        yield received(f"{greeting}, this is {CONTENT}")
    yield received(envelope("PO", BAD_ORDER, 1))
    yield received(envelope("PO", GOOD_ORDER, 2))
    yield received(envelope("FA", REJECTION, 3))
    yield _request("listInterchanges", query="?status=quarantined")
    for name in ("showInterchange", "downloadInterchange"):
        yield _request(name, number=QUARANTINED)
    yield _request("releaseInterchange", {"reason": CONTENT}, number=QUARANTINED)
    yield _request("discardInterchange", {"reason": CONTENT}, number=QUARANTINED + 1)
    for door in ("", "InSession"):
        yield _request(f"downloadTransactionOutput{door}", number=MAPPED)
    yield _request("replayInterchange", {"reason": CONTENT}, number=QUARANTINED + 2)


def of_as2() -> Iterator[Request]:
    """Yield what is asked of an AS2 identity, and a message of somebody unknown."""
    yield _request("createAs2Identity", {"as2_name": "OUR AS2"})
    yield _request("addAs2Key", {})
    for name in ("switchAs2Keys", "dropAs2Key", "listAs2Identities"):
        yield _request(name)
    names = {"as2_from": "THEM", "as2_to": '"OUR AS2"', "message_id": "<1@them>"}
    headers = {**EDI, **names, "disposition_notification_to": "them"}
    yield replace(_request("receiveAs2Message"), body=ORDER.encode(), headers=headers)
    yield _request("deleteAs2Identity")


def of_definitions() -> Iterator[Request]:
    """Yield what is asked of two imported definitions, one by key and one in a session."""
    order_response = AN_ESL.replace("850", "855").replace("PO", "PR")
    for number, session, text in ((1, "", AN_ESL), (2, "InSession", order_response)):
        guide = text.replace("Order of ours", f"{CONTENT} {number}")
        body = {"file": "order.esl", "format": "mulesoft", "content": guide}
        yield _request(f"importDefinition{session}", body)
        yield _request(f"listDefinitions{session}")
        yield _request(f"showDefinition{session}", number=number)
    yield _request("deleteDefinition", number=1)
    yield _request("deleteDefinitionInSession", number=2)


def of_webhooks(named: Mapping[str, object]) -> Iterator[Request]:
    """Yield what is asked of two webhook endpoints, one by key and one in a session.

    ``named``: values that replace the mark, as in ``good_ones``.
    """
    webhook = {
        "url": f"https://erp.example/{'hooks' if named else CONTENT}",
        "description": named.get("note", CONTENT),
        "events": ["control_number.low"],  # so that nothing but what is asked for is sent
    }
    for number, session in enumerate(("", "InSession"), 1):
        yield _request(f"createWebhook{session}", webhook)
        yield _request(f"testWebhook{session}", number=number)
    for number, session in enumerate(("", "InSession"), 1):
        yield _request(f"listWebhooks{session}")
        for name in ("showWebhook", "listWebhookDeliveries", "showWebhookDelivery"):
            yield _request(f"{name}{session}", number=number)
        yield _request(f"changeWebhook{session}", webhook, number=number)
        yield _request(f"rotateWebhook{session}", {"overlap_hours": 1}, number=number)
        yield _request(f"replayWebhookDelivery{session}", number=number)
        period = {"date_from": "2026-01-15"}
        yield _request(f"replayWebhookPeriod{session}", period, number=number)
        yield _request(f"replayEvent{session}", {})
        for name in ("disableWebhook", "enableWebhook", "deleteWebhook"):
            yield _request(f"{name}{session}", number=number)


def of_stored_trade() -> Iterator[Request]:
    """Yield what shows again what was kept of documents, the bad values of both sides with it."""
    for direction in ("inbound", "outbound"):
        yield _request("listAcks", query=f"?direction={direction}")
    for number in (1, MAPPED):
        yield _request("showTransaction", number=number)
    yield _request("showTransactionTimeline")


def envelope(functional_id: str, sets: str, number: int) -> str:
    """Return a test interchange from the partner made last to the account ``demo``."""
    return (
        f"ISA*00*          *00*          *ZZ*WAITING        *ZZ*DEMO           *260115*0930*U*00401"
        f"*{number:09d}*0*T*>~GS*{functional_id}*WAITING*DEMO*20260115*0930*{number}*X*004010~"
        f"{sets}GE*1*{number}~IEA*1*{number:09d}~"
    )


def of_document(number: int) -> Iterator[Request]:
    """Yield what opens a stored document."""
    for name in ("showDocument", "showVaultDocument", "downloadVaultDocument"):
        yield _request(name, number=number)


def last_ones() -> Iterator[Request]:
    """Yield the good requests that end something."""
    yield _request("deleteUser", number=2)
    yield _request("removeMap")
    yield _request("deletePartner", number=2)
    yield _request("metrics")
    yield _request("logOut")


# ---- bad ones ----------------------------------------------------------------------------------


def bad_ones(key: str, secret: str, password: str) -> Iterator[Request]:
    """Yield requests of every operation that are wrong somewhere, or nearly all of them."""
    for method, template, operation in _operations():
        name = operation["operationId"]
        request = _request(name, number=9 if name in ENDING else 1)
        yield from _uninvited(request, key, secret)
        yield from _misdirected(request, operation)
        if "requestBody" in operation and (method, template) != ("POST", "/api/setup"):
            content = operation["requestBody"]["content"].get("application/json", {})
            yield from _malformed(request, content.get("example", {}))
    for wrong in (EMAIL, CONTENT):
        yield _request("logIn", {"email": wrong, "password": password})
    yield _request("setUp", {"token": secret, "email": EMAIL, "password": password})
    yield _request("createUser", {"email": EMAIL, "role": "viewer", "password": password})
    yield _request("createUser", {"email": f"x{EMAIL}", "role": "viewer", "password": CONTENT[:9]})
    yield _request("changePassword", {"old": password, "new": password})
    yield from _documents()
    names = {"as2_from": CONTENT, "as2_to": "US", "message_id": f"<{CONTENT}@them>"}
    report = f"Original-Message-ID: <{CONTENT}@us>\r\nDisposition: {CONTENT}; processed\r\n"
    yield replace(_request("receiveAs2Receipt"), body=report.encode(), headers={**EDI, **names})


def _uninvited(request: Request, key: str, secret: str) -> Iterator[Request]:
    """Yield a request without credentials, and with guessed ones."""
    if request.security:
        yield replace(request, security="")
    for guess in (f"Bearer {key}", f"Basic {key}", CONTENT):
        yield replace(request, security="", headers={"authorization": guess})
    cookie = {"cookie": f"svc_session={secret}", "x_csrf_token": secret}
    yield replace(request, security="", headers=cookie)
    yield replace(request, headers={"x_csrf_token": secret})
    yield replace(request, headers={"origin": f"https://{CONTENT}.example"})


def _misdirected(request: Request, operation: dict[str, Any]) -> Iterator[Request]:
    """Yield a request with marks in its headers and its query."""
    if request.operation in ENDING:
        return
    headers = ("x_environment", "if_match", "accept", "user_agent", "x_request_id", "content_type")
    for name in headers[:-2] if request.body is None else headers:
        yield replace(request, headers=request.headers | {name: f"x/{CONTENT}"})
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "query":
            yield replace(request, path=f"{request.path}?{parameter['name']}={quote(CONTENT)}")
    yield replace(request, path=f"{request.path}?unknown={CONTENT}")


def _malformed(request: Request, example: dict[str, Any]) -> Iterator[Request]:
    """Yield bodies that are no JSON, of the wrong shape, or wrong in one member."""
    mark = CONTENT.encode()
    for body in (
        mark,
        b'"' + mark + b'"',
        b'{"document":"' + mark,
        b'{"document":"' + mark + b'\xff"}',
        b'{"document":"' + mark + b'","document":"' + mark + b'"}',
        b'{"document":"\\ud800' + mark + b'"}',
        b'["' + mark + b'"]',
    ):
        yield replace(request, body=body)
    yield replace(request.with_body(example), headers={"content_type": f"text/{CONTENT}"})
    yield request.with_body(marked(example))
    for name in example or DOCUMENT:
        for wrong in (CONTENT, [CONTENT], {"x": CONTENT}, [[CONTENT]], -1, True):
            yield request.with_body({**example, name: wrong})


BAD_DOCUMENTS: tuple[tuple[str, str], ...] = (
    ("x12", CONTENT),
    ("x12", f"ISA*00*{CONTENT}*00*{CONTENT}"),
    ("x12", f"ISA*{CONTENT}~" * 30),
    ("x12", f"ST*850*1~{CONTENT * 80_000}"),
    ("json", f'{{"{CONTENT}":"{CONTENT}"'),
    ("json", f'{{"{CONTENT}":1,"{CONTENT}":2}}'),
    ("json", f'{{"a":{CONTENT}}}'),
    ("json", f'"{CONTENT}"'),
    ("json", "[" * 70 + f'"{CONTENT}"'),
    ("xml", f"<{CONTENT}>"),
    ("xml", f"<a>&{CONTENT};</a>"),
    ("xml", f'<!DOCTYPE a SYSTEM "{CONTENT}"><a/>'),
    ("xml", f"<a><{CONTENT}></b></a>"),
    ("csv", f'{CONTENT}\n"{CONTENT}'),
    ("csv", f'a\n"b"{CONTENT}'),
)
# No mark is the name of a transform, of a member or of a parameter: a refusal repeats those.
BAD_RULES: tuple[Mapping[str, object], ...] = (
    {"src": "BEG.03", "tgt": "a", "transform": "unheard of"},
    {"src": "BEG.03", "tgt": "a", "type": "number"},
    {"src": "BEG.03", "tgt": "a", "type": "boolean", "required": True},
    {"src": "BEG.09", "tgt": CONTENT, "required": True},
    {"src": "BEG.03", "tgt": "a", "transform": "date_iso", "required": True},
    {"src": "BEG.03", "tgt": "a", "lookup": {"table": {"x": CONTENT}, "on_missing": "error"}},
    {"src": f"{CONTENT}[", "tgt": "a"},
    {"src": CONTENT, "tgt": "a..b"},
    {"src": "BEG.03", "tgt": f"{CONTENT}["},
    {"src": [CONTENT, "BEG.03"], "tgt": "a", "then": [{"op": CONTENT}]},
    {"src": "BEG.03", "tgt": "a", "then": [{"op": "pad", "length": CONTENT, "char": CONTENT}]},
    {"src": "BEG.03", "tgt": "a", "then": [{"op": "date", "from": CONTENT, "to": CONTENT}]},
    {"src": "BEG.03", "tgt": "a", "when": CONTENT},
    {"src": "BEG.03", "tgt": "a", "lookup": {"table_id": CONTENT}},
    {"const": {"a": CONTENT}, "tgt": "a"},
    {"src": "PO1[*].07", "tgt": CONTENT},
    {"src": "BEG.03", "tgt": "a", "default": [CONTENT]},
)


def _documents() -> Iterator[Request]:
    """Yield documents that cannot be read, and rules that cannot be used on one that can."""
    for name, document in BAD_DOCUMENTS:
        body: dict[str, object] = {"document": document}
        yield _request("parse", {**body, "format": name})
        yield _request("validate", body)
        for operation in ("convert", "previewMap"):
            yield _request(operation, {**body, "source_format": name, "field_map": RULES})
    for rule in BAD_RULES:
        rules = {"field_map": [*RULES, rule]}
        yield _request("convert", {**CONVERSION, **rules})
        yield _request("previewMap", {**DOCUMENT, **rules})
        yield _request("createMap", {**MAP, **rules})
        yield _request("saveMap", {**MAP, **rules})
        yield _request("runMapTests", rules)
    for target in ("x12", "xml", "csv"):
        one = {"field_map": [{"src": "BEG.03", "tgt": CONTENT}]}
        yield _request("convert", {**DOCUMENT, **one, "target_format": target})
    twice = {"field_map": [{"src": "BEG.03", "tgt": "BEG.03"}] * 2}
    yield _request("convert", {**DOCUMENT, **twice, "target_format": "x12"})
    # One that dies of its length: what the process says that worked on it.
    yield _request("parse", {"document": f"NTE*{CONTENT}~" * 900_000})
    yield _request("validate", {"document": f"ST*850*1~NTE*{CONTENT}~" * 400_000})
