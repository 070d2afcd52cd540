"""judge_tui: relevance judging, agreement and evaluation of search systems in one terminal app."""

from __future__ import annotations

__version__ = "0.1.0"
