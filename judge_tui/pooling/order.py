"""Orders that look random and are not: a document's place depends on the seed, the purpose and its
own ids, never on what else is there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b


def judging_order(
    query_id: str, doc_ids: Sequence[str], seed: int, judge: str, *, turn: int = 0
) -> list[int]:
    """The places of a query's documents in `doc_ids`, as this judge meets them: shuffled.

    Each judge has an own order, so that tiredness and contrast fall on different documents, and
    another one where documents come a second time (`turn` 1). A document that is added later falls
    between the others and never reorders them, and on every machine the order of a seed is the
    same: it is that of a keyed BLAKE2b hash (RFC 7693) of the ids.
    """
    purpose = ("judging", judge) if turn == 0 else ("judging again", judge)
    # The query's part of the hash is the same for all its documents.
    start = blake2b(_joined((query_id,)), digest_size=16, key=_key(seed, purpose))
    places = []
    for doc_id in doc_ids:
        place = start.copy()
        place.update(_measured(doc_id))
        places.append(place.digest())
    return sorted(range(len(places)), key=places.__getitem__)


def drawn(seed: int, *purpose: str) -> Callable[..., bytes]:
    """A function from ids to 16 bytes that sort like a random draw, one draw for each purpose."""
    key = _key(seed, purpose)

    def place(*ids: str) -> bytes:
        return blake2b(_joined(ids), digest_size=16, key=key).digest()

    return place


def _key(seed: int, purpose: tuple[str, ...]) -> bytes:
    return blake2b(_joined((str(seed), *purpose)), digest_size=32).digest()


def _joined(parts: tuple[str, ...]) -> bytes:
    # Each part's length stands before it: ("ab", "c") and ("a", "bc") must differ.
    return b"".join(map(_measured, parts))


def _measured(part: str) -> bytes:
    return f"{len(part)}:{part}".encode("utf-8", "surrogatepass")
