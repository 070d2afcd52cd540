"""The sample campaign, as whoever clones the project has it."""

from pathlib import Path

SAMPLES = Path(__file__).parents[2] / "sample_runs"
