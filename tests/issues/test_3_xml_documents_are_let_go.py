"""Issue 3: a few large XML documents in a row filled 400 MiB, because each was kept in a circle."""

import gc
import tracemalloc

import pytest

from longshore.formats import xmldoc
from longshore.kit.errors import LongshoreError

TEXT = "x" * 2**20


@pytest.mark.parametrize("document", [f"<a>{TEXT}</a>", f"<a>{TEXT}", f"<!DOCTYPE a><a>{TEXT}</a>"])
def test_an_xml_document_is_let_go_without_the_garbage_collector(document: str) -> None:
    gc.disable()
    tracemalloc.start()
    try:
        for _ in range(4):
            read(document)
        assert tracemalloc.get_traced_memory()[0] < len(TEXT)
    finally:
        tracemalloc.stop()
        gc.enable()


def read(document: str) -> None:
    try:
        xmldoc.parse(document)
    except LongshoreError:
        return
