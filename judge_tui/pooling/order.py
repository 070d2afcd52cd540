"""Orders that look random and are not: a document's place depends on the seed, the purpose and its
own ids, never on what else is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b
from operator import itemgetter

__all__ = ["drawn", "judging_order"]


def judging_order(pairs: Iterable[tuple[str, str]], seed: int, judge: str) -> list[tuple[str, str]]:
    """`pairs` (query_id, doc_id) as this judge meets them: query by query, in the order in which
    the queries first appear, shuffled within each.

    Each judge has an own order, so that tiredness and contrast fall on different documents. A pair
    that is added later falls between the others and never reorders them, and on every machine the
    order of a seed is the same: it is that of a keyed BLAKE2b hash (RFC 7693) of the ids.
    """
    place = drawn(seed, "judging", judge)
    by_query: dict[str, list[tuple[bytes, tuple[str, str]]]] = {}
    for pair in pairs:
        by_query.setdefault(pair[0], []).append((place(*pair), pair))
    return [pair for placed in by_query.values() for _, pair in sorted(placed, key=itemgetter(0))]


def drawn(seed: int, *purpose: str) -> Callable[..., bytes]:
    """A function from ids to 16 bytes that sort like a random draw, one draw for each purpose."""
    key = blake2b(_joined((str(seed), *purpose)), digest_size=32).digest()

    def place(*ids: str) -> bytes:
        return blake2b(_joined(ids), digest_size=16, key=key).digest()

    return place


def _joined(parts: tuple[str, ...]) -> bytes:
    # Each part's length stands before it: ("ab", "c") and ("a", "bc") must differ.
    return "".join([f"{len(part)}:{part}" for part in parts]).encode("utf-8", "surrogatepass")
