"""What holds of a campaign holds of it in a file and on a server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store.copy import copy_campaign
from judge_tui.errors import CampaignError
from judge_tui.place import Address
from tests.postgres import Server, missing_server, running_server

_NUMBERS = count(1)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each test of a campaign runs on a file and on a server, but for what is about one of them."""
    if "campaign" in metafunc.fixturenames:
        marks = {mark.name for mark in metafunc.definition.iter_markers()}
        others = {"file": "about_servers", "server": "about_files"}
        places = [place for place, mark in others.items() if mark not in marks]
        metafunc.parametrize("campaign", places, indirect=True)


@dataclass(frozen=True, slots=True)
class FolderAddress(Address):
    """A campaign on a server, with the folder where its test puts files, as a file has one."""

    parent: Path

    def with_name(self, name: str) -> Path:
        return self.parent / name


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL server; skips where there is none."""
    if why := missing_server():
        pytest.skip(why)
    with running_server() as server:
        yield server


@pytest.fixture
def campaign(
    request: pytest.FixtureRequest, small_campaign: Path, files: Path
) -> Iterator[Campaign]:
    """The small campaign, in a file, then on a server."""
    if request.param == "server":
        address = request.getfixturevalue("server").address(f"c{next(_NUMBERS)}")
        with open_campaign(small_campaign / "campaign.db") as file:
            copy_campaign(file, address)
        place = FolderAddress(address.server, address.schema, files)
        campaign = open_campaign(address)
        campaign.path = place
    else:
        shutil.copyfile(small_campaign / "campaign.db", files / "campaign.db")
        campaign = open_campaign(files / "campaign.db")
    yield campaign
    # A test may have closed it, or taken its file away.
    with suppress(CampaignError):
        campaign.close()
