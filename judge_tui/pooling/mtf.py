"""Move-to-front pooling: runs that just gave relevant documents go on."""

from __future__ import annotations

from judge_tui.pooling.strategy import Choice, PooledQuery
from judge_tui.pooling.turns import drawn_lists, take_turns


def mtf(query: PooledQuery) -> list[Choice]:
    """Choose from the run of highest priority. All begin alike; a document that is not relevant
    lowers the priority of the run that gave it by one, so that another run has its turn. What
    nobody judged counts as not relevant (`PooledQuery.relevant`).

    Cormack, Palmer & Clarke (1998), SIGIR, 282-289: local move-to-front, a query at a time. Their
    judge reads one document after another; here a round asks for many, and the order is that which
    the grades of now would have led to.
    """
    lists = drawn_lists(query)
    priority = [0.0] * len(lists)
    choices = []
    for run, doc_id in take_turns(lists, priority):
        choices.append(Choice(doc_id))
        if not query.relevant(doc_id):
            priority[run] -= 1
    return choices
