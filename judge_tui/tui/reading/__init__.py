"""What a document looks like when it is read: text, made ready piece by piece, and its styles.

A reading never holds up the screen: whatever the length of the document, the first piece comes as
soon as it is asked for, and the rest when it is needed.
"""

from judge_tui.tui.reading.choice import has_rendering, reading_of
from judge_tui.tui.reading.kinds import nature_of
from judge_tui.tui.reading.metadata import metadata_text
from judge_tui.tui.reading.plain import PlainReading
from judge_tui.tui.reading.reading import Part, Reading, Span

__all__ = [
    "Part",
    "PlainReading",
    "Reading",
    "Span",
    "has_rendering",
    "metadata_text",
    "nature_of",
    "reading_of",
]
