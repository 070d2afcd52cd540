"""Values of many systems for the same topics, as a comparison of all pairs starts from."""

from __future__ import annotations

import numpy as np


def system_values(systems: int, topics: int, seed: int) -> np.ndarray:
    """float[systems, topics] in 0-1: hard and easy topics, better and worse systems, some zeros."""
    generator = np.random.default_rng(seed)
    difficulty = generator.beta(2, 2, topics)
    quality = generator.normal(0, 0.08, (systems, 1))
    noise = generator.normal(0, 0.15, (systems, topics))
    return np.clip(difficulty + quality + noise, 0, 1)


def all_differences(values: np.ndarray) -> np.ndarray:
    """float[pairs, topics]: each system's values less those of every earlier one."""
    earlier, later = np.triu_indices(len(values), k=1)
    return values[later] - values[earlier]
