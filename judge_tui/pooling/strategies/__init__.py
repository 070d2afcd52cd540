"""How the documents to be judged are chosen. A strategy is one module, and one name here."""

from judge_tui.pooling.strategies.depth import DEPTH
from judge_tui.pooling.strategies.rrf import RRF
from judge_tui.pooling.strategies.strategy import Choice, Strategy

__all__ = ["STRATEGIES", "Choice", "Strategy"]

STRATEGIES: dict[str, Strategy] = {one.name: one for one in (DEPTH, RRF)}
