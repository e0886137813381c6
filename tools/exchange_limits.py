"""The rows of docs/reference/limits.md about exchanging documents, as the code knows them."""

from longshore.domain.acks.back_mapping import MAX_ERRORS
from longshore.domain.acks.complaints import MAX_COMPLAINTS
from longshore.domain.acks.received import MAX_OF_ONE, MAX_STRAY_SETS
from longshore.domain.acks.reconciler import MAX_ERRORS_OF_ALL
from longshore.domain.delivery.schedule import MAX_ATTEMPTS
from longshore.domain.exports import MAX_ROWS
from longshore.domain.inbound.channel import MAX_WRONG
from longshore.domain.inbound.parser import MAX_INTERCHANGES, MAX_SETS
from longshore.domain.outbound import drafts
from longshore.domain.outbound import submission as orders
from longshore.domain.overview.model import MAX_DAYS
from longshore.domain.partners.identities import MAX_IDENTITIES
from longshore.domain.transactions.redrive import MAX_REDRIVEN
from longshore.domain.transactions.references import MAX_REFERENCES, MAX_VALUE_CHARS
from longshore.http.edi.bodies import MAX_FIELDS
from longshore.http.edi.gzip import MAX_MEMBERS, MAX_RATIO
from longshore.http.edi.multipart import MAX_HEADER_BYTES, MAX_HEADERS, MAX_PARTS
from longshore.http.edi.receive import MAX_BYTES
from longshore.http.listing import MAX_COUNTED, MAX_LIMIT
from longshore.http.waiting import WAIT_SECONDS
from longshore.x12.validate.validation import MAX_ANSWERED_FINDINGS

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
            f"{MAX_BYTES:,} bytes, before and after it is expanded",
            "413 `document_too_large`",
        ),
        (
            "expansion of a gzip body",
            f"{MAX_RATIO} times, of {MAX_MEMBERS} members",
            "413 `document_too_large`, or 400 `bad_request`",
        ),
        (
            "parts of a form",
            f"{MAX_PARTS}, each with at most {MAX_HEADERS} headers of {MAX_HEADER_BYTES:,} bytes",
            "400 `bad_request`",
        ),
        ("fields of a form", f"{MAX_FIELDS}", "400 `bad_request`"),
        ("wrong inbound addresses of a client", f"{MAX_WRONG} a minute", "429"),
        ("wait for the result of a document", f"{WAIT_SECONDS} s", "the plain answer"),
        ("interchanges of a received document", f"{MAX_INTERCHANGES:,}", SET_ASIDE),
        ("transaction sets of a received document", f"{MAX_SETS:,}", SET_ASIDE),
        ("findings stored of a received interchange", f"{MAX_ANSWERED_FINDINGS:,}", "counted"),
        (
            "references of a transaction",
            f"{MAX_REFERENCES}, of {MAX_VALUE_CHARS} characters each",
            "left out",
        ),
    )


def _submitting() -> tuple[Row, ...]:
    metadata = (
        f"{orders.MAX_METADATA} members, names of {orders.MAX_METADATA_NAME_CHARS} and values"
        f" of {orders.MAX_METADATA_VALUE_CHARS:,} characters"
    )
    return (
        ("transaction sets of a submit", f"{drafts.MAX_SETS:,}", "400 `limit_exceeded`"),
        ("findings shown of a submit", f"{drafts.MAX_SHOWN} of a kind", "counted"),
        ("`Idempotency-Key`", f"{orders.MAX_KEY_CHARS} characters", INVALID),
        ("`business_key`", f"{orders.MAX_BUSINESS_KEY_CHARS} characters", INVALID),
        ("`reason`", f"{orders.MAX_REASON_CHARS} characters", INVALID),
        ("`metadata`", metadata, INVALID),
    )


def _following() -> tuple[Row, ...]:
    return (
        ("attempts to deliver", f"{MAX_ATTEMPTS}", "a dead letter"),
        ("dead letters of a redrive", f"{MAX_REDRIVEN:,}", INVALID),
        ("acknowledgements accepted of one group", f"{MAX_OF_ONE} in an interchange", "left out"),
        (
            "errors stored of received acknowledgements",
            f"{MAX_ERRORS:,} of a set, {MAX_ERRORS_OF_ALL:,} of an interchange",
            "left out",
        ),
        ("acknowledged sets that nobody sent", f"{MAX_STRAY_SETS} of a group", "left out"),
        ("errors of an acknowledgement that are counted", f"{MAX_COMPLAINTS}", "left out"),
        ("days of the figures", f"{MAX_DAYS}", INVALID),
        ("rows of a list as a file", f"{MAX_ROWS:,}", "400 `limit_exceeded`"),
        ("identities of an account", f"{MAX_IDENTITIES}", INVALID),
        ("entries of a page of a list", f"{MAX_LIMIT}", f"counts as {MAX_LIMIT}"),
        (
            "entries that a list in the browser counts",
            f"{MAX_COUNTED:,}",
            "`total_is_exact` is false",
        ),
    )
