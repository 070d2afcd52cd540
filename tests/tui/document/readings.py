"""Readings to show in tests."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

from judge_tui.tui.reading import Part, Span

TEXTS = st.text(
    st.one_of(
        st.sampled_from(" \n  abc"),
        st.sampled_from("日本語テキスト"),
        st.sampled_from("é\u0301👍🏽👩\u200d👧\ufe0f🇬🇧☁1\u20e3"),
        st.sampled_from("אבשלוםالسلامสวัสดีนमस्ते"),
        st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")),
    ),
    max_size=120,
)
"""Any text, with many breaks, wide characters and such as belong together."""


@dataclass
class Written:
    """A text with spans, in parts of exactly the size that is asked for."""

    text: str
    spans: tuple[Span, ...] = ()
    first_line: int | None = None
    last_line: int | None = None
    start_line: int = 0
    unnumbered: tuple[int, ...] = ()
    _taken: int = field(default=0, init=False)

    @property
    def done(self) -> float:
        return self._taken / len(self.text) if self._taken < len(self.text) else 1.0

    def take(self, step: int) -> Part:
        start = self._taken
        self._taken = stop = min(len(self.text), start + step)
        spans = tuple(
            (max(start, left) - start, min(stop, right) - start, name)
            for left, right, name in self.spans
            if left < stop and right > start
        )
        return Part(self.text[start:stop], spans)


@dataclass
class Pieces:
    """Another reading, in parts of sizes of one's own, whatever is asked for."""

    reading: Written
    steps: list[int]
    first_line: int | None = None
    last_line: int | None = None
    start_line: int = 0
    unnumbered: tuple[int, ...] = ()
    _turn: int = field(default=0, init=False)

    @property
    def done(self) -> float:
        return self.reading.done

    def take(self, step: int) -> Part:
        self._turn += 1
        return self.reading.take(self.steps[self._turn % len(self.steps)])
