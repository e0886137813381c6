"""Where a document is judged or converted: beside the event loop, unless it is very short."""

from collections.abc import Callable
from typing import Final

from longshore.domain.ports import Compute
from longshore.engine import ConvertedResult, RuleText
from longshore.kit.errors import LongshoreError

# Of a valid document two milliseconds. A hostile one takes 20 microseconds a character, a hundred
# times as long as reading it.
JUDGED_AT_ONCE_CHARS: Final = 2_048

# Each rule may look at all of the document, and write a constant for each of its segments, so the
# work grows with the product. Below it, what rules make out of nothing is bounded by these.
CONVERTED_AT_ONCE_DOCUMENT_CHARS: Final = 16_384
CONVERTED_AT_ONCE_PRODUCT: Final = 2**24
CONVERTED_AT_ONCE_SECONDS: Final = 0.01
CONVERTED_AT_ONCE_CHARS: Final = 2**20
_SPENT: Final = frozenset(("cpu_seconds", "value_chars"))


async def judge(
    compute: Compute, function: Callable[..., bytes], document: str | bytes, **options: object
) -> bytes:
    """Return what ``function`` makes of a document that is to be validated."""
    run = compute.run if len(document) <= JUDGED_AT_ONCE_CHARS else compute.submit_to_executor
    return await run(function, document, **options)


async def convert_fairly(
    compute: Compute,
    function: Callable[..., ConvertedResult],
    document: str,
    rules: RuleText,
    **options: object,
) -> ConvertedResult:
    """Return what ``function`` makes of a document and rules, so that nobody else waits for it.

    What is small is done at once, if that is a matter of milliseconds; else it begins anew beside
    the event loop.

    Raises:
        LongshoreError: As ``function``.
    """
    product = len(document) * rules.chars
    is_short = len(document) <= CONVERTED_AT_ONCE_DOCUMENT_CHARS
    if is_short and product <= CONVERTED_AT_ONCE_PRODUCT:
        try:
            return await compute.run(
                function,
                document,
                rules,
                cpu_seconds=CONVERTED_AT_ONCE_SECONDS,
                chars=CONVERTED_AT_ONCE_CHARS,
                **options,
            )
        except LongshoreError as refusal:
            if not any(detail.limit in _SPENT for detail in refusal.details):
                raise
    return await compute.submit_to_executor(function, document, rules, **options)
