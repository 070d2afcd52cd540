"""Every name of ir_measures' registry with every parameter it takes, and what it says they are
worth: the same names are read here, for the measures that are here, and are worth the same.
"""

import random
from itertools import product

import ir_measures
import pytest
from ir_measures.measures import registry

from judge_tui.errors import UsageError
from judge_tui.model import Run
from judge_tui.scoring import parse_measure
from tests.scored import score_run

# Diversity, C/W/L and RBO: other kinds of qrels, or of what is measured.
ELSEWHERE = {
    *("Accuracy", "BPM", "Compat", "ERR_IA", "nERR_IA", "alpha_DCG", "α_DCG", "alpha_nDCG"),
    *("α_nDCG", "NRBP", "nNRBP", "AP_IA", "MAP_IA", "P_IA", "StRecall", "INST", "INSQ", "NERR8"),
    *("NERR9", "NERR10", "NERR11", "SDCG"),
}
VALUES = {
    "cutoff": (1, 4),
    "recall": (0.1, 0.5),
    "rel": (1, 2),
    "judged_only": (True, False),
    "relative": (True, False),
    "dcg": ("'log2'", "'exp-log2'"),
    "gains": ("{1:3,2:9}",),
    "p": (0.5,),
    "beta": (0.5, 2.0),
}

DRAW = random.Random(4)
QRELS = {
    f"{query}": {f"d{doc}": DRAW.choice([0, 0, 1, 2, 3]) for doc in DRAW.sample(range(30), 8)}
    for query in range(1, 8)
}
RUN = {
    f"{query}": {f"d{doc}": float(rank) for rank, doc in enumerate(DRAW.sample(range(30), 9))}
    for query in range(1, 8)
}


def names(name):
    """All that ir_measures takes; it wants to be given some parameters, and refuses some types."""
    supported = registry[name].SUPPORTED_PARAMS
    for values in product(*((None, *VALUES[parameter]) for parameter in supported)):
        given = {p: v for p, v in zip(supported, values, strict=True) if v is not None}
        if all(given.get(p) is not None for p, info in supported.items() if info.required):
            at = given.pop(registry[name].AT_PARAM, None)
            inside = ",".join(f"{parameter}={value}" for parameter, value in given.items())
            yield name + (f"({inside})" if inside else "") + ("" if at is None else f"@{at}")


@pytest.mark.parametrize("name", sorted(registry.keys() - ELSEWHERE))
def test_every_name_is_read_and_is_worth_the_same(name):
    read = {text: parse_measure(text) for text in names(name)}
    scored = score_run(QRELS, Run("r", RUN), list(read.values()))
    for text, measure in read.items():
        theirs = ir_measures.parse_measure(text)
        try:
            values = {each.query_id: each.value for each in theirs.iter_calc(QRELS, RUN)}
        except (ValueError, OSError):  # it knows the name, and nobody here computes it (or no perl)
            continue
        # gdeval's values, which it takes for ERR and exp-log2, are rounded.
        assert list(scored.values[str(measure)]) == pytest.approx(
            [values[query_id] for query_id in scored.query_ids],
            rel=0,
            abs=1e-5 if "ERR" in text or "exp" in text else 0,
        ), text


@pytest.mark.parametrize("name", sorted(ELSEWHERE))
def test_a_measure_that_is_not_here_is_refused(name):
    assert name in registry
    with pytest.raises(UsageError, match=r"no measure|not the name of a measure"):
        parse_measure(name)
