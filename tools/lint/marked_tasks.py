"""A marked task names its issue: ``TODO(#123): …``, or it is not written.

Danger: a task without an issue has no owner and no date; the next reader cannot tell a warning
from a wish, and after a year nobody dares to delete it.
"""

import io
import re
import tokenize
from collections.abc import Iterator

from tools.lint.source import Source, Violation

NAME = "marked-tasks"
MARK = re.compile(r"#.*?\b(TODO|FIXME|XXX|HACK)\b(?P<issue>\(#[0-9]+\): \S)?")


def check(source: Source) -> Iterator[Violation]:
    """Find marks in comments that do not name an issue, and marks other than TODO."""
    if not MARK.search(source.text):
        return  # to look for comments takes longer
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type != tokenize.COMMENT:
            continue
        mark = MARK.match(token.string)
        if mark and (mark[1] != "TODO" or mark["issue"] is None):
            yield Violation(
                path=source.path,
                line=token.start[0],
                message=f"{mark[1]} without an issue: write TODO(#123): what, or do it",
            )
