"""What a judge's own role on a PostgreSQL server may do: read one desk, and add to it.

The server holds it, whatever program the judge uses: row-level security of PostgreSQL (its manual,
chapter 5.8). Who made the campaign, and members of that role, are bound by none of it.
"""

from __future__ import annotations

import psycopg
from psycopg import sql

from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import known_judge
from judge_tui.campaign.store.postgres import PostgresBackend, in_words
from judge_tui.errors import UsageError
from judge_tui.place import Address

# These functions see all rows, whoever asks: they belong to the campaign's owner, and
# look into no temporary table, which a judge could make.
_DESKS = """
CREATE TABLE IF NOT EXISTS roles (
    role TEXT COLLATE "C" PRIMARY KEY,
    judge BIGINT NOT NULL REFERENCES judges
);
CREATE OR REPLACE FUNCTION own_judge() RETURNS BIGINT LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO {schema}, pg_temp
    AS $$ SELECT judge FROM roles WHERE role = session_user $$;
CREATE OR REPLACE FUNCTION is_own_pair(pair BIGINT) RETURNS BOOLEAN LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path TO {schema}, pg_temp
    AS $$ SELECT NOT EXISTS (SELECT 1 FROM assignments) OR EXISTS (SELECT 1 FROM assignments AS a
        WHERE a.judge = own_judge() AND a.pair = is_own_pair.pair) $$;
CREATE OR REPLACE FUNCTION is_own_event(event TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path TO {schema}, pg_temp
    AS $$ SELECT EXISTS (SELECT 1 FROM events WHERE id = event AND judge = own_judge()) $$;
"""

_IS_OWN = "judge = (SELECT own_judge())"

# Table -> what of its rows is the judge's own.
_READS = {
    "judges": "id = (SELECT own_judge())",
    "assignments": _IS_OWN,
    "events": _IS_OWN,
    "judgments": _IS_OWN,
    "model_answers": _IS_OWN,
    "pool": "is_own_pair(id)",
    "queries": "id IN (SELECT query FROM pool)",
    "documents": "id IN (SELECT document FROM pool)",
}

# Not why a pair is in the pool, nor the purpose of an assignment.
_GRANTS = """
GRANT USAGE ON SCHEMA {schema} TO {role};
GRANT SELECT ON campaign, judges, queries, documents, events, judgments TO {role};
GRANT SELECT (id, query, document) ON pool TO {role};
GRANT SELECT (judge, pair, turn, position) ON assignments TO {role};
GRANT SELECT (judge) ON model_answers TO {role};
GRANT INSERT ON events, judgments TO {role};
GRANT DELETE ON judgments TO {role};
GRANT EXECUTE ON FUNCTION own_judge(), is_own_pair(BIGINT), is_own_event(TEXT) TO {role}
"""

_WRITES = {
    "own_events": f"ON events FOR INSERT WITH CHECK ({_IS_OWN} AND is_own_pair(pair) AND action <>"
    " 'adjudicate' AND (target IS NULL OR is_own_event(target)))",
    "own_judgments": f"ON judgments FOR INSERT WITH CHECK ({_IS_OWN} AND is_own_pair(pair))",
    "no_judgments": f"ON judgments FOR DELETE USING ({_IS_OWN})",
}


def grant(campaign: Campaign, role: str, judge: str) -> None:
    """Let a role of the server, which exists, judge as that judge, and nothing else.

    Raises `UsageError` for a campaign that is a file, and where there is no such judge, or it is a
    lead; `CampaignError` where there is no such role, or you may not grant.
    """
    backend, address = campaign.backend, campaign.path
    if not isinstance(backend, PostgresBackend) or not isinstance(address, Address):
        raise UsageError(
            "a file has no roles", "copy the campaign to a server: judge-tui campaign copy FROM TO"
        )
    known = known_judge(campaign, judge)
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
            for name, what in _WRITES.items():
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
