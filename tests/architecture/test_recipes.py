"""The recipes of CONTRIBUTING.md list every place that names what they add."""

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Final

import msgspec
import pytest

from longshore.domain.partners.settings import PartnerSettings
from longshore.http.api_v1.ack_shapes import AckFilters
from longshore.http.api_v1.transaction_redrive import RedriveRequest
from longshore.http.api_v1.transaction_shapes import TransactionFilterParameters
from longshore.http.routes import OPERATIONS
from longshore.http.session.audit import AuditFilterParameters
from longshore.http.session.interchange_shapes import InterchangeFilterParameters
from tests.architecture.repository import ROOT

pytestmark = pytest.mark.full("reads all sources")

_HTTP_TRANSPORT: Final = r"\b(?:HttpPush|HttpConnection|ConnectionType\.HTTP)\b"
MAX_OTHER_PLACES: Final = 5
# Words that other things are called by as well.
_COMMON: Final = {
    "separators",
    "charset",
    "codes",
    "timezone",
    "unknown_sets",
    "overlays",
    "leniency",
}
# The demo chooses settings, and so does the example of a partner in the API.
_CHOOSES_SETTINGS: Final = {
    "src/longshore/demo/partners.py",
    "src/longshore/http/session/partners.py",
}


def recipe(name: str) -> set[str]:
    """Return the paths of files that a recipe names."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    start = text.index(f"**{name}.**")
    found = re.findall(r"`([\w/.-]+\.\w+)`", re.split(r"\n(?=\*\*|#)", text[start:])[0])
    return {path.relative_to(ROOT).as_posix() for each in found for path in _paths(each)}


def _paths(name: str) -> Iterator[Path]:
    for base in ("", "src/longshore", "src/longshore/storage", "web/src/routes/transactions"):
        if (ROOT / base / name).is_file():
            yield ROOT / base / name


def naming(pattern: str, *folders: str, endings: tuple[str, ...] = (".py", ".sql")) -> set[str]:
    """Return the files that name something, without tests and what is built or generated."""
    return {
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.name.endswith(endings)
        and not {"static", "node_modules"}.intersection(path.parts)
        and not path.name.endswith((".d.ts", ".test.ts", ".test.tsx"))
        and re.search(pattern, path.read_text(encoding="utf-8"))
    }


def test_a_transport_is_a_module_and_at_most_five_other_places() -> None:
    places = naming(_HTTP_TRANSPORT, "src/longshore") - naming(
        _HTTP_TRANSPORT, "src/longshore/demo"
    )
    in_pages = {
        "web/src/core/partnerConnection.ts",
        "web/src/routes/partners/ConnectionFields.tsx",
    }
    module = "src/longshore/transport/http_push.py"
    assert (places | in_pages) - {module} <= recipe("A transport")
    assert len((places | in_pages) - {module}) <= MAX_OTHER_PLACES


def test_a_partner_setting_is_declared_once() -> None:
    names = {each.name for each in fields(PartnerSettings)} - _COMMON
    pattern = rf"\b(?:{'|'.join(sorted(names))})\b"
    layers = [
        f"src/longshore/{each}"
        for each in ("http", "storage", "cli", "transport", "worker", "demo")
    ]
    found = naming(pattern, *layers, "web/src", endings=(".py", ".sql", ".ts", ".tsx"))
    assert found <= _CHOOSES_SETTINGS
    code = {each for each in recipe("A partner setting") if each.startswith("src/")}
    assert code == {"src/longshore/domain/partners/settings.py"}


@pytest.mark.parametrize(
    ("path", "shape"),
    [
        ("transactions", TransactionFilterParameters),
        ("acks", AckFilters),
        ("interchanges", InterchangeFilterParameters),
        ("audit", AuditFilterParameters),
    ],
)
def test_the_filters_of_a_list_are_declared_by_one_class(
    path: str, shape: type[msgspec.Struct]
) -> None:
    """API, session and export read them; a class of their own would forget one."""
    readers = [
        each
        for each in OPERATIONS
        if each.method == "GET"
        and each.parameters is not None
        and re.search(rf"/{path}(?:/export)?$", each.path)
    ]
    assert f"/api/{path}/export" in {each.path for each in readers}
    assert len(readers) > 1
    assert all(issubclass(each.parameters or object, shape) for each in readers)


def test_the_body_of_a_redrive_has_the_filters_of_the_list() -> None:
    names = TransactionFilterParameters.__struct_fields__
    assert RedriveRequest.__struct_fields__ == (*names, "ids")


def test_a_filter_of_transactions_is_named_where_the_recipe_says() -> None:
    names = set(TransactionFilterParameters.__struct_fields__) - {"parent_id", "test"}
    places = recipe("A list filter")
    assert {Path(each).name for each in places} >= {"lists.py", "search.ts"}
    text = (ROOT / "web/src/routes/transactions/search.ts").read_text(encoding="utf-8")
    assert {each for each in names if not re.search(rf"^  {each}: ", text, re.MULTILINE)} == set()
    declared = naming(
        r"'validation_status', *'?|\bvalidation_status: wordsOf", "web/src", endings=(".ts", ".tsx")
    )
    assert declared <= places
