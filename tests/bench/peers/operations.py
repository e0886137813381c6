"""What is timed of each peer, in its own environment, by the worker that times ours.

The peers are imported when an operation is prepared: the modules are not there otherwise.
"""

import logging
from collections.abc import Callable
from importlib import import_module
from io import StringIO

from tests.bench.candidates import (
    Operation,
    WrongAnswerError,
    check_checked,
    check_read,
    whole_text,
)
from tests.bench.documents import Document
from tests.bench.peers.jsonata_lines import is_right, prepare_lines


def prepare_pyx12_read(document: Document) -> Callable[[], object]:
    """``RawX12File``: one text a segment; split here, as it does not split them."""
    text, separator = whole_text(document), document.marks.element
    raw_file = import_module("pyx12.rawx12file").RawX12File

    def read() -> tuple[int, int]:
        segments = pieces = 0
        for line in raw_file(StringIO(text)):
            segments += 1
            pieces += len(line.split(separator))
        return segments, pieces

    return read


def prepare_pyx12_check(document: Document) -> Callable[[], object]:
    """``X12Reader``: segments with elements and components; envelope and HL counts checked."""
    text = whole_text(document)
    reader_of = import_module("pyx12.x12file").X12Reader

    def check() -> tuple[int, int]:
        reader = reader_of(StringIO(text))
        segments = sum(1 for _ in reader)
        return segments, len(reader.pop_errors())

    return check


def prepare_pyx12_validate(document: Document) -> Callable[[], object]:
    """``x12n_document``: the map of the guide, envelope, elements; a 999."""
    text = whole_text(document)
    return lambda: pyx12_accepts(text)


def pyx12_accepts(text: str) -> bool:
    """Tell whether it finds no fault in a document; it writes the acknowledgement too."""
    logging.disable(logging.CRITICAL)
    judge = import_module("pyx12.x12n_document").x12n_document
    parameters = import_module("pyx12.params").params()
    return bool(judge(parameters, StringIO(text), StringIO(), None))


def check_accepted(document: Document, answer: object) -> None:
    """See that a valid document was accepted."""
    if answer is not True:
        raise WrongAnswerError(f"{document.name}: refused")


def prepare_linuxforhealth_read(document: Document) -> Callable[[], object]:
    """``X12SegmentReader``: the elements of each segment, as texts."""
    text = whole_text(document)
    reader_of = import_module("linuxforhealth.x12.io").X12SegmentReader

    def read() -> tuple[int, int]:
        segments = pieces = 0
        with reader_of(text) as reader:
            for _, elements in reader.segments():
                segments += 1
                pieces += len(elements)
        return segments, pieces

    return read


def prepare_linuxforhealth_result(document: Document) -> Callable[[], object]:
    """``X12ModelReader``: each set as a validated model of its guide, written as JSON."""
    text = whole_text(document)
    reader_of = import_module("linuxforhealth.x12.io").X12ModelReader

    def models() -> list[str]:
        with reader_of(text) as reader:
            return [model.json() for model in reader.models()]

    return models


def check_models(document: Document, answer: object) -> None:
    """Compare the number of sets, and look for the claims of the sample in each."""
    assert isinstance(answer, list)
    sets = whole_text(document).count(f"{document.marks.segment}ST{document.marks.element}")
    complete = [model for model in answer if "WL-30071" in model and "WL-30084" in model]
    if (len(answer), len(complete)) != (sets, sets):
        raise WrongAnswerError(f"{document.name}: {len(complete)} whole models, expected {sets}")


def prepare_badx12_tree(document: Document) -> Callable[[], object]:
    """``Parser``: the document as a tree of objects, one for each element; nothing is checked."""
    text = whole_text(document)
    parser_of = import_module("badx12").Parser

    def tree() -> tuple[int, int]:
        groups = parser_of().parse_document(text).interchange.groups
        sets = [each for group in groups for each in group.transaction_sets]
        bodies = sum(len(each.transaction_body) for each in sets)
        return 2 * (1 + len(groups) + len(sets)) + bodies, 0

    return tree


def prepare_jsonata_lines(document: Document) -> Callable[[], object]:
    """``Jsonata.evaluate``: the segments as objects, then an expression; compared with by hand."""
    return prepare_lines(whole_text(document))


def check_jsonata_lines(document: Document, answer: object) -> None:
    """Compare with what a program written by hand makes."""
    if not is_right(whole_text(document), str(answer)):
        raise WrongAnswerError(f"{document.name}: not the order that was asked for")


PEER_OPERATIONS = {
    "jsonata-python convert-lines": Operation(
        "text -> JSON order by an expression", prepare_jsonata_lines, check_jsonata_lines
    ),
    "pyx12 validate": Operation(
        "text -> verdict by the guide, 999", prepare_pyx12_validate, check_accepted
    ),
    "pyx12 read": Operation("text -> a text a segment", prepare_pyx12_read, check_read),
    "pyx12 check": Operation(
        "text -> segments; envelope, HL counts", prepare_pyx12_check, check_checked
    ),
    "linuxforhealth-x12 read": Operation(
        "text -> segments, elements", prepare_linuxforhealth_read, check_read
    ),
    "linuxforhealth-x12 result": Operation(
        "text -> validated models -> JSON", prepare_linuxforhealth_result, check_models
    ),
    "badx12 tree": Operation("text -> tree of objects", prepare_badx12_tree, check_checked),
}
