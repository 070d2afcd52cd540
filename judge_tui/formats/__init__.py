"""The outside world's files: readers, and writers of what we write.

Files are recognised by their content and opened whatever they are compressed with; every problem
has its file, its line and the way to mend it. Callers import from the modules: `rows` and
`whole_files` read, `writing` writes, `check` finds every problem.

The words of this room:

| word | meaning | where |
|---|---|---|
| kind | what a file holds: a run, qrels, judgments, queries, documents | `registry.Kind` |
| format | a way to write a kind, with a name and a reader | `registry.FORMATS` |
| form | a way that we write a kind, with a name and a writer | `writers` |
| layout | what the user says of a file: its format, its columns, its labels | `source.Layout` |
| shape | what the first lines of a file are made of: a table, JSON Lines, … | `sniff.Shape` |
| signature | the shape and the names that files of a format have | `registry.Signature` |

Formats are named after what the file is, forms after who wants it, so that some have two names: the
forms `ranx`, `quepid-snapshot` and `quepid-detailed` are of the formats `json` and `quepid`, and
qrels in the form `msmarco` are of the format `trec`.
"""
