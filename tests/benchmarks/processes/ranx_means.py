"""Print the means of five measures for each run, by ranx: `QRELS RUN...`."""

import sys

from ranx import Qrels, Run, evaluate

MEASURES = ["ndcg@10", "mrr", "map", "precision@5", "recall@100"]


def main() -> None:
    """Read the files with ranx's own readers; queries that only one side has are its to settle."""
    qrels = Qrels.from_file(sys.argv[1], kind="trec")
    for path in sys.argv[2:]:
        run = Run.from_file(path, kind="trec")
        print(path, evaluate(qrels, run, MEASURES, make_comparable=True))


if __name__ == "__main__":
    main()
