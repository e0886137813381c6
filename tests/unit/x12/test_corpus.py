"""Kept hostile inputs, most of them once read wrongly: every promise about any text holds."""

import json
from pathlib import Path
from typing import Final
from unittest import mock

import pytest

from longshore.engine import parse, stream_segments
from longshore.formats import x12doc
from longshore.x12 import walk
from tests.unit.x12.documents import result_of
from tests.unit.x12.test_chunks import what_the_walk_gives
from tests.unit.x12.test_every_character import unaccounted
from tests.unit.x12.test_key_grammar import model

CORPUS: Final = Path(__file__).resolve().parents[2] / "corpus" / "x12"
NAMES: Final = sorted(each.name for each in CORPUS.iterdir())


def text_of(name: str) -> str:
    return (CORPUS / name).read_bytes().decode()


def test_the_corpus_is_there() -> None:
    assert len(NAMES) == 21


@pytest.mark.parametrize("name", NAMES)
def test_it_gives_sound_json_with_the_fields_of_the_slow_model(name: str) -> None:
    fields = result_of(text_of(name), include=["segments"])["fields"]
    assert isinstance(fields, dict)
    assert list(fields.items()) == model(text_of(name))


@pytest.mark.parametrize("name", NAMES)
def test_every_character_of_it_is_accounted_for(name: str) -> None:
    assert unaccounted(text_of(name)) == ""


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1000])
@pytest.mark.parametrize("name", NAMES)
def test_it_reads_alike_in_pieces_of_any_size(name: str, size: int) -> None:
    text = text_of(name)
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    assert what_the_walk_gives(pieces) == what_the_walk_gives([text])


@pytest.mark.parametrize("name", NAMES)
def test_the_fast_and_the_slow_path_agree_on_it(name: str) -> None:
    fast = x12doc.parse(text_of(name))
    with (
        mock.patch.object(walk, "is_plain", return_value=False),
        mock.patch.object(x12doc, "read_fast_path", return_value=None),
    ):
        assert x12doc.parse(text_of(name)) == fast


@pytest.mark.parametrize("name", NAMES)
def test_the_stream_of_it_is_its_segments_view(name: str) -> None:
    data = (CORPUS / name).read_bytes()
    view = parse(data, include=["segments"]).document.views["segments"]
    assert [json.loads(line) for line in stream_segments(lambda: [data])] == json.loads(view)


@pytest.mark.parametrize("name", NAMES)
def test_the_answer_to_it_stays_in_proportion(name: str) -> None:
    data = (CORPUS / name).read_bytes()
    answer = parse(data, include=["segments", "tree"]).result_json()
    assert len(answer) <= 40 * len(data) + 256 * 1024
