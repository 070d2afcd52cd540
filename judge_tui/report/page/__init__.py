"""The page for people who were not there: what was asked, what was done, what came out, and how
far it can be trusted. `report_page` says what is on it; HTML and Markdown are its forms.
"""

from __future__ import annotations

from judge_tui.report.page.campaign import report_page
from judge_tui.report.page.render import page_html, page_markdown

__all__ = ["page_html", "page_markdown", "report_page"]
