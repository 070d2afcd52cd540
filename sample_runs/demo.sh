#!/bin/sh
# The main job on the sample campaign, by the commands one would type; each is printed as it runs.
# Again: what is there already is left alone, and judging resumes. DEMO names the folder it uses.
set -eu

here=$(dirname "$0")
demo=${DEMO:-demo}
bin=${BIN:-.venv/bin}
PATH=$(cd "$bin" && pwd):$PATH
# Named to each command, so that each, and what it says comes next, can be typed in any shell.
db=$demo/campaign.db

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

if [ ! -e "$demo/.built" ]; then
    [ -e "$demo/documents.jsonl" ] || run python "$here/make_documents.py" -o "$demo/documents.jsonl"
    [ -e "$db" ] ||
        run judge-tui init --db "$db" --name "Python documentation" --guidelines "$here/guidelines.md" --seed 2026 --include-models
    run judge-tui load queries --db "$db" "$here/queries.jsonl"
    run judge-tui load run --db "$db" "$here"/runs/*.run
    run judge-tui settings --db "$db" baseline bm25
    run judge-tui load docs --db "$db" "$demo/documents.jsonl"
    run judge-tui pool --db "$db" --depth 10
    run judge-tui load qrels --db "$db" "$here/grades/assessor-a.qrels" --judge assessor-a --kind model
    run judge-tui load qrels --db "$db" "$here/grades/assessor-b.qrels" --judge assessor-b --kind model
    touch "$demo/.built"
else
    printf '\nThe campaign is there already, and goes on. To start it over: make clean\n'
fi
run judge-tui status --db "$db"

if [ -t 0 ] && [ -t 1 ] && [ -t 2 ]; then
    printf '\nThe app opens now: a digit grades, ? shows the keys, q goes on with the demo.\n'
    run judge-tui judge --db "$db" --judge you
else
    printf '\nThere is no terminal here, so the app is not opened; the sample grades are used as they are.\n'
fi

run judge-tui agreement --db "$db"
# Where the two assessors differ and nobody has settled it, no majority decides: left out, and counted.
run judge-tui export qrels --db "$db" -o "$demo/qrels.txt" --unresolved skip --force
run judge-tui score "$demo/qrels.txt" "$here"/runs/*.run
run judge-tui compare "$demo/qrels.txt" "$here"/runs/*.run --baseline bm25 -m nDCG@10 -m RR@10
run judge-tui results --db "$db" --failures bm25
run judge-tui report --db "$db" -o "$demo/report.html" --force

printf '\nNext, beside %s in a browser:\n' "$demo/report.html"
printf '    %s --db "%s" --lead you\n' "$bin/judge-tui settle" "$db"
printf '    %s --db "%s"\n' "$bin/judge-tui results" "$db"
