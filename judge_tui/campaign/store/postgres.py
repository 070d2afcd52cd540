"""A campaign on a PostgreSQL server: a schema with the tables of a campaign file.

One writes at a time, as in a file: an advisory lock is held for as long as a transaction that
writes. Who commits notifies the others. Where the connection breaks amid a commit, the server is
asked what became of it, so that nothing is written twice and nothing is thought to be that is not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import blake2b
from itertools import islice
from time import monotonic, sleep
from typing import Any

import psycopg
from psycopg import sql
from psycopg.adapt import Dumper, Loader
from psycopg.pq import TransactionStatus

from judge_tui.campaign.store.backend import Row
from judge_tui.campaign.store.schema import SCHEMA_VERSION, TABLES
from judge_tui.errors import CampaignError, LockedError, LostConnectionError
from judge_tui.place import Address

_AT_ONCE = 500
"""Statements that are sent together."""

_WAITS = 10_000
"""Milliseconds that a write waits for others."""

_CONNECTS = 10
"""Seconds that a server has to answer."""

_LOOKS_AGAIN = 0.25

_UNSENT = "unsent"
"""In the place of a transaction of which the server does not know yet."""

_BEGIN_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_WHICH = "SELECT pg_current_xact_id()::text"


class _WholeNumbers(Loader):
    """What PostgreSQL sums: numbers that are whole are ints, as in a file."""

    def load(self, data: Any) -> int | float:
        text = bytes(data).decode()
        return int(text) if text.lstrip("-").isdecimal() else float(text)


class _Flag(Dumper):
    """A flag is stored as 0 or 1, as in a file."""

    def dump(self, obj: bool) -> bytes:
        return b"1" if obj else b"0"

    quote = dump


class _NoText(Dumper):
    """No column is of bytes, which PostgreSQL would store as their digits."""

    def dump(self, obj: bytes) -> bytes:  # noqa: ARG002
        raise psycopg.DataError("cannot store bytes where a text or number belongs")

    quote = dump


class PostgresTables:
    """The tables behind a connection. Statements whose answer nobody waits for are sent with the
    next one that has an answer: over a slow line it is the ways that take time."""

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self.connection = connection
        self._unsent: list[str] = []

    def _cursor(self) -> psycopg.ClientCursor[Row]:
        return psycopg.ClientCursor(self.connection)

    def _send(self, *statements: str) -> psycopg.ClientCursor[Row]:
        """Send them together, behind what is unsent; the cursor at the result of the first."""
        unsent, self._unsent = self._unsent, []
        cursor = self._cursor()
        if unsent or statements:
            cursor.execute(";".join([*unsent, *statements]).encode())
        for statement in unsent:
            self._pass(statement, cursor)
            cursor.nextset()
        return cursor

    def _pass(self, statement: str, cursor: psycopg.ClientCursor[Row]) -> None:
        """Take note of a result that nobody waits for."""

    def _statement(self, text: str, parameters: Sequence[object]) -> str:
        return self._cursor().mogrify(_translated(text), parameters)

    def each(self, text: str, parameters: Sequence[object] = ()) -> Iterable[Row]:
        return self._send(self._statement(text, parameters))

    def execute(self, text: str, parameters: Sequence[object] = ()) -> int:
        return self._send(self._statement(text, parameters)).rowcount

    def execute_many(self, text: str, rows: Iterable[Sequence[object]]) -> int:
        changed, rest = 0, iter(rows)
        while some := [self._statement(text, row) for row in islice(rest, _AT_ONCE)]:
            cursor = self._send(*some)
            changed += cursor.rowcount
            while cursor.nextset():
                changed += cursor.rowcount
        return changed

    def change(self, text: str, rows: Iterable[Sequence[object]]) -> None:
        for row in rows:
            self._unsent.append(self._statement(text, row))
            if len(self._unsent) >= _AT_ONCE:
                self._send()

    def add_rows(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        names = sql.SQL(", ").join(map(sql.Identifier, columns))
        into = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)
        with self._cursor().copy(into) as copy:
            for row in rows:
                copy.write_row(row)


class PostgresBackend(PostgresTables):
    """The campaign at `address`, by a connection of this object alone, which is made anew where it
    was lost. `read_only`: nothing may be written by it."""

    errors: tuple[type[Exception], ...] = (psycopg.Error,)
    refusals: tuple[type[Exception], ...] = (psycopg.IntegrityError, psycopg.DataError)
    loss: CampaignError | None = None

    def __init__(self, address: Address, *, read_only: bool = False) -> None:
        """Raises `CampaignError` where there is no server."""
        self.read_only = read_only
        self._address = address
        self._waits = _WAITS
        self._stopped: Callable[[], bool] = lambda: False
        self._version = 0
        self._others: Counter[str] = Counter()
        self._transaction = ""
        try:
            super().__init__(self._connect())
        except psycopg.Error as error:
            raise self.in_words(error) from error

    # --- the connection

    def _connect(self) -> psycopg.Connection[Row]:
        connection = connected(self._address)
        setting = "SET default_transaction_read_only = on" if self.read_only else self._listening()
        connection.execute(setting)
        connection.execute(f"SET lock_timeout = {self._waits:d}")
        return connection

    def _listening(self) -> sql.Composed:
        return sql.SQL("LISTEN {}").format(sql.Identifier(_channel(self._address)))

    def refuse_no_campaign(self) -> None:
        """Raise `CampaignError` where the server has no campaign of that name, or of another
        version."""
        comment = "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = ?"
        try:
            found = [text or "" for (text,) in self.each(comment, (self._address.schema,))]
        except psycopg.Error as error:
            raise self.in_words(error) from error
        version = re.fullmatch(r"judge_tui schema (\d+)", "".join(found))
        if version is None:
            raise CampaignError(
                self._address,
                f"the server has no campaign {self._address.schema!r}",
                f"make one with: judge-tui init --db {self._address}",
            )
        if int(version[1]) != SCHEMA_VERSION:
            raise CampaignError(
                self._address,
                f"its schema is version {version[1]}, this judge-tui knows version"
                f" {SCHEMA_VERSION}",
                "copy it to a file with the judge-tui that made it (judge-tui campaign copy),"
                " and the file to a new campaign with this one",
            )

    def _cursor(self) -> psycopg.ClientCursor[Row]:
        """Outside a transaction, with a new connection where that of before was lost."""
        if self._stopped():
            raise psycopg.errors.QueryCanceled("no longer wanted")
        if self.connection.closed and self._transaction in ("", _UNSENT):
            self.connection = self._connect()
            self._version += 1  # whatever was notified meanwhile
        return psycopg.ClientCursor(self.connection)

    def _send(self, *statements: str) -> psycopg.ClientCursor[Row]:
        """As long as nothing was written, again where the connection turns out to be lost: a server
        that is there again soon is waited for."""
        unsent, end = self._unsent, monotonic() + self._waits / 1000
        while True:
            try:
                return super()._send(*statements)
            except psycopg.OperationalError:
                began = self._transaction not in ("", _UNSENT)
                if began or not self.connection.closed or monotonic() > end:
                    raise
            sleep(_LOOKS_AGAIN)
            self._unsent = unsent

    def _pass(self, statement: str, cursor: psycopg.ClientCursor[Row]) -> None:
        if statement == _BEGIN_READING:
            self._transaction = "reading"
        elif statement == _WHICH:
            [self._transaction] = cursor.fetchone() or [""]

    # --- what the SQL of the two lacks

    def among(self, column: str, values: Iterable[int | str]) -> tuple[str, tuple[object, ...]]:
        return f"{column} = ANY(?)", ([*values],)

    def joined_columns(self, rows: str, columns: Iterable[str]) -> str:
        joined = (f"string_agg(CAST({one} AS TEXT), ',')" for one in columns)
        return f"SELECT {', '.join(joined)} FROM {rows}"

    # --- transactions

    def begin_reading(self) -> None:
        self._transaction = _UNSENT
        self._unsent = [_BEGIN_READING]

    def begin_writing(self) -> None:
        if self.read_only:
            what = "the campaign is open to read alone"
            raise CampaignError(self._address, what, "open it again")
        self._transaction = _UNSENT
        alone = f"SELECT pg_advisory_xact_lock({_number(self._address):d})"
        self._unsent = ["BEGIN", alone, _WHICH]

    def commit(self, judge: int | None = None) -> None:
        if self._transaction == _UNSENT:
            self._send()
        who = "" if judge is None else f", '{judge:d}'"
        try:
            self._send(f'NOTIFY "{_channel(self._address)}"{who}', "COMMIT")
        except psycopg.OperationalError:
            if not self.connection.closed or not self._was_committed(self._transaction):
                raise
        self._transaction = ""

    def _was_committed(self, transaction: str) -> bool:
        """What the server says, as soon as it is there again, of a transaction whose end nobody
        saw."""
        end = monotonic() + self._waits / 1000
        while True:
            with suppress(psycopg.OperationalError):
                self.connection = self._connect()
                self._version += 1
                while True:
                    status = self.connection.execute(
                        "SELECT pg_xact_status(%s::xid8)", (transaction,)
                    ).fetchone()
                    if status != ("in progress",):
                        return status == ("committed",)
                    sleep(_LOOKS_AGAIN)
            if monotonic() > end:
                return False
            sleep(_LOOKS_AGAIN)

    def roll_back(self) -> None:
        self._transaction, self._unsent = "", []
        with suppress(psycopg.Error):
            if self.connection.info.transaction_status != TransactionStatus.IDLE:
                self.connection.execute("ROLLBACK")

    @contextmanager
    def alone(self, work: str) -> Iterator[bool]:
        number = _number(self._address, work)
        [(is_ours,)] = self.each("SELECT pg_try_advisory_lock(?)", (number,))
        try:
            yield is_ours
        finally:
            if is_ours:
                with suppress(psycopg.Error):
                    [*self.each("SELECT pg_advisory_unlock(?)", (number,))]

    def wait_at_most(self, milliseconds: int) -> None:
        self._waits = milliseconds
        self._cursor().execute(f"SET lock_timeout = {milliseconds:d}")

    # --- what is only of files, or only of servers

    def version(self, judge: int | None = None) -> int:
        with suppress(psycopg.Error):
            for notice in self.connection.notifies(timeout=0):
                if notice.pid != self.connection.info.backend_pid:
                    self._others[notice.payload] += 1
        others = self._others
        if judge is not None:
            others = Counter({who: others[who] for who in ("", str(judge))})
        return self._version + others.total()

    def tend(self) -> None:
        """Nothing: the server does it."""

    def checkpoint(self) -> bool:
        return True

    def size(self) -> int:
        return 0

    def damage(self) -> Iterator[str]:
        return iter(())

    def stop_when(self, stopped: Callable[[], bool]) -> None:
        self._stopped = stopped

    def is_same_file(self) -> bool:
        return True

    def refuse_another_file(self) -> None:
        """Nothing: there is no file."""

    def in_words(self, error: Exception) -> CampaignError:
        return in_words(self._address, error)

    def close(self) -> None:
        self.connection.close()


def connected(address: Address) -> psycopg.Connection[Row]:
    """A connection that leaves transactions to its caller, and sees the tables of one campaign."""
    connection = psycopg.connect(address.server, autocommit=True, connect_timeout=_CONNECTS)
    connection.adapters.register_loader("numeric", _WholeNumbers)
    connection.adapters.register_dumper(bool, _Flag)
    connection.adapters.register_dumper(bytes, _NoText)
    connection.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(address.schema)))
    return connection


@contextmanager
def new_schema(address: Address) -> Iterator[PostgresTables]:
    """A transaction in which the schema and its tables are made, for more to be put into them;
    where the block fails, nothing is left. Raises `CampaignError` where the name is taken, and
    where the server cannot be reached or refuses."""
    try:
        with connected(address) as connection, connection.transaction():
            name = sql.Identifier(address.schema)
            version = sql.Literal(f"judge_tui schema {SCHEMA_VERSION}")
            connection.execute(sql.SQL("CREATE SCHEMA {}").format(name))
            connection.execute(sql.SQL("COMMENT ON SCHEMA {} IS {}").format(name, version))
            connection.execute(_REFUSE_CHANGE)
            connection.execute(tables_of_postgres())
            yield PostgresTables(connection)
            connection.execute(_COUNT_ON)
    except psycopg.Error as error:
        raise in_words(address, error) from error


_REFUSE_CHANGE = """
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END $$
"""

# Keys that came with a copy are counted on from.
_COUNT_ON = """
DO $$ DECLARE its record; BEGIN
    FOR its IN SELECT table_name FROM information_schema.columns
        WHERE table_schema = current_schema AND is_identity = 'YES'
    LOOP EXECUTE format('SELECT setval(pg_get_serial_sequence(%1$L, %2$L), max(id)) FROM %1$I',
        its.table_name, 'id');
    END LOOP;
END $$
"""

_IN_POSTGRES = (
    (r"\) STRICT(, WITHOUT ROWID)?", ")"),
    (r"^    id INTEGER PRIMARY", "    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY"),
    (r"\bINTEGER\b", "BIGINT"),
    (r"\bREAL\b", "DOUBLE PRECISION"),
    (r"^(    \w+) TEXT\b", r'\1 TEXT COLLATE "C"'),
    (
        r"CREATE TRIGGER IF NOT EXISTS (\w+) BEFORE (\w+) ON (\w+)\n"
        r"BEGIN SELECT RAISE\(ABORT, '(.+)'\); END",
        r"CREATE TRIGGER \1 BEFORE \2 ON \3 FOR EACH ROW EXECUTE FUNCTION refuse_change('\4')",
    ),
)


def tables_of_postgres() -> str:
    """The tables of a campaign file, as PostgreSQL has them: texts in the order of their code
    points, numbers of 64 bits."""
    text = TABLES
    for pattern, its in _IN_POSTGRES:
        text = re.sub(pattern, its, text, flags=re.MULTILINE)
    return text.replace("\n\n", ";\n\n")


@lru_cache(maxsize=1024)
def _translated(text: str) -> str:
    return text.replace("%", "%%").replace("?", "%s")


def _channel(address: Address) -> str:
    return f"judge_tui:{address.schema}"[:63]


def _number(address: Address, work: str = "") -> int:
    """What an advisory lock is known by: the same in all that use the campaign."""
    digest = blake2b(f"{address.schema}\0{work}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


_WORDS: dict[type[psycopg.Error], tuple[str, str]] = {
    psycopg.errors.LockNotAvailable: ("somebody else writes for long", "try again"),
    psycopg.errors.InsufficientPrivilege: (
        "your role on the server may not do this",
        "ask the lead: judge-tui campaign grant",
    ),
    psycopg.errors.DuplicateSchema: (
        "already exists and is left as it is",
        "name another campaign",
    ),
    psycopg.errors.QueryCanceled: ("reading was ended", "read again"),
    psycopg.errors.ReadOnlySqlTransaction: ("the server is read-only", "ask who runs it"),
}


def in_words(address: Address, error: Exception) -> CampaignError:
    """What went wrong and how to mend it, from an error of the server or the connection."""
    for kind, (what, mend) in _WORDS.items():
        if isinstance(error, kind):
            locked = kind is psycopg.errors.LockNotAvailable
            return (LockedError if locked else CampaignError)(address, what, mend)
    message = " ".join(str(error).split())
    if isinstance(error, psycopg.DataError):
        what = f"the server cannot store this ({message})"
        return CampaignError(address, what, "change that, then do it again")
    if isinstance(error, psycopg.OperationalError):
        what = f"the server cannot be reached ({message})"
        return LostConnectionError(address, what, "see that it runs, then do it again")
    return CampaignError(address, f"the server refuses ({message})", "ask who runs it")
