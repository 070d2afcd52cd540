"""Pictures of results: data in, plain SVG out, without scripts, fonts or images from elsewhere."""

from __future__ import annotations

from judge_tui.report.plots.draw import draw
from judge_tui.report.plots.picture import Bars, Histogram, Interval, Intervals, Picture, Series

__all__ = ["Bars", "Histogram", "Interval", "Intervals", "Picture", "Series", "draw"]
