"""The documents that are nearest to a query: exact cosines, no index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from judge_tui.collect.reply import AskError, Hit
from judge_tui.errors import UsageError
from judge_tui.model import Document

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Nearest", "refuse_pair"]

_BLOCK = 16_384


class Nearest:
    """Documents and their vectors."""

    def __init__(
        self,
        documents: Sequence[Document],
        rows: npt.NDArray[np.float32],
        among: Mapping[str, Sequence[Document]] | None = None,
    ) -> None:
        """`rows`: float32[documents, dimensions]. `among`: query_id -> which of the documents it
        has to choose from; None where those are all of them. Raises `UsageError` for a vector of
        zeros."""
        self._documents = documents
        self._rows = rows
        self._lengths = _lengths(documents, rows)
        self._among = None if among is None else _places(documents, among)

    def to(self, query_id: str, vector: npt.NDArray[np.float32], k: int) -> list[Hit]:
        """By cosine, equals in the order of the documents. Raises `AskError` for a vector of
        another length, and for one of zeros."""
        import numpy as np  # noqa: PLC0415

        refuse_pair(vector, self._rows.shape[1])
        exact = vector.astype(np.float64)
        length = float(np.linalg.norm(exact))
        rows, lengths, places = self._rows, self._lengths, None
        if self._among is not None:
            places = self._among[query_id]
            rows, lengths = rows[places], lengths[places]
        # The same sums in the same order on every machine would be too much to ask; the same ranks
        # are not: what differs in the last digits counts as equal.
        products = [
            rows[at : at + _BLOCK].astype(np.float64) @ (exact / length)
            for at in range(0, len(rows), _BLOCK)
        ]
        cosines = np.round(np.concatenate(products) / lengths, 12)
        return [
            self._hit(int(at if places is None else places[at]), float(cosines[at]))
            for at in _highest(cosines, k)
        ]

    def _hit(self, at: int, cosine: float) -> Hit:
        document = self._documents[at]
        return Hit(document.doc_id, cosine, document.title, document.text, document.url)


def refuse_pair(vector: npt.NDArray[np.float32], dimensions: int) -> None:
    """Raise `AskError` for a query's vector that has no cosine with documents' of `dimensions`."""
    if vector.shape[0] != dimensions:
        raise AskError(
            f"the query's vector has {vector.shape[0]} numbers and those of the documents have "
            f"{dimensions}"
        )
    if not vector.any():
        raise AskError("the query's vector is all zeros, which has no direction")


def _lengths(
    documents: Sequence[Document], rows: npt.NDArray[np.float32]
) -> npt.NDArray[np.float64]:
    import numpy as np  # noqa: PLC0415

    lengths = np.concatenate(
        [
            np.linalg.norm(rows[at : at + _BLOCK].astype(np.float64), axis=1)
            for at in range(0, len(rows), _BLOCK)
        ]
    )
    if (zeros := np.flatnonzero(lengths == 0)).size:
        raise UsageError(
            f"the vector of document {documents[zeros[0]].doc_id!r} is all zeros",
            "a cosine needs a direction; leave it out",
        )
    return lengths


def _places(
    documents: Sequence[Document], among: Mapping[str, Sequence[Document]]
) -> dict[str, npt.NDArray[np.intp]]:
    """query_id -> where its documents stand, ascending."""
    import numpy as np  # noqa: PLC0415

    at = {document.doc_id: place for place, document in enumerate(documents)}
    return {
        query_id: np.array(sorted(at[one.doc_id] for one in held), dtype=np.intp)
        for query_id, held in among.items()
    }


def _highest(values: npt.NDArray[np.float64], k: int) -> npt.NDArray[np.intp]:
    """Where the `k` highest stand, highest first, of equals the first one first."""
    import numpy as np  # noqa: PLC0415

    if k < len(values):
        least = np.partition(values, len(values) - k)[len(values) - k]
        among = np.flatnonzero(values >= least)
    else:
        among = np.arange(len(values))
    return among[np.argsort(-values[among], kind="stable")][:k]
