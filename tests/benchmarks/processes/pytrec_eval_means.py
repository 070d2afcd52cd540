"""Print the means of five measures for each run, by pytrec-eval-terrier: `QRELS RUN...`."""

import sys

import pytrec_eval

MEASURES = {"ndcg_cut.10", "recip_rank", "map", "P.5", "recall.100"}


def main() -> None:
    """Read the files with pytrec_eval's own parsers, evaluate, average with its own function."""
    with open(sys.argv[1]) as file:  # noqa: PTH123 - as the tool's page has it
        qrels = pytrec_eval.parse_qrel(file)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, MEASURES)
    for path in sys.argv[2:]:
        with open(path) as file:  # noqa: PTH123
            values = evaluator.evaluate(pytrec_eval.parse_run(file))
        for name in sorted(next(iter(values.values()))):
            mean = pytrec_eval.compute_aggregated_measure(
                name, [of_query[name] for of_query in values.values()]
            )
            print(path, name, mean)


if __name__ == "__main__":
    main()
