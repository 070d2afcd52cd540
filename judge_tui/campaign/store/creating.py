"""Making a campaign file: whole and on disk, or not at all."""

from __future__ import annotations

import os
import secrets
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from judge_tui.campaign.store.backend import SqliteTables, Tables, connected
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.errors_in_words import ERRORS, in_words
from judge_tui.campaign.store.event import now
from judge_tui.campaign.store.opening import open_campaign
from judge_tui.campaign.store.schema import migrate
from judge_tui.campaign.store.settings import Settings, insert_settings
from judge_tui.errors import CampaignError
from judge_tui.model import Scale


def create_campaign(
    path: str | os.PathLike[str],
    *,
    name: str,
    scale: Scale,
    guidelines: str = "",
    seed: int | None = None,
    show_ranks: bool = False,
    include_models: bool = False,
) -> Campaign:
    """Create the file and open it. `seed` (default: drawn) fixes every order and sample made later.

    Raises `CampaignError` where the path exists or cannot be written. The file appears whole or
    not at all.
    """
    seed = secrets.randbelow(2**31) if seed is None else seed
    settings = Settings(
        campaign_id=str(uuid.uuid4()),
        name=name,
        scale=scale,
        guidelines=guidelines,
        seed=seed,
        show_ranks=show_ranks,
        created=now(),
        include_models=include_models,
    )
    with new_file(path, settings):
        pass
    return open_campaign(path)


@contextmanager
def new_file(path: str | os.PathLike[str], settings: Settings) -> Iterator[Tables]:
    """A transaction on a draft that has the tables and the settings, for more to be put into it.

    When the block is left, the draft gets its name, whole and on disk; where the block fails,
    nothing is left. Raises `CampaignError` where the path exists or cannot be written.
    """
    # Importing `formats` costs more than opening a campaign.
    from judge_tui.formats.writing import remove_leftovers  # noqa: PLC0415

    path = Path(path)
    _refuse_existing(path)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.draft")
    try:
        remove_leftovers(path, ".draft")
        with closing(connected(draft.absolute())) as connection:
            connection.execute("BEGIN IMMEDIATE")
            migrate(connection)
            tables = SqliteTables(connection)
            insert_settings(tables, settings)
            yield tables
            connection.execute("COMMIT")
        _put_in_place(draft, path)
    except (*ERRORS, OSError) as error:
        raise in_words(path, error) from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _put_in_place(draft: Path, path: Path) -> None:
    """Give the finished file its name, unless another file came by that name meanwhile."""
    try:
        os.link(draft, path)
    except OSError:
        # A file system without links: the name is taken first, exclusively.
        path.touch(exist_ok=False)
        draft.replace(path)


def _refuse_existing(path: Path) -> None:
    if path.exists() or path.is_symlink():
        what = "already exists and is left as it is"
        raise CampaignError(path, what, "name another file, or move this one away")
    wal = path.with_name(f"{path.name}-wal")
    if wal.exists():
        # SQLite would take it for the new file's own.
        what = "was left behind by an earlier campaign of that name, and may hold judgments"
        raise CampaignError(wal, what, "move it away, or name another file")
