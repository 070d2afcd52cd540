"""How large a difference is beside its own spread."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from judge_tui.significance.grid import Floats, on_grid

__all__ = ["effect_size"]


def effect_size(differences: Sequence[float] | Floats) -> float | None:
    """d_z = mean / sample sd of the paired differences (Cohen, 1988).

    None for fewer than two differences and where all are equal.
    """
    values = np.asarray(differences, dtype=np.float64)
    if len(values) < 2 or np.ptp(on_grid(values)) == 0:
        return None
    return float(values.mean() / values.std(ddof=1))
