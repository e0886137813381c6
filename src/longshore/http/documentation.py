"""The documentation pages: HTML rendered from the OpenAPI document, without a script.

Nothing is loaded from elsewhere; the only asset is the stylesheet next to this module, and the
content security policy allows nothing else.
"""

from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Final

import msgspec

from longshore.http.envelope import Answer
from longshore.http.headers import Header
from longshore.http.openapi import openapi_document, openapi_json
from longshore.http.openapi_schemas import Json
from longshore.http.pages import StaticPage

HTML: Final = b"text/html; charset=utf-8"

_POLICY: Final = (
    b"default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
    b"frame-ancestors 'none'"
)
_HEADERS: Final[tuple[Header, ...]] = (
    (b"cache-control", b"no-cache"),
    (b"content-security-policy", _POLICY),
    (b"referrer-policy", b"no-referrer"),
)
_KEY_VARIABLE: Final = "$LONGSHORE_KEY"
_CSRF_VARIABLE: Final = "$LONGSHORE_CSRF_TOKEN"


@cache  # a process has one address
def documentation_pages(base_url: str) -> tuple[StaticPage, ...]:
    """Return the pages of the documentation; ``base_url`` stands in the examples."""
    document = openapi_document()
    style = files("longshore.http").joinpath("documentation.css").read_bytes()
    return (
        StaticPage(
            "/docs", Answer(_reference(document, base_url).encode(), HTML, headers=_HEADERS)
        ),
        StaticPage("/docs.css", Answer(style, b"text/css; charset=utf-8", headers=_HEADERS)),
        StaticPage(
            "/openapi.json", Answer(openapi_json(), headers=((b"cache-control", b"no-cache"),))
        ),
    )


def html_page(title: str, content: str) -> str:
    """Return a whole page of this look; ``content`` is HTML."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title)}</title><link rel="stylesheet" href="/docs.css"></head>'
        f"<body>{content}</body></html>"
    )


def _reference(document: Json, base_url: str) -> str:
    operations = [
        (method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    links = "".join(
        f'<li><a href="#{operation["operationId"]}">{_badge(method)} <code>{escape(path)}</code>'
        "</a></li>"
        for method, path, operation in operations
    )
    sections = "".join(
        _operation(document, base_url, method, path) for method, path, _ in operations
    )
    shapes = "".join(
        _shape(name, schema) for name, schema in document["components"]["schemas"].items()
    )
    return html_page(
        "Longshore API",
        f'<nav aria-label="Contents"><a class="name" href="/">Longshore</a><ul>{links}'
        '<li><a href="#errors">Errors</a></li><li><a href="#shapes">Shapes</a></li>'
        '<li><a href="/openapi.json">openapi.json</a></li></ul></nav>'
        f"<main><h1>Longshore API</h1><p>{escape(document['info']['description'])}</p>"
        f"{_getting_in(document)}{sections}{_errors(document)}"
        f'<section id="shapes"><h2>Shapes</h2>{shapes}</section></main>',
    )


def _getting_in(document: Json) -> str:
    scheme = escape(document["components"]["securitySchemes"]["apiKey"]["description"])
    return (
        "<section><h2>Getting in</h2><p>Send your key with every request: "
        f"<code>Authorization: Bearer &lt;API_KEY&gt;</code>. {scheme}</p><p>In the examples: "
        "<code>export LONGSHORE_KEY=svc_test_…</code></p><p>What begins with <code>/api/</code> "
        "and not with <code>/api/v1/</code> is for the pages of the service: it needs a session "
        '(<a href="#logIn">log in</a> with <code>-c cookies.txt</code>), and where it changes '
        "something the session's CSRF token.</p></section>"
    )


def _operation(document: Json, base_url: str, method: str, path: str) -> str:
    operation = document["paths"][path][method]
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    request = _parameters(operation.get("parameters", []))
    if content is not None and "$ref" in content["schema"]:
        request += f"<h3>Request</h3>{_members(_resolve(document, content), 'required')}"
    answers = "".join(
        f"<h3>{_answer_title(media_type)}</h3>{_example(item)}{_answer_members(document, item)}"
        for media_type, item in operation["responses"]["200"]["content"].items()
    )
    codes_by_status: dict[int, list[str]] = {}
    for code in operation["x-codes"]:
        codes_by_status.setdefault(document["x-errors"][code]["status"], []).append(code)
    codes = "".join(
        f"<tr><td>{status}</td><td>{_code_links(codes_by_status[status])}</td></tr>"
        for status in sorted(codes_by_status)
    )
    return (
        f'<section id="{operation["operationId"]}"><h2>{escape(operation["summary"])}</h2>'
        f'<p class="address">{_badge(method)} <code>{escape(path)}</code></p>'
        f"<p>{escape(operation['description'])}</p>"
        f"<pre><code>{escape(_curl(base_url, method, path, operation))}</code></pre>"
        f"{request}{answers}<h3>Refusals</h3><table><tbody>{codes}</tbody></table></section>"
    )


def _parameters(parameters: list[Json]) -> str:
    if not parameters:
        return ""
    schema = {
        "properties": {
            each["name"]: each["schema"] | {"description": each["description"]}
            for each in parameters
        },
        "required": [each["name"] for each in parameters if each["required"]],
    }
    return f"<h3>Parameters</h3>{_members(schema, 'required')}"


def _answer_title(media_type: str) -> str:
    return "Answer" if media_type == "application/json" else f"Answer ({escape(media_type)})"


def _answer_members(document: Json, content: Json) -> str:
    return _members(_resolve(document, content)) if "$ref" in content["schema"] else ""


def _example(content: Json) -> str:
    if "example" not in content:
        return ""
    text = msgspec.json.format(msgspec.json.encode(content["example"]), indent=2).decode()
    return f"<pre><code>{escape(text)}</code></pre>"


def _errors(document: Json) -> str:
    rows = "".join(
        f'<tr id="{code}"><td><code>{code}</code></td><td>{error["status"]}</td>'
        f"<td>{escape(error['meaning'])}</td></tr>"
        for code, error in document["x-errors"].items()
    )
    return (
        '<section id="errors"><h2>Errors</h2><p>Every refusal has the shape '
        '<a href="#ErrorAnswer">ErrorAnswer</a>; with <code>Accept: application/problem+json</code>'
        ' it is a <a href="#ProblemAnswer">ProblemAnswer</a> with the same facts.</p><table>'
        "<thead><tr><th>Code</th><th>Status</th><th>When</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></section>"
    )


def _shape(name: str, schema: Json) -> str:
    return (
        f'<article id="{name}"><h3>{name}</h3><p>{escape(schema.get("description", ""))}</p>'
        f"{_members(schema)}</article>"
    )


def _members(schema: Json, mark: str = "always there") -> str:
    required = schema.get("required", [])
    rows = "".join(
        f"<tr><td><code>{escape(name)}</code>{' *' if name in required else ''}</td>"
        f"<td>{_type(member)}</td><td>{escape(member.get('description', ''))}</td></tr>"
        for name, member in schema.get("properties", {}).items()
    )
    return (
        "<table><thead><tr><th>Member</th><th>Type</th><th>Meaning</th></tr></thead>"
        f'<tbody>{rows}</tbody></table><p class="note">* {mark}</p>'
    )


def _type(schema: Json) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_type(choice) for choice in schema["anyOf"])
    if values := schema.get("enum") or ([schema["const"]] if "const" in schema else []):
        return " | ".join(f"<code>{escape(_text(value))}</code>" for value in values)
    if schema.get("type") == "array":
        return f"array of {_type(schema.get('items', {}))}"
    if schema.get("type") == "object" and "additionalProperties" in schema:
        return f"object of {_type(schema['additionalProperties'])}"
    return escape(str(schema.get("format", schema.get("type", "any value"))))


# Any: a value of the document, which is JSON.
def _text(value: Any) -> str:  # noqa: ANN401 - see above
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _resolve(document: Json, content: Json) -> Json:
    schema: Json = document["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
    return schema


def _curl(base_url: str, method: str, path: str, operation: Json) -> str:
    parts = [f"curl -s {base_url}{path}"]
    if method in {"put", "delete"} or (method == "post" and "requestBody" not in operation):
        parts.append(f"-X {method.upper()}")
    if operation["security"] == [{"apiKey": []}]:
        parts.append(f'-H "Authorization: Bearer {_KEY_VARIABLE}"')
    elif operation["security"]:
        parts.append("-b cookies.txt")  # which login wrote
        if method != "get":
            parts.append(f'-H "X-CSRF-Token: {_CSRF_VARIABLE}"')
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]
        if "example" in content.get("application/json", {}):
            example = content["application/json"]["example"]
            parts += ["-H 'Content-Type: application/json'", f"-d '{_text(example)}'"]
        else:
            parts += [f"-H 'Content-Type: {next(iter(content))}'", "--data-binary @document.edi"]
    return " \\\n  ".join(parts)


def _badge(method: str) -> str:
    return f'<span class="method {method}">{method.upper()}</span>'


def _code_links(codes: list[str]) -> str:
    return ", ".join(f'<a href="#{code}"><code>{code}</code></a>' for code in codes)
