"""Print the means of six measures for several runs, by the library ir_measures: `QRELS RUN...`.

For one run its command is timed; several would read the qrels anew with each call of it.
"""

import sys

import ir_measures
from ir_measures import AP, RR, Judged, P, R, nDCG


def main() -> None:
    """One evaluator for all runs, as the library's page advises."""
    qrels = ir_measures.read_trec_qrels(sys.argv[1])
    evaluator = ir_measures.evaluator([nDCG @ 10, RR, P @ 5, R @ 100, AP, Judged @ 10], qrels)
    for path in sys.argv[2:]:
        print(path, evaluator.calc_aggregate(ir_measures.read_trec_run(path)))


if __name__ == "__main__":
    main()
