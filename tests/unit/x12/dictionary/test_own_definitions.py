"""Imported definitions: which they replace, what they share, and how other processes get them."""

import pickle
from collections import OrderedDict
from dataclasses import replace

import pytest

from longshore.x12.dictionary import own_definitions
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.own_definitions import (
    DefinitionKey,
    DefinitionsUnknownError,
    OwnDefinition,
    OwnDefinitions,
    OwnDictionary,
)

ORDER = DefinitionKey("850", "004010")
HEAD = "# sources: ours\n"
SET = f'{HEAD}set 850 PO 004010 "Ours"\n  BEG M1\n  ZZZ O1 as own\n'
OTHERS = {"segments.xd": f"{HEAD}ZZZ:own 373! @004010\n"}
GUIDE = f'{HEAD}guide 004010OWN on 850@004010 "Our guide"\n  BEG R1 as beginning\n'


def of(text: str, key: DefinitionKey = ORDER, **others: str) -> OwnDefinition:
    return OwnDefinition.of(key, {"own.xd": text, **others})


def an_order() -> OwnDefinition:
    return OwnDefinition.of(ORDER, {"850.xd": SET, **OTHERS})


def dictionary(*definitions: OwnDefinition) -> OwnDictionary:
    return OwnDefinitions(definitions).dictionary()


def test_a_definition_takes_the_place_of_that_of_its_set_and_release_alone() -> None:
    order = an_order()
    own = dictionary(order)
    found = own.definition("850", "004010")
    assert found is not None
    assert (found.title, found.own) == ("Ours", order.name)
    assert [use.segment.id for _, use in found.positions()] == ["BEG", "ZZZ"]
    assert own.definition("850", "005010") is shipped().definition("850", "005010")
    assert own.definition("855", "004010") is shipped().definition("855", "004010")
    assert own.resolve("850", "004020").definition == found


def test_segments_of_a_definition_are_known_to_it_alone() -> None:
    own = dictionary(an_order())
    found, other = own.definition("850", "004010"), own.definition("855", "004010")
    assert found is not None
    assert other is not None
    assert "ZZZ" in own.vocabulary_of(found).known_ids
    assert own.vocabulary_of(other) is shipped().vocabulary
    assert "ZZZ" not in own.vocabulary.known_ids


def test_a_release_before_all_known_ones_has_the_definition_as_it_is() -> None:
    found = dictionary(an_order()).resolve("850", "003040")
    assert found.exactness == "nearest"
    assert found.definition is not None
    assert (found.definition.release, found.definition.title) == ("004010", "Ours")


def test_a_set_and_a_guide_that_longshore_has_not_are_in_the_contents() -> None:
    new = DefinitionKey("899", "004010")
    guide = DefinitionKey("850", "004010", "004010OWN")
    own = dictionary(
        of(SET.replace("850 PO", "899 ZZ").replace("  ZZZ O1 as own\n", ""), new), of(GUIDE, guide)
    )
    by_id = {entry.tx_set: entry for entry in own.contents}
    assert by_id["899"] == ("899", "Ours", "ZZ", ("004010",), ())
    assert "004010OWN" in by_id["850"].guides
    assert own.functional_ids["899"] == "ZZ"
    found = own.resolve("850", "004010OWN")
    assert found.definition is not None
    assert (found.definition.guide, found.exactness) == ("004010OWN", "exact")


def test_what_no_longer_fits_is_no_definition_and_no_other_takes_its_place() -> None:
    broken = of(SET)  # without its segment
    new = of(SET.replace("850", "899"), DefinitionKey("899", "004010"))
    own = dictionary(broken, new)
    assert own.resolve("850", "004010") == (None, "exact", "004010")
    assert own.resolve("899", "004010").definition is None
    assert "899" not in own.functional_ids


def test_a_text_that_describes_something_else_is_no_definition() -> None:
    other = of(SET.replace("  ZZZ O1 as own\n", ""), DefinitionKey("850", "003060"))
    assert dictionary(other).definition("850", "003060") is None
    guide = of(GUIDE, DefinitionKey("850", "004010", "004010XX"))
    assert dictionary(guide).definition("850", "004010", "004010XX") is None


def test_equal_texts_are_equal_collections_with_one_dictionary() -> None:
    first, second = OwnDefinitions([an_order()]), OwnDefinitions([an_order()])
    assert first == second
    assert hash(first) == hash(second)
    assert first.dictionary() is second.dictionary()
    assert first != OwnDefinitions([of(GUIDE)])
    assert first != "other"


def test_a_process_asks_for_the_texts_of_a_name_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_definitions, "MAX_COLLECTIONS", 1)
    monkeypatch.setattr(own_definitions, "_RECEIVED", OrderedDict())
    order = replace(an_order(), name="asked once")
    sent = OwnDefinitions([order])
    arrived = pickle.loads(pickle.dumps(sent))
    with pytest.raises(DefinitionsUnknownError) as unknown:
        arrived.dictionary()
    work = pickle.loads(pickle.dumps(unknown.value)).supplied(arrived.dictionary)
    assert pickle.loads(pickle.dumps(work))().definition("850", "004010").title == "Ours"
    assert arrived.dictionary() is not None
    others = OwnDefinitions([of(GUIDE)])
    DefinitionsUnknownError(others.name).supplied(len)  # type: ignore[arg-type]  # not called
    DefinitionsUnknownError(others.name).supplied(list)()
    with pytest.raises(DefinitionsUnknownError):
        arrived.dictionary()
