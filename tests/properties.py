"""How often properties are tried that cost more than others."""

from __future__ import annotations

from hypothesis import settings

dear = settings(max_examples=settings.default.max_examples // 3)
"""A third as often: each example takes a tenth of a second or more."""
