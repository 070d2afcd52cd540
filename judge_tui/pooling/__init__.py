"""Which (query, document) pairs are judged (`pool`), by whom (`assignment`), and in which order
(`order`). Pure: ranked lists in, pairs out; the same seed gives the same on every machine.
"""
