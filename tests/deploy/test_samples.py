"""The sample events: their files are consistent, and Lantern Masters is loaded from them."""

from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command

from deploy.samples.event import SAMPLES, iso_date, read_event
from deploy.samples.lantern_masters import LANTERN_SLUG, load_lantern_masters
from games.core.accounts.services import note_first_staff
from games.core.journal.chain import find_chain_errors
from games.core.journal.lines import link_of
from games.models import Account, Game, JournalLine, Player
from games.rules.records.record import Record
from ratings.models import Change
from tests.api.test_responses import load_rows
from tests.tournament.trf.files import trf_of
from tournament.core.crosstable import load_crosstable
from tournament.models import Tournament
from tournament.trf import read_trf

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize(
    ("folder", "games", "players"), [("harbour-open", 56, 23), ("lantern-masters", 28, 8)]
)
def test_every_record_proves_the_result_in_the_round_file(
    folder: str, games: int, players: int
) -> None:
    event = read_event(SAMPLES / folder)
    assert len(event.rounds[0].present) == players  # with those who have a bye
    proved = 0
    for sample_round in event.rounds:
        for game in sample_round.games:
            if not game.record:
                assert game.termination == "forfeit"
                continue
            record = Record.parse(game.record)
            verdict = record.replay().as_json()
            assert (record.tags["First"], record.tags["Second"]) == (game.first, game.second)
            assert iso_date(record.tags["Date"]) == event.round_dates[sample_round.number - 1]
            assert verdict["state"] == "finished"
            assert verdict["termination"] == game.termination
            proved += 1
    assert proved == games


@pytest.fixture
def organiser(db: None) -> Account:
    account = Account.objects.create_superuser("organiser@example.org", "correct horse battery")
    note_first_staff(account)
    return account


def test_lantern_masters_has_the_results_of_its_file(
    organiser: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = read_event(SAMPLES / "lantern-masters")

    call_command("load_samples")

    assert f"tournaments/{LANTERN_SLUG}" in capsys.readouterr().out
    tournament = Tournament.objects.get(slug=LANTERN_SLUG)
    assert tournament.state == Tournament.State.FINAL
    assert tournament.time_zone == "Asia/Shanghai"
    assert "012 Lantern Masters" in trf_of(tournament, through=7)
    table = load_crosstable(tournament)
    names = {player.number: player.name for player in table.players}
    expected = read_trf(sample.trf).crosstable
    drawn = {player.number: player.name for player in expected.players}
    assert names == drawn
    assert rounds_by_name(table, names) == rounds_by_name(expected, drawn)
    assert set(tournament.round_set.values_list("system", flat=True)) == {"round-robin"}
    assert "092 Individual: Round-Robin" in trf_of(tournament, through=7)
    assert {names[n]: Decimal(table.points_of(n)) / table.points.unit for n in names} == {
        player.name: Decimal(player.points) for player in sample.players
    }
    games = Game.objects.filter(stream=tournament.stream)
    assert games.count() == 28
    days = games.order_by("played_on").values_list("round", "played_on").distinct()
    assert [(n, day.isoformat()) for n, day in days] == [
        (str(number), day) for number, day in enumerate(sample.round_dates, start=1)
    ]
    assert set(games.values_list("state", "basis", "closed")) == {("confirmed", "proof", True)}
    assert Change.objects.values("game").distinct().count() == 28
    assert list(find_chain_errors(link_of(line) for line in lines(tournament.stream))) == []
    call_command("verify_state")
    assert not Player.objects.filter(account__auth_token_set__isnull=False).exists()

    lines_before = JournalLine.objects.count()
    assert load_lantern_masters(by=organiser) == tournament  # loading it again changes nothing
    assert JournalLine.objects.count() == lines_before


def lines(stream: str) -> list[JournalLine]:
    return list(JournalLine.objects.filter(stream=stream).order_by("sequence"))


def rounds_by_name(table: object, names: dict[int, str]) -> dict[str, list[tuple[str, ...]]]:
    """The opponents, seats and results of each player, by name."""
    return {
        names[player.number]: [
            (names[result.opponent], str(result.seat), str(result.kind))
            for result in player.results
        ]
        for player in table.players
    }


def test_an_interrupted_load_leaves_nothing(
    organiser: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    before = load_rows()
    monkeypatch.setattr("deploy.samples.lantern_masters.advance_pool", interrupt)
    with pytest.raises(KeyboardInterrupt):
        load_lantern_masters(by=organiser)

    assert load_rows() == before


def test_the_command_needs_an_owner(db: None) -> None:
    with pytest.raises(CommandError, match="createsuperuser"):
        call_command("load_samples")
