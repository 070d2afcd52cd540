"""Work beside the app: it can be given up, and what it ends with is kept."""

from __future__ import annotations

from threading import Event, get_ident

import pytest

from judge_tui.campaign import Campaign
from judge_tui.errors import CampaignError, UsageError
from judge_tui.tui.work import Work

_WITHIN = 20.0
_ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


class Names(Work):
    """The name of a campaign, and who works it out."""

    def __init__(self) -> None:
        super().__init__()
        self.name = ""
        self.threads: list[int] = []

    def read(self, campaign: Campaign) -> None:
        self.name = campaign.rows("SELECT name FROM campaign")[0][0]
        self.threads.append(get_ident())

    def conclude(self, campaign: Campaign) -> None:
        self.threads.append(get_ident())


class Endless(Work):
    """Reads until it is given up."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = Event()
        self.concluded = False

    def read(self, campaign: Campaign) -> None:
        self.reads.set()
        campaign.rows(_ENDLESS)

    def conclude(self, campaign: Campaign) -> None:
        self.concluded = True


def wait_for(work: Work) -> None:
    assert work._thread is not None
    work._thread.join(_WITHIN)
    assert work.done


@pytest.mark.parametrize("beside", [False, True])
def test_it_is_done_beside_the_app_or_at_once(campaign: Campaign, beside: bool) -> None:
    work = Names()
    work.start(campaign, beside=beside)
    if beside:
        wait_for(work)
    assert work.done
    assert (work.name, work.error) == (campaign.settings.name, None)
    assert len(work.threads) == 2
    assert all((thread != get_ident()) == beside for thread in work.threads)


def test_what_is_given_up_reads_no_more_and_concludes_nothing(campaign: Campaign) -> None:
    work = Endless()
    work.start(campaign, beside=True)
    assert work.reads.wait(_WITHIN)
    work.stop()
    wait_for(work)
    assert isinstance(work.error, CampaignError)
    assert not work.concluded


@pytest.mark.parametrize("beside", [False, True])
def test_what_it_ends_with_is_kept(campaign: Campaign, beside: bool) -> None:
    class Refused(Names):
        def read(self, campaign: Campaign) -> None:
            raise UsageError("nothing to be read", "")

    work = Refused()
    work.start(campaign, beside=beside)
    if beside:
        wait_for(work)
    assert work.error is not None
    assert work.error.what == "nothing to be read"
    assert not work.threads
