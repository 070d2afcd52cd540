"""The terminal app: Home, Judge, Settle and Results.

`session` has what the screens share, `rendering` makes lines of documents, `widgets` show things
and know no campaign, and each screen is one class in one file.
"""
