"""The master key's file: made once, whole and private; another one is refused, not used."""

from pathlib import Path

import pytest

from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.master_key import MasterKey, load_or_create_master_key, read_master_key
from tests.support.clock import CountedIds

HEX = "00112233445566778899aabbccddeeff" * 2
OTHER = MasterKey(secret=bytes(32))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keys" / "master.key"


def put(path: Path, content: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)


def test_the_first_start_makes_a_key_that_only_its_owner_reads(path: Path) -> None:
    key = load_or_create_master_key(path, (), CountedIds())
    assert (len(key.secret), key.is_new) == (32, True)
    assert path.read_text() == key.secret.hex() + "\n"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert list(path.parent.iterdir()) == [path]


def test_later_starts_read_the_key(path: Path) -> None:
    made = load_or_create_master_key(path, (), CountedIds())
    for known in ((), (made.id,), (OTHER.id, made.id)):
        assert load_or_create_master_key(path, known, CountedIds("other")) == MasterKey(
            secret=made.secret
        )


def test_the_id_of_a_key_is_the_same_everywhere() -> None:
    assert OTHER.id.hex() == "0b0f6cb8"


@pytest.mark.parametrize(
    "content", [HEX.encode(), f"{HEX.upper()}\r\n".encode(), f" {HEX} ".encode()]
)
def test_a_key_made_elsewhere_is_read(path: Path, content: bytes) -> None:
    put(path, content)
    assert read_master_key(path) == MasterKey(secret=bytes.fromhex(HEX))


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(HEX[:-1].encode(), id="cut"),
        pytest.param(HEX.encode() + b"0", id="too long"),
        pytest.param(bytes(32), id="no text"),
        pytest.param(HEX.encode() * 1000, id="another file"),
        pytest.param("\u0660".encode() * 64, id="other digits"),
    ],
)
def test_a_file_that_holds_no_key_is_refused_and_kept(path: Path, content: bytes) -> None:
    put(path, content)
    with pytest.raises(DatabaseRefusedError, match="holds no key: 64 hexadecimal digits"):
        load_or_create_master_key(path, (), CountedIds())
    assert path.read_bytes() == content


def test_another_key_than_the_database_was_sealed_with_is_refused(path: Path) -> None:
    put(path, HEX.encode())
    with pytest.raises(DatabaseRefusedError) as refused:
        load_or_create_master_key(path, (OTHER.id,), CountedIds())
    found = MasterKey(secret=bytes.fromhex(HEX)).id.hex()
    assert refused.value.message.startswith(
        f"The master key is another ({found}) than this database was sealed with (0b0f6cb8)."
    )
    assert path.read_text() == HEX


def test_a_lost_key_is_asked_for_and_never_made_anew(path: Path) -> None:
    with pytest.raises(DatabaseRefusedError, match=r"this database \(0b0f6cb8\) is not there"):
        load_or_create_master_key(path, (OTHER.id,), CountedIds())
    assert not path.parent.exists()


def test_a_key_that_was_killed_while_it_was_made_is_made_again(path: Path) -> None:
    put(path.with_name("master.key.unfinished"), HEX[:20].encode())
    key = load_or_create_master_key(path, (), CountedIds())
    assert read_master_key(path) == MasterKey(secret=key.secret)
    assert list(path.parent.iterdir()) == [path]


def test_a_place_where_no_key_can_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DatabaseRefusedError, match="cannot be read: Not a directory"):
        load_or_create_master_key(tmp_path / "file" / "master.key", (), CountedIds())
    folder = tmp_path / "gone"
    folder.symlink_to(tmp_path / "nowhere" / "deep")
    with pytest.raises(DatabaseRefusedError, match=r"cannot be created: .*openssl rand -hex 32"):
        load_or_create_master_key(folder / "master.key", (), CountedIds())
