"""The registry of measures: a line for every measure there is, and its file only when wanted."""

import importlib
import pkgutil
import subprocess
import sys

from judge_tui.scoring import MEASURES, Definition, measures, parse_measure


def test_every_definition_in_the_folder_has_its_line():
    defined = [
        value
        for found in pkgutil.iter_modules(measures.__path__, f"{measures.__name__}.")
        for value in vars(importlib.import_module(found.name)).values()
        if isinstance(value, Definition)
    ]
    assert sorted(defined, key=id) == sorted(MEASURES.values(), key=id)


def test_every_line_names_its_definition():
    assert [definition.name for definition in MEASURES.values()] == list(MEASURES)
    assert "MRR" not in MEASURES
    assert parse_measure("MRR").definition is MEASURES["RR"]


def test_a_measure_is_imported_when_it_is_asked_for():
    code = (
        "import sys\n"
        "from judge_tui.scoring import MEASURES, parse_measures\n"
        "assert len(list(MEASURES)) == len(MEASURES) and 'ERR' in MEASURES\n"
        "parse_measures(['nDCG@10', 'AP'])\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    room = f"{measures.__name__}."
    imported = {name for name in done.stdout.decode().split() if name.startswith(room)}
    assert imported == {f"{room}ndcg", f"{room}ap"}
