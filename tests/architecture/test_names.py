"""No public class name stands for two things."""

import ast
from collections import defaultdict
from collections.abc import Iterator

from tests.architecture.repository import ROOT, python_files


def public_classes() -> Iterator[tuple[str, str]]:
    """Yield the name and the path of each public class."""
    for path in python_files("src"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name, path.relative_to(ROOT).as_posix()


def test_no_public_class_name_stands_for_two_things() -> None:
    places = defaultdict(list)
    for name, path in public_classes():
        places[name].append(path)
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}
