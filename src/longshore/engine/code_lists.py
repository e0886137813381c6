"""Read the codes of a user, which change the code lists of the dictionary."""

from __future__ import annotations

from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.lines import DictionaryError
from longshore.x12.dictionary.own_codes import CodeLists, read_code_rows
from longshore.x12.dictionary.refusals import FileRefusedError


def read_code_lists(text: str, *, file: str = "codes.csv") -> CodeLists:
    """Return the codes of CSV with the columns element, code, meaning, from, to and action.

    Args:
        text: The CSV, with or without a header.
        file: The name of the file, which errors show.

    Raises:
        FileRefusedError: invalid_parameter, with a detail for each wrong line.
    """
    try:
        return CodeLists(read_code_rows(file, text, shipped().vocabulary))
    except DictionaryError as error:
        raise FileRefusedError(error) from error
