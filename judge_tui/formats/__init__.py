"""The outside world's files: readers, and writers of what we write.

Files are told by their content and opened whatever they are compressed with; every problem has its
file, its line and the way to mend it. `registry` says what a new format takes. Callers import from
the modules: `rows` and `whole_files` read, `writing` writes, `check` finds every problem.
"""
