"""Events exported as TRF, verified by gacrux's checker and imported again."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from games.models import Game
from games.play.services import rule_game
from tests.events import Event, make_event, make_players, settle
from tests.people import Person
from tests.tournament.imports import import_trf
from tests.tournament.trf.files import trf_of
from tournament.entries.byes import request_bye
from tournament.entries.services import change_entry_state
from tournament.models import Bye, Entry
from tournament.rounds.services import complete_round
from tournament.trf import TrfEdition, read_trf

pytestmark = pytest.mark.any_database

Checker = Callable[[str], bool]
LISTS = {
    "dutch": ["PTS", "DE", "BH/C1", "BH", "SB"],
    "dutch-baku": ["PTS", "BH/C1", "SB", "WIN"],
    "monrad": ["PTS", "BH", "PS", "BPG"],
    "round-robin": ["PTS", "DE", "SB", "WIN"],
}
OUTCOMES = (("1-0", "ruled"), ("0-1", "ruled"), ("1/2", "ruled"))


@pytest.fixture
def confirms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checker:
    """Return a function that is True if gacrux computes the ranks of a TRF file."""
    from gacrux.tiebreakchecker import tiebreakchecker

    source, output = tmp_path / "event.trf", tmp_path / "output.txt"

    def confirm(text: str) -> bool:
        source.write_text(text, encoding="utf-8")
        options = ["-c", "-b", "utf-8", "-dT", "-i", str(source), "-o", str(output)]
        monkeypatch.setattr("sys.argv", ["gacrux", *options])
        assert tiebreakchecker().common_main() in (0, 1)
        return output.read_text(encoding="utf-8").splitlines()[-1] == "Check: True"

    return confirm


def played(organiser: Person, seed: int) -> Event:
    """Play an event of 6 to 9 players with byes, forfeits, a late entry and a withdrawal."""
    random = Random(seed)
    system = list(LISTS)[seed % 4]
    is_robin = system == "round-robin"
    size, rounds = (5, 5) if is_robin else (random.randint(6, 9), 4)
    event = make_event(
        organiser,
        slug=f"event-{seed}",
        game="star",
        board="4x5",
        system=system,
        rounds=rounds,
        tiebreaks=LISTS[system],
        separations=[] if is_robin else [{"by": "club", "last_round": 2}],
        points={} if seed % 5 else {"win": "3", "draw": "1"},
    )
    *players, late = make_players(size)
    for player in players[1:3]:
        player.club = "Harbour"
        player.save()
    entries = event.enter(*players, *([late] if is_robin else []))
    event.step("open", "start")
    for number in range(1, rounds + 1):
        if number == 2 and not is_robin:
            event.enter(late)
            request_bye(entries[-1], number, Bye.Kind.HALF, by=organiser.account)
        if number == 3 and not is_robin:
            change_entry_state(entries[-2], Entry.State.WITHDRAWN, by=organiser.account)
        for game in event.publish(number):
            rule(game, random, organiser)
        settle()
        complete_round(event.tournament, number, by=organiser.account)
    return event


def rule(game: Game, random: Random, organiser: Person) -> None:
    result, termination = random.choice(OUTCOMES)
    if random.random() < 0.1 and result != "1/2":
        termination = "forfeit"
    rule_game(
        game, by=organiser.account, reason="at the board", result=result, termination=termination
    )


def check_and_import(organiser: Person, confirms: Checker, seed: int) -> None:
    event = played(organiser, seed)
    for form in TrfEdition:
        written = trf_of(event.tournament, through=event.tournament.rounds, edition=form)
        is_complete = form is TrfEdition.TRF26 or not event.tournament.points
        assert confirms(written) or not is_complete, written

        again = import_trf(written, by=organiser.account, slug=f"{form}-{seed}").tournament

        assert again.system == event.tournament.system
        assert trf_of(again, through=again.rounds, edition=form) == written


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(len(LISTS)))
def test_gacrux_confirms_an_exported_event(organiser: Person, confirms: Checker, seed: int) -> None:
    check_and_import(organiser, confirms, seed)


@pytest.mark.django_db
@pytest.mark.parametrize(("players", "form"), [(8, TrfEdition.TRF16), (7, TrfEdition.TRF26)])
def test_a_round_in_play_is_exported_and_imported(
    organiser: Person, confirms: Checker, players: int, form: TrfEdition
) -> None:
    event = make_event(organiser, system="dutch", rounds=3, tiebreaks=["PTS", "WIN", "BPG"])
    entries = event.enter(*make_players(players))
    event.step("open", "start")
    event.play(1)
    request_bye(entries[6], 2, Bye.Kind.ZERO, by=organiser.account)
    change_entry_state(entries[3], Entry.State.WITHDRAWN, by=organiser.account)
    before = trf_of(event.tournament, through=1, edition=form)
    event.publish(2)

    written = trf_of(event.tournament, through=1, edition=form)

    assert confirms(before)
    if players == 8:  # else gacrux counts the bye of the open round already
        assert confirms(written)
    assert {(bye.round, bye.player) for bye in read_trf(before).byes} == {(2, 4), (3, 4), (2, 7)}
    assert read_trf(before).open_pairings == ()
    exported = read_trf(written)
    assert len(exported.open_pairings) == (players - 2) // 2
    assert {bye.kind for bye in exported.byes} == (
        {"zero_bye"} if players == 8 else {"zero_bye", "pairing_bye"}
    )
    again = import_trf(written, by=organiser.account, slug="again").tournament
    assert again.state == "running"
    assert trf_of(again, through=1, edition=form) == written


@pytest.mark.django_db
def test_the_checker_rejects_a_wrong_rank(organiser: Person, confirms: Checker) -> None:
    written = trf_of(played(organiser, 3).tournament, through=5, edition=TrfEdition.TRF26)
    lines = written.splitlines(keepends=True)
    (first,) = [line for line in lines if line.startswith("001") and line[85:89] == "   1"]
    assert not confirms(written.replace(first, f"{first[:85]}   2{first[89:]}"))


@pytest.mark.django_db
@pytest.mark.long
@pytest.mark.parametrize("seed", range(len(LISTS), 36))
def test_gacrux_confirms_more_exported_events(
    organiser: Person, confirms: Checker, seed: int
) -> None:
    check_and_import(organiser, confirms, seed)
