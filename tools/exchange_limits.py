"""The rows of docs/reference/limits.md about exchanging documents, as the code knows them."""

from longshore.domain.acks.back_mapping import MOST_ERRORS
from longshore.domain.acks.complaints import MOST_COMPLAINTS
from longshore.domain.acks.received import MOST_OF_ONE, MOST_STRAY_SETS
from longshore.domain.acks.reconciler import MOST_ERRORS_OF_ALL
from longshore.domain.delivery.outcome import MOST_ATTEMPTS
from longshore.domain.exports import MOST_ROWS
from longshore.domain.inbound.channel import MOST_WRONG
from longshore.domain.inbound.reading import MOST_INTERCHANGES, MOST_SETS
from longshore.domain.outbound import drafts
from longshore.domain.outbound import submission as orders
from longshore.domain.overview.model import MOST_DAYS
from longshore.domain.partners.identities import MOST_IDENTITIES
from longshore.domain.transactions.references import MOST_REFERENCES, MOST_VALUE_CHARS
from longshore.domain.transactions.service import MOST_REDRIVEN
from longshore.http.edi.bodies import MOST_FIELDS
from longshore.http.edi.gzip import MOST_MEMBERS, MOST_RATIO
from longshore.http.edi.multipart import MOST_HEADER_BYTES, MOST_HEADERS, MOST_PARTS
from longshore.http.edi.receive import MOST_BYTES
from longshore.http.listing import MAX_LIMIT, MOST_COUNTED
from longshore.http.waiting import WAIT_SECONDS
from longshore.x12.validate.validation import MOST_FINDINGS

Row = tuple[str, str, str]
INVALID = "400 `invalid_parameter`"
SET_ASIDE = "`quarantined`, `limit_exceeded`"


def exchange_limits() -> tuple[Row, ...]:
    """Return what is limited, how, and what happens beyond it."""
    return (*_receiving(), *_submitting(), *_following())


def _receiving() -> tuple[Row, ...]:
    return (
        (
            "body that a partner pushes",
            f"{MOST_BYTES:,} bytes, before and after it is expanded",
            "413 `document_too_large`",
        ),
        (
            "expansion of a gzip body",
            f"{MOST_RATIO} times, of {MOST_MEMBERS} members",
            "413 `document_too_large`, or 400 `bad_request`",
        ),
        (
            "parts of a form",
            f"{MOST_PARTS}, each with at most {MOST_HEADERS} headers of {MOST_HEADER_BYTES:,} bytes",
            "400 `bad_request`",
        ),
        ("fields of a form", f"{MOST_FIELDS}", "400 `bad_request`"),
        ("wrong inbound addresses of a client", f"{MOST_WRONG} a minute", "429"),
        ("wait for what becomes of a document", f"{WAIT_SECONDS} s", "the plain answer"),
        ("interchanges of a received document", f"{MOST_INTERCHANGES:,}", SET_ASIDE),
        ("transaction sets of a received document", f"{MOST_SETS:,}", SET_ASIDE),
        ("findings kept of a received interchange", f"{MOST_FINDINGS:,}", "counted"),
        (
            "references of a transaction",
            f"{MOST_REFERENCES}, of {MOST_VALUE_CHARS} characters each",
            "left out",
        ),
    )


def _submitting() -> tuple[Row, ...]:
    metadata = (
        f"{orders.MOST_METADATA} members, names of {orders.MOST_METADATA_NAME_CHARS} and values"
        f" of {orders.MOST_METADATA_VALUE_CHARS:,} characters"
    )
    return (
        ("transaction sets of a submit", f"{drafts.MOST_SETS:,}", "400 `limit_exceeded`"),
        ("findings shown of a submit", f"{drafts.MOST_SHOWN} of a kind", "counted"),
        ("`Idempotency-Key`", f"{orders.MOST_KEY_CHARS} characters", INVALID),
        ("`business_key`", f"{orders.MOST_BUSINESS_KEY_CHARS} characters", INVALID),
        ("`reason`", f"{orders.MOST_REASON_CHARS} characters", INVALID),
        ("`metadata`", metadata, INVALID),
    )


def _following() -> tuple[Row, ...]:
    return (
        ("attempts to deliver", f"{MOST_ATTEMPTS}", "a dead letter"),
        ("dead letters of a redrive", f"{MOST_REDRIVEN:,}", INVALID),
        ("acknowledgements taken of one group", f"{MOST_OF_ONE} in an interchange", "left out"),
        (
            "errors kept of received acknowledgements",
            f"{MOST_ERRORS:,} of a set, {MOST_ERRORS_OF_ALL:,} of an interchange",
            "left out",
        ),
        ("acknowledged sets that nobody sent", f"{MOST_STRAY_SETS} of a group", "left out"),
        ("complaints of an acknowledgement that are counted", f"{MOST_COMPLAINTS}", "left out"),
        ("days that figures are asked for", f"{MOST_DAYS}", INVALID),
        ("rows of a list as a file", f"{MOST_ROWS:,}", "400 `limit_exceeded`"),
        ("identities of an account", f"{MOST_IDENTITIES}", INVALID),
        ("entries of a page of a list", f"{MAX_LIMIT}", f"counts as {MAX_LIMIT}"),
        (
            "entries that a list in the browser counts",
            f"{MOST_COUNTED:,}",
            "`total_is_exact` is false",
        ),
    )
