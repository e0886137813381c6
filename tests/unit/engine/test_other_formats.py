"""The library refuses documents of other formats where it expects X12."""

from collections.abc import Callable

import pytest

from longshore.engine import acknowledge, convert, parse, stream_segments, validate
from longshore.engine.inspect import inspect
from longshore.kit.errors import LongshoreError
from tests.support.other_formats import DOCUMENTS, message, x12_only_message
from tests.unit.engine.conversion_examples import rule


def streamed(document: str) -> object:
    return list(stream_segments(lambda: [document.encode()]))


INTERFACES: dict[str, tuple[Callable[[str], object], Callable[[str], str]]] = {
    "parse": (parse, lambda found: message(found, "use format {}")),
    "convert": (
        lambda document: convert(document, [rule("BEG.03", "po")]),
        lambda found: message(found, "use source_format {}"),
    ),
    "inspect": (
        lambda document: inspect(document, format="x12"),
        lambda found: message(found, "use format {}"),
    ),
    "validate": (validate, x12_only_message),
    "acknowledge": (acknowledge, x12_only_message),
    "stream_segments": (streamed, x12_only_message),
}


@pytest.mark.parametrize("interface", INTERFACES)
def test_another_format_is_refused_with_its_name_and_the_next_step(interface: str) -> None:
    call, text = INTERFACES[interface]
    for found, document in DOCUMENTS.items():
        with pytest.raises(LongshoreError) as caught:
            call(document)
        [detail] = caught.value.details
        assert (caught.value.code, caught.value.message) == ("document_not_x12", text(found))
        assert (detail.code, detail.found, detail.param) == ("document_not_x12", found, "document")
        assert detail.message == text(found)
        assert (detail.offset, detail.line) == (int(found == "hl7"), 1)


def test_what_inspect_detects_is_shown_or_refused() -> None:
    for found, document in DOCUMENTS.items():
        if found in {"json", "xml", "csv"}:
            assert f'"format":"{found}"'.encode() in inspect(document)
        else:
            with pytest.raises(LongshoreError) as caught:
                inspect(document)
            assert caught.value.message == message(found, "")
