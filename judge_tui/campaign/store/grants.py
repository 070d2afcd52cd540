"""What a judge's own role on a PostgreSQL server may do: read one desk, and add to it.

The server holds it, whatever program the judge uses: row-level security of PostgreSQL (its manual,
chapter 5.8). Who made the campaign, and members of that role, are bound by none of it.
"""

from __future__ import annotations

from collections.abc import Iterable

import psycopg
from psycopg import sql

from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.event import DECISIONS
from judge_tui.campaign.store.judges import add_judge
from judge_tui.campaign.store.leases import LEASE
from judge_tui.campaign.store.postgres import PostgresBackend
from judge_tui.campaign.store.postgres_connection import in_words
from judge_tui.errors import UsageError
from judge_tui.formats.checkout import KEY
from judge_tui.place import Address

# These functions see all rows, whoever asks: they belong to the campaign's owner, and
# look into no temporary table, which a judge could make.
_AS_OWNER = "STABLE SECURITY DEFINER SET search_path TO {schema}, pg_temp"
_DESKS = f"""
CREATE TABLE IF NOT EXISTS roles (
    role TEXT COLLATE "C" PRIMARY KEY,
    judge BIGINT NOT NULL REFERENCES judges
);
CREATE INDEX IF NOT EXISTS pool_by_document ON pool (document);
CREATE OR REPLACE FUNCTION own_judge() RETURNS BIGINT LANGUAGE sql {_AS_OWNER}
    AS $$ SELECT j.id FROM roles AS r JOIN judges AS j ON j.id = r.judge
        WHERE r.role = session_user AND j.removed = 0 AND j.role = 'judge' $$;
CREATE OR REPLACE FUNCTION is_pool_whole() RETURNS BOOLEAN LANGUAGE sql {_AS_OWNER}
    AS $$ SELECT own_judge() IS NOT NULL AND NOT EXISTS (SELECT 1 FROM assignments) $$;
CREATE OR REPLACE FUNCTION own_action(event TEXT, pair BIGINT, turn BIGINT) RETURNS TEXT
    LANGUAGE sql {_AS_OWNER}
    AS $$ SELECT action FROM events AS e WHERE e.id = event AND e.judge = own_judge()
        AND e.pair = own_action.pair AND e.turn = own_action.turn $$;
CREATE OR REPLACE FUNCTION shown_meta(document BIGINT) RETURNS TEXT LANGUAGE sql {_AS_OWNER}
    AS $$ SELECT coalesce(json_object_agg(field, d.meta::json -> field), json_build_object())
        FROM documents AS d, campaign,
            jsonb_array_elements_text('["{KEY}"]'::jsonb || show_fields::jsonb) AS field
        WHERE d.id = document AND (d.meta::json -> field) IS NOT NULL
        AND EXISTS (SELECT 1 FROM pool AS p WHERE p.document = d.id AND (is_pool_whole()
            OR EXISTS (SELECT 1 FROM assignments AS a
                WHERE a.pair = p.id AND a.judge = own_judge())
            OR EXISTS (SELECT 1 FROM events AS e
                WHERE e.pair = p.id AND e.judge = own_judge()))) $$;
REVOKE EXECUTE ON FUNCTION own_judge(), is_pool_whole(), own_action(TEXT, BIGINT, BIGINT),
    shown_meta(BIGINT) FROM PUBLIC;
"""

_IS_OWN = "judge = (SELECT own_judge())"

# Table -> what of its rows is the judge's own. Rows of tables that are named within are the
# judge's own as well. What was judged stays readable: it can be undone. LIMIT keeps PostgreSQL from
# reading all that is assigned for the look at one pair.
_READS = {
    "judges": "id = (SELECT own_judge())",
    "assignments": _IS_OWN,
    "events": _IS_OWN,
    "judgments": _IS_OWN,
    "model_answers": _IS_OWN,
    "leases": _IS_OWN,
    "pool": "(SELECT is_pool_whole())"
    " OR (SELECT 1 FROM assignments AS a WHERE a.pair = pool.id LIMIT 1) = 1"
    " OR (SELECT 1 FROM events AS e WHERE e.pair = pool.id LIMIT 1) = 1",
    "queries": "EXISTS (SELECT 1 FROM pool AS p WHERE p.query = queries.id)",
    "documents": "EXISTS (SELECT 1 FROM pool AS p WHERE p.document = documents.id)",
}

# Not the tag of a run, nor what a document's metadata may tell of grades; not why a pair is in the
# pool, nor the purpose of an assignment.
_GRANTS = """
GRANT USAGE ON SCHEMA {schema} TO {role};
GRANT SELECT (id, name, scale, guidelines, seed, show_ranks, created, campaign_id, show_fields,
    include_models, least_look, share_pool) ON campaign TO {role};
GRANT SELECT ON judges, queries, events, judgments TO {role};
GRANT SELECT (id, doc_id, title, text, url, kind) ON documents TO {role};
GRANT SELECT (id, query, document) ON pool TO {role};
GRANT SELECT (judge, pair, turn, position) ON assignments TO {role};
GRANT SELECT (judge) ON model_answers TO {role};
GRANT INSERT ON events, judgments TO {role};
GRANT DELETE ON judgments TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON leases TO {role};
GRANT SELECT ON clock, sharing, taken, held TO {role};
GRANT EXECUTE ON FUNCTION own_judge(), is_pool_whole(), own_action(TEXT, BIGINT, BIGINT),
    shown_meta(BIGINT) TO {role}
"""

# As `next_event_id` makes it (RFC 9562: milliseconds in the first 48 bits), and as `now` does. All
# ids that are made later are greater: one from far ahead would leave none for them.
_AHEAD = "now() + interval '1 day'"
_IS_ID = f"""
id ~ '^[0-9a-f]{{8}}-[0-9a-f]{{4}}-7[0-9a-f]{{3}}-[89ab][0-9a-f]{{3}}-[0-9a-f]{{12}}$'
AND left(replace(id, '-', ''), 12)
    < lpad(to_hex((extract(epoch FROM {_AHEAD}) * 1000)::bigint), 12, '0')
"""
_TIME = (
    "'^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
    "([.][0-9]{3}|[.][0-9]{6})?(Z|[+]00:00)$'"
)

_IS_EVENT = f"""
{_IS_OWN} AND {_IS_ID}
AND written_at ~ {_TIME} AND written_at::timestamptz < {_AHEAD}
AND (painted_at IS NULL OR (painted_at ~ {_TIME} AND painted_at::timestamptz < {_AHEAD}))
AND (looked IS NULL OR (looked >= 0 AND looked < 'infinity'))
AND CASE action
    WHEN 'adjudicate' THEN FALSE
    WHEN 'undo' THEN target < id
        AND own_action(target, pair, turn) NOT IN ('undo', 'redo', 'adjudicate')
    WHEN 'redo' THEN target < id AND own_action(target, pair, turn) = 'undo'
    ELSE ((turn = 0 AND (SELECT is_pool_whole())) OR EXISTS (SELECT 1 FROM assignments AS a
        WHERE a.pair = events.pair AND a.turn = events.turn))
        AND (action NOT IN ('grade', 'cannot')
            OR NOT EXISTS (SELECT 1 FROM taken AS t WHERE t.pair = events.pair)
            OR EXISTS (SELECT 1 FROM judgments AS j WHERE j.pair = events.pair
                AND j.decision IN ('grade', 'cannot'))) END
"""

# Nothing may be said to hold that no event of the slot says. Which of the judge's events hold,
# `fold` works out at the judge's.
_IN_EVENT = """EXISTS (SELECT 1 FROM events AS e
    WHERE e.pair = judgments.pair AND e.turn = judgments.turn AND"""
_IS_JUDGMENT = f"""
{_IS_OWN} AND query = (SELECT p.query FROM pool AS p WHERE p.id = judgments.pair)
AND {_IN_EVENT} e.written_at = judgments.written_at)
AND CASE WHEN decision IS NULL THEN event IS NULL AND seconds IS NULL AND from_file = 0
    ELSE {_IN_EVENT} e.id = event AND e.action = decision
        AND e.grade IS NOT DISTINCT FROM judgments.grade AND e.looked IS NOT DISTINCT FROM seconds
        AND from_file = (e.painted_at IS NULL)::int) END
AND CASE WHEN first_decision IS NULL THEN first_seconds IS NULL AND first_in_app = 0
    ELSE {_IN_EVENT} e.id = first_decision AND e.action IN {DECISIONS}
        AND e.looked IS NOT DISTINCT FROM first_seconds
        AND first_in_app = (e.painted_at IS NOT NULL)::int) END
AND (first_grade IS NULL OR {_IN_EVENT} e.id = first_grade AND e.action = 'grade'))
AND (note = '' OR {_IN_EVENT} e.action = 'comment' AND e.note = judgments.note))
AND (flagged = 0 OR (flagged = 1 AND {_IN_EVENT} e.action = 'flag')))
"""


def _writes(grades: Iterable[int]) -> dict[str, str]:
    """Policy -> what it lets a role write, on a scale of these grades."""
    on_scale = f"grade IS NULL OR grade IN ({', '.join(map(str, grades))})"
    return {
        "own_events": f"ON events FOR INSERT WITH CHECK (({on_scale}) AND {_IS_EVENT})",
        "own_judgments": f"ON judgments FOR INSERT WITH CHECK ({_IS_JUDGMENT})",
        "no_judgments": f"ON judgments FOR DELETE USING ({_IS_OWN})",
        "leases": f"ON leases USING ({_IS_OWN})"
        f" WITH CHECK ({_IS_OWN} AND until <= (SELECT now + {LEASE} FROM clock))",
    }


def grant(campaign: Campaign, role: str, judge: str) -> None:
    """Let a role of the server, which exists, judge as that judge, who is made if new, and nothing
    else.

    Raises `UsageError` for a campaign that is a file or shows ranks, and for a lead or a model;
    `CampaignError` where there is no such role, or you may not grant.
    """
    backend, address = campaign.backend, campaign.path
    if not isinstance(backend, PostgresBackend) or not isinstance(address, Address):
        raise UsageError(
            "a file has no roles", "copy the campaign to a server: judge-tui campaign copy FROM TO"
        )
    if campaign.settings.show_ranks:
        raise UsageError(
            "the campaign shows ranks, which a judge's role cannot read",
            "hide them first: judge-tui settings show-ranks off",
        )
    known = add_judge(campaign, judge)
    if known.role != "judge" or known.kind != "human":
        raise UsageError(
            f"{judge!r} is no judge but a {known.kind} {known.role}", "grant a role to a judge"
        )
    names = {"role": sql.Identifier(role), "schema": sql.Identifier(address.schema)}
    connection = backend.connection
    try:
        with connection.transaction():
            connection.execute(sql.SQL(_DESKS).format(**names))
            for table, own in _READS.items():
                connection.execute(_policy(f"own_{table}", f"ON {table} FOR SELECT USING ({own})"))
                connection.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
            for name, what in _writes(campaign.settings.scale.grades).items():
                connection.execute(_policy(f"{name}_written", what))
            connection.execute(sql.SQL(_GRANTS).format(**names))
            connection.execute(
                "INSERT INTO roles VALUES (%s, %s)"
                " ON CONFLICT (role) DO UPDATE SET judge = excluded.judge",
                (role, known.key),
            )
    except psycopg.Error as error:
        raise in_words(address, error) from error


def _policy(name: str, what: str) -> str:
    table = what.split()[1]
    return f"DROP POLICY IF EXISTS {name} ON {table}; CREATE POLICY {name} {what}"
