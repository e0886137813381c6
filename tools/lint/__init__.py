"""House rules: what ruff, mypy and the import contracts cannot see.

One module a rule. Its docstring names the danger, its ``check`` yields a violation for each place.
A place where the rule makes the code worse is excused on its own line, with the reason:
``# house: digits - the column is declared ASCII``. Run: ``python -m tools.lint``.
"""
