"""One document on the screen: its text as far as it was made ready, its rows, what is found in it.

Nothing here knows Textual's widgets; `widgets/document_view.py` draws it and moves through it.
"""

from judge_tui.tui.document.finding import Finding
from judge_tui.tui.document.hits import Hits
from judge_tui.tui.document.ready_document import ReadyDocument
from judge_tui.tui.document.rows import Rows

__all__ = ["Finding", "Hits", "ReadyDocument", "Rows"]
