"""Why a pair is in the pool: its stratum, the name of a strategy or one of these."""

from __future__ import annotations

from judge_tui.pooling.strategies import STRATEGIES

AUDIT = "audit"
GOLD = "gold"
LOADED = "loaded"
MERGED = "merged"
FROM_RESULTS = "results"

STRATA = {
    AUDIT: "drawn at random from what the pool leaves out",
    GOLD: "of known grade, to check the judges",
    LOADED: "from a file of grades",
    MERGED: "from what somebody judged elsewhere",
    FROM_RESULTS: "sent by somebody who looked at the results",
    **{one.name: one.why for one in STRATEGIES.values()},
}
"""What a stratum means, as reports say it."""
