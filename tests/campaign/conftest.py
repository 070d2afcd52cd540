"""What holds of a campaign holds of it in a file and on a server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store.copy import copy_campaign
from judge_tui.errors import CampaignError
from tests.postgres import Server, missing_server, running_server

_NUMBERS = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL server; skips where there is none."""
    if why := missing_server():
        pytest.skip(why)
    with running_server() as server:
        yield server


@pytest.fixture(params=["file", "server"])
def campaign(
    request: pytest.FixtureRequest, small_campaign: Path, files: Path
) -> Iterator[Campaign]:
    """The small campaign, in a file, then on a server."""
    import shutil

    shutil.copyfile(small_campaign / "campaign.db", files / "campaign.db")
    campaign = open_campaign(files / "campaign.db")
    if request.param == "server":
        address = request.getfixturevalue("server").address(f"c{next(_NUMBERS)}")
        with campaign as file:
            copy_campaign(file, address)
        campaign = open_campaign(address)
    yield campaign
    # A test may have closed it, or taken its file away.
    with suppress(CampaignError):
        campaign.close()
