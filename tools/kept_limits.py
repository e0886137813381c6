"""The rows of docs/reference/limits.md about what an account keeps, its lists and its logins."""

from datetime import timedelta

from longshore.crypto.passwords import ESTIMATED_CHARS, GUESSES, MAX_RUNNING, MAX_WAITING
from longshore.domain.accounts import keys as issuing
from longshore.domain.accounts.service import RETENTION_MAX_DAYS
from longshore.domain.audit.service import MAX_READ
from longshore.domain.control_numbers.service import MAX_GAPS
from longshore.domain.maps import definitions as maps
from longshore.domain.maps.replay import MAX_DOCUMENTS
from longshore.domain.overview.attention import MAX_ITEMS
from longshore.domain.overview.figures import MAX_REASONS, MAX_SETS
from longshore.domain.partners import parser as partners
from longshore.domain.partners.connection_members import MAX_HEADERS
from longshore.domain.partners.setting_kinds import MAX_NETWORKS, MAX_OVERLAYS
from longshore.domain.transactions.lists import MAX_FILTER_CHARS, MAX_FILTER_VALUES
from longshore.domain.users.login import MAX_SESSIONS
from longshore.domain.users.passwords import PASSWORD_MAX_BYTES, PASSWORD_MIN_CHARS
from longshore.domain.users.service import MAX_USERS
from longshore.domain.users.throttle import (
    MAX_FAILURES_OF_CLIENT,
    MAX_FAILURES_OF_PAIR,
    WINDOW,
)
from longshore.http.limits import MAX_EXPORTS
from longshore.http.session.session import MAX_LOGIN_BYTES

Row = tuple[str, str, str]
INVALID = "400 `invalid_parameter`"
TOO_MUCH = "400 `limit_exceeded`"


def kept_limits() -> tuple[Row, ...]:
    """Return what is limited, how, and what happens beyond it."""
    return (*_partners(), *_maps(), *_accounts(), *_lists(), *_logins())


def _partners() -> tuple[Row, ...]:
    return (
        ("transaction sets agreed with a partner", f"{partners.MAX_AGREED_SETS}", INVALID),
        ("routes of a partner", f"{partners.MAX_ROUTES}", INVALID),
        ("`ack_hours` of a partner", f"1 to {partners.MAX_ACK_HOURS}", INVALID),
        ("request headers of a connection", f"{MAX_HEADERS}", INVALID),
        ("overlays of a partner", f"{MAX_OVERLAYS}", INVALID),
        ("networks that a partner sends from", f"{MAX_NETWORKS}", INVALID),
        ("missing control numbers shown for a partner", f"{MAX_GAPS}", "left out"),
    )


def _maps() -> tuple[Row, ...]:
    texts = (
        f"{maps.NAME_MAX_CHARS}, {maps.DESCRIPTION_MAX_CHARS:,} and {maps.NOTE_MAX_CHARS}"
        " characters"
    )
    return (
        ("name, description and note of a map", texts, INVALID),
        ("tests of a map", f"{maps.MAX_TESTS}", TOO_MUCH),
        (
            "lookup tables of a map",
            f"{maps.MAX_LOOKUPS}, with {maps.MAX_LOOKUP_ROWS:,} rows together",
            TOO_MUCH,
        ),
        ("documents that a map is replayed over", f"{MAX_DOCUMENTS}", INVALID),
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
            f"{MAX_FILTER_VALUES} values, texts of {MAX_FILTER_CHARS} characters",
            INVALID,
        ),
        ("lists as files of an account", f"{MAX_EXPORTS} at a time", "429"),
        ("entries of the audit log that one call reads", f"{MAX_READ:,}", "a short page"),
        (
            "sets and reasons that figures name",
            f"{MAX_SETS} transaction sets, {MAX_REASONS} reasons of rejections",
            "`other`, or left out",
        ),
        ("things that need attention", f"{MAX_ITEMS}", "`has_more`"),
    )


def _logins() -> tuple[Row, ...]:
    minutes = f"in {WINDOW // timedelta(minutes=1)} minutes"
    return (
        ("body of a login", f"{MAX_LOGIN_BYTES:,} bytes", "413 `document_too_large`"),
        (
            "a password",
            (
                f"{PASSWORD_MIN_CHARS} characters to {PASSWORD_MAX_BYTES:,} bytes, whose first"
                f" {ESTIMATED_CHARS} are not found within {GUESSES:,} estimated guesses"
            ),
            "400 `invalid_parameter`",
        ),
        ("failed logins of a user and client", f"{MAX_FAILURES_OF_PAIR} {minutes}", "429"),
        ("failed logins of a client", f"{MAX_FAILURES_OF_CLIENT} {minutes}", "429"),
        ("passwords checked", f"{MAX_RUNNING} at a time, {MAX_WAITING} waiting", "429"),
        ("users of an account", f"{MAX_USERS:,}", "409 `invalid_state`"),
        ("sessions of a user", f"{MAX_SESSIONS}", "the oldest ends"),
    )
