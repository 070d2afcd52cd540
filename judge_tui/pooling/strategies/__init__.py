"""How the documents of one query are put into the order in which they deserve to be judged. A
strategy is one file, and one line here.
"""

from judge_tui.pooling.strategies.depth import DEPTH
from judge_tui.pooling.strategies.rrf import RRF
from judge_tui.pooling.strategies.strategy import Strategy

__all__ = ["STRATEGIES", "Strategy"]

STRATEGIES: dict[str, Strategy] = {"depth": DEPTH, "rrf": RRF}
