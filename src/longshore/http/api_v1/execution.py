"""Run validation and conversion in the event loop if they are short, else in the executor."""

from collections.abc import Callable
from typing import Final

from longshore.domain.ports import Compute
from longshore.engine import ConvertedResult, RuleText
from longshore.kit.errors import LongshoreError
from longshore.x12.dictionary.own_definitions import OwnDefinitions

# A valid document of this size takes two milliseconds. A hostile one takes 20 microseconds per
# character, a hundred times as long as reading it.
MAX_INLINE_VALIDATION_CHARS: Final = 2_048

# Each rule may read the whole document and write a constant for each of its segments, so the work
# grows with the product of both sizes. The last two bound the work of rules that need no input.
MAX_INLINE_CONVERSION_CHARS: Final = 16_384
MAX_INLINE_CONVERSION_PRODUCT: Final = 2**24
INLINE_CONVERSION_SECONDS: Final = 0.01
INLINE_CONVERSION_VALUE_CHARS: Final = 2**20
_INLINE_LIMITS: Final = frozenset(("cpu_seconds", "value_chars"))


async def run_validation(
    compute: Compute,
    function: Callable[..., bytes],
    document: str | bytes,
    definitions: OwnDefinitions | None,
    **options: object,
) -> bytes:
    """Run a function that validates a document, and return its result.

    The definitions of an account may take any time, so they are never used in the event loop.
    """
    if definitions is not None:
        options["definitions"] = definitions
    is_short = len(document) <= MAX_INLINE_VALIDATION_CHARS and definitions is None
    run = compute.run if is_short else compute.submit_to_executor
    return await run(function, document, **options)


async def run_conversion(
    compute: Compute,
    function: Callable[..., ConvertedResult],
    document: str,
    rules: RuleText,
    **options: object,
) -> ConvertedResult:
    """Convert a document without blocking the event loop, and return the result.

    A small conversion runs in the event loop for a few milliseconds. If that is not enough, it
    starts again in the executor.

    Raises:
        LongshoreError: ``function`` refused the document or the rules.
    """
    product = len(document) * rules.chars
    is_short = len(document) <= MAX_INLINE_CONVERSION_CHARS
    if is_short and product <= MAX_INLINE_CONVERSION_PRODUCT:
        try:
            return await compute.run(
                function,
                document,
                rules,
                cpu_seconds=INLINE_CONVERSION_SECONDS,
                chars=INLINE_CONVERSION_VALUE_CHARS,
                **options,
            )
        except LongshoreError as refusal:
            if not any(detail.limit in _INLINE_LIMITS for detail in refusal.details):
                raise
    return await compute.submit_to_executor(function, document, rules, **options)
