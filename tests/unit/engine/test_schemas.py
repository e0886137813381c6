"""What the dictionary knows, as plain values."""

import pytest

from longshore.engine import schema, schemas
from longshore.kit.errors import LongshoreError
from longshore.x12.dictionary.export import schema_export
from longshore.x12.dictionary.library import shipped


def test_every_entry_of_the_list_has_a_schema() -> None:
    for entry in schemas():
        tx_set, release, guides = entry["tx_set"], entry["release"], entry["guides"]
        assert isinstance(tx_set, str)
        assert isinstance(release, str)
        assert isinstance(guides, list)
        definition = shipped().definition(tx_set, release)
        assert definition is not None
        assert schema(tx_set, release) == schema_export(definition)
        for guide in guides:
            assert schema(tx_set, guide=guide)["release"] == release


def test_the_newest_release_is_shown_unless_said_otherwise() -> None:
    assert schema("850")["release"] == shipped().releases("850")[-1]


@pytest.mark.parametrize(
    ("tx_set", "release", "guide"),
    [
        ("", "", ""),
        ("123", "", ""),
        ("850", "001000", ""),
        ("850", "", "005010X222A1"),
        ("837", "004010", "005010X222A1"),
        ("123", "", "005010X222A1"),
    ],
)
def test_what_there_is_not_is_refused(tx_set: str, release: str, guide: str) -> None:
    with pytest.raises(LongshoreError) as caught:
        schema(tx_set, release, guide)
    assert caught.value.code == "not_found"
