"""No public class name stands for two things, and no two modules need each other."""

import re
from collections import defaultdict
from graphlib import TopologicalSorter

from tests.architecture.repository import ROOT, python_files

CLASS = re.compile(r"^class ([A-Z]\w*)", re.MULTILINE)
# At the beginning of a line: what is loaded with the module. Names in brackets span lines.
IMPORT = re.compile(r"^from (longshore[\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)


def test_no_public_class_name_stands_for_two_things() -> None:
    places = defaultdict(list)
    for path in python_files("src"):
        for name in CLASS.findall(path.read_text(encoding="utf-8")):
            places[name].append(path.relative_to(ROOT).as_posix())
    assert len(places) > 500
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def test_modules_are_loaded_in_an_order_without_cycles() -> None:
    """The slices of the domain may know each other's records, so their modules are looked at."""
    texts = {
        ".".join(path.relative_to(ROOT / "src").with_suffix("").parts): path.read_text("utf-8")
        for path in python_files("src")
    }
    needs = {
        module: {
            each
            for package, names in IMPORT.findall(text)
            for name in re.findall(r"\w+", names)
            for each in (f"{package}.{name}", package)
            if each in texts and each != module
        }
        for module, text in texts.items()
    }
    assert sum(map(len, needs.values())) > 3_000
    TopologicalSorter(needs).prepare()  # raises CycleError
