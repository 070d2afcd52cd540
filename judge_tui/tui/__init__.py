"""The terminal app: `app`, `screens/`, `widgets/`; what it looks like stands in .tcss files.

Imported by nothing but the command that opens it. Every foreign string goes through `visible()` and
reaches a widget as `Content` or segments, never as markup.
"""
