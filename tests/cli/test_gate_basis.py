"""What runs stand beside may be nothing that a gate can be held to; a gate of another run is not
about that."""

from __future__ import annotations

import pytest

from judge_tui.cli.gates import Basis
from judge_tui.scoring import parse_gate


@pytest.mark.parametrize("basis", [Basis("b", 10, 9, tag="b"), Basis("b", 10, 3, 2, tag="b")])
@pytest.mark.parametrize(
    ("gate", "doubted"), [("RR>=baseline", True), ("b:RR>=baseline", True), ("c:RR>=.5", False)]
)
def test_only_a_gate_of_the_run_beside_it_is_doubted(basis, gate, doubted):
    told = list(basis.doubts(parse_gate(gate)))
    assert len(told) == doubted
    assert all("so that nothing can be held to it" in one for one in told)


def test_what_no_single_run_stands_beside_is_a_matter_of_every_gate():
    assert len(list(Basis("the baseline", 10, 9).doubts(parse_gate("c:RR>=baseline")))) == 1
