"""The rows of docs/reference/limits.md about partners, maps, keys and lists of an account."""

from longshore.domain.accounts import keys as issuing
from longshore.domain.accounts.service import RETENTION_MAX_DAYS
from longshore.domain.audit.service import MOST_READ
from longshore.domain.control_numbers.service import MOST_GAPS
from longshore.domain.maps import definitions as maps
from longshore.domain.maps.replay import MOST_DOCUMENTS
from longshore.domain.overview.attention import MOST_ITEMS
from longshore.domain.overview.figures import MOST_REASONS, MOST_SETS
from longshore.domain.partners import reading as partners
from longshore.domain.partners.connection_members import MOST_HEADERS
from longshore.domain.partners.setting_kinds import MOST_NETWORKS, MOST_OVERLAYS
from longshore.domain.transactions.lists import MOST_FILTER_CHARS, MOST_FILTER_VALUES
from longshore.http.limits import MOST_EXPORTS

Row = tuple[str, str, str]
INVALID = "400 `invalid_parameter`"
TOO_MUCH = "400 `limit_exceeded`"


def kept_limits() -> tuple[Row, ...]:
    """Return what is limited, how, and what happens beyond it."""
    return (*_partners(), *_maps(), *_accounts(), *_lists())


def _partners() -> tuple[Row, ...]:
    return (
        ("transaction sets agreed with a partner", f"{partners.MOST_AGREED_SETS}", INVALID),
        ("routes of a partner", f"{partners.MOST_ROUTES}", INVALID),
        ("`ack_hours` of a partner", f"1 to {partners.MOST_ACK_HOURS}", INVALID),
        ("request headers of a connection", f"{MOST_HEADERS}", INVALID),
        ("overlays of a partner", f"{MOST_OVERLAYS}", INVALID),
        ("networks that a partner sends from", f"{MOST_NETWORKS}", INVALID),
        ("missing control numbers shown of a partner", f"{MOST_GAPS}", "left out"),
    )


def _maps() -> tuple[Row, ...]:
    texts = (
        f"{maps.NAME_MAX_CHARS}, {maps.DESCRIPTION_MAX_CHARS:,} and {maps.NOTE_MAX_CHARS}"
        " characters"
    )
    return (
        ("name, description and note of a map", texts, INVALID),
        ("tests of a map", f"{maps.MOST_TESTS}", TOO_MUCH),
        (
            "lookup tables of a map",
            f"{maps.MOST_LOOKUPS}, with {maps.MOST_LOOKUP_ROWS:,} rows together",
            TOO_MUCH,
        ),
        ("documents that a map is replayed over", f"{MOST_DOCUMENTS}", INVALID),
    )


def _accounts() -> tuple[Row, ...]:
    return (
        ("name of a key", f"{issuing.KEY_NAME_MAX_CHARS} characters", INVALID),
        ("life of a key that expires", f"{issuing.LONGEST_LIFE_DAYS:,} days", INVALID),
        ("overlap of a rotated key or address", f"{issuing.OVERLAP_MAX_HOURS} hours", INVALID),
        ("retention of an account", f"1 to {RETENTION_MAX_DAYS:,} days, or for ever", INVALID),
    )


def _lists() -> tuple[Row, ...]:
    return (
        (
            "a filter of transactions",
            f"{MOST_FILTER_VALUES} values, texts of {MOST_FILTER_CHARS} characters",
            INVALID,
        ),
        ("lists as files of an account", f"{MOST_EXPORTS} at a time", "429"),
        ("entries of the audit log that one call looks at", f"{MOST_READ:,}", "a short page"),
        (
            "what figures name singly",
            f"{MOST_SETS} transaction sets, {MOST_REASONS} reasons of rejections",
            "`other`, or left out",
        ),
        ("things that need attention", f"{MOST_ITEMS}", "`has_more`"),
    )
