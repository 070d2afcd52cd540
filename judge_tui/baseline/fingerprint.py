"""Whether two qrels say the same, whatever their files look like."""

from __future__ import annotations

from collections.abc import Mapping

from judge_tui.model import Qrels

__all__ = ["grades_digest", "qrels_sha256"]

_DIGITS = 16
"""Of the hash of one query's grades: two queries' are not compared, and a file has many."""


def qrels_sha256(qrels: Qrels) -> str:
    """The SHA-256, in hexadecimal, of the grades alone: neither the order of the lines nor their
    format, spacing, second column or compression plays a part.

    Hashed are the lines `query_id<TAB>doc_id<TAB>grade<LF>` in UTF-8, in byte order of query and
    document; of a plain TREC file, `awk '{print $1"\\t"$3"\\t"$4}' | LC_ALL=C sort | sha256sum`
    prints the same. A negative grade counts: it says that a pair was pooled.
    """
    import hashlib  # noqa: PLC0415 - scoring alone does not pay for OpenSSL

    digest = hashlib.sha256()
    for query_id in sorted(qrels):
        digest.update(_lines(qrels[query_id], f"{query_id}\t"))
    return digest.hexdigest()


def grades_digest(grades: Mapping[str, int]) -> str:
    """The first digits of the SHA-256 of one query's grades, whatever the query is called."""
    import hashlib  # noqa: PLC0415 - as above

    return hashlib.sha256(_lines(grades)).hexdigest()[:_DIGITS]


def _lines(grades: Mapping[str, int], start: str = "") -> bytes:
    lines = [f"{start}{doc_id}\t{grades[doc_id]:d}\n" for doc_id in sorted(grades)]
    return "".join(lines).encode("utf-8", "surrogatepass")
