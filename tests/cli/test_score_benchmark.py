"""A graded benchmark in the place of qrels: it has the queries and their classes, too."""

from __future__ import annotations
