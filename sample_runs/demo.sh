#!/bin/sh
# The main job on the sample campaign, by the commands one would type; each is printed as it runs.
# Again: what is there already is left alone, and judging resumes. DEMO names the folder it uses.
set -eu

here=$(dirname "$0")
demo=${DEMO:-demo}
PATH=$(cd "${BIN:-.venv/bin}" && pwd):$PATH
export JUDGE_TUI_DB="$demo/campaign.db"

run() {
    printf '\n$'
    for word in "$@"; do
        case $word in
            *[!A-Za-z0-9_./:=@-]*) printf ' "%s"' "$word" ;;
            *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    "$@"
}

mkdir -p "$demo"
printf 'export JUDGE_TUI_DB=%s\n' "$JUDGE_TUI_DB"

if [ ! -e "$demo/.built" ]; then
    [ -e "$demo/documents.jsonl" ] || run python "$here/make_documents.py" -o "$demo/documents.jsonl"
    [ -e "$JUDGE_TUI_DB" ] ||
        run judge-tui init --name "Python documentation" --guidelines "$here/guidelines.md" --seed 2026
    run judge-tui load queries "$here/queries.jsonl"
    run judge-tui load run "$here"/runs/*.run
    run judge-tui load docs "$demo/documents.jsonl"
    run judge-tui pool --depth 10
    run judge-tui load qrels "$here/grades/assessor-a.qrels" --judge assessor-a --kind model
    run judge-tui load qrels "$here/grades/assessor-b.qrels" --judge assessor-b --kind model
    touch "$demo/.built"
else
    printf '\nThe campaign is there already, and goes on. To start it over: make clean\n'
fi
run judge-tui status

if [ -t 0 ] && [ -t 1 ] && [ -t 2 ]; then
    printf '\nThe app opens now: a digit grades, ? shows the keys, q goes on with the demo.\n'
    run judge-tui judge --judge you
else
    printf '\nThere is no terminal here, so the app is not opened; the sample grades are used as they are.\n'
fi

run judge-tui agreement --include-models
# Where the two assessors differ and nobody has settled it, no majority decides: left out, and counted.
run judge-tui export qrels -o "$demo/qrels.txt" --include-models --unresolved skip
run judge-tui score "$demo/qrels.txt" "$here"/runs/*.run
run judge-tui compare "$demo/qrels.txt" "$here"/runs/*.run --baseline bm25 -m nDCG@10 -m RR@10
run judge-tui results --failures bm25 --include-models
run judge-tui report -o "$demo/report.html" --baseline bm25 --include-models

printf '\nNext: judge-tui review --lead you --include-models, judge-tui results --include-models, and %s in a browser.\n' "$demo/report.html"
