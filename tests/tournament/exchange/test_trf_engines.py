"""Exported events, paired on by other programs: by gacrux always, by bbpPairings where it is.

Set BBP_PAIRINGS to the path of bbpPairings (6.0.0), or have it on the PATH.
"""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.events import Event, make_event, make_players, settle
from tests.people import Person
from tests.tournament.exchange.test_trf_gacrux import rule
from tests.tournament.trf.files import trf_of
from tournament.entries.byes import request_bye
from tournament.entries.services import change_entry_state
from tournament.models import Bye, Entry
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.trf_rounds import request_next_round
from tournament.rounds.services import complete_round
from tournament.trf import TrfEdition, read_trf

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
Pairs = set[tuple[int, int]]
Engine = Callable[[Path, int], Pairs]

BBP = os.environ.get("BBP_PAIRINGS") or shutil.which("bbpPairings")
RECORDS_OF_BBP = {
    "012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "132",
    "001", "142", "152", "162", "192", "202", "212", "222", "240", "250", "260",
    "XXA", "XXC", "XXP", "XXR", "XXZ", "BBW", "BBD", "BBL", "BBU", "BBF", "BBZ", "###",
}  # fmt: skip
"""The records that bbpPairings 6.0.0 reads, or skips as those for people: it refuses 299."""

UNREAD_BY_GACRUX = {"XXA", "XXP", "BBW"}
"""Records of TRF16 that decide the pairing; gacrux ignores them, and XXC, which decides seats."""


@pytest.fixture
def engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Engine]:
    """Programs that return the pairs of the next round; (player, 0) is the bye."""

    def gacrux(source: Path, number: int) -> Pairs:
        from gacrux.pairingchecker import pairingchecker

        options = f"-p -b utf-8 -dT -n {number} -i {source} -o {tmp_path / 'pairs'}"
        monkeypatch.setattr("sys.argv", ["gacrux", *options.split()])
        program = pairingchecker()
        program.common_main()
        return set((getattr(program.chessfile, "result", None) or {}).get("pairs") or ())

    def bbp_pairings(source: Path, _: int) -> Pairs:
        command = [str(BBP), "--dutch", str(source), "-p"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        words = list(map(int, done.stdout.split()))[1:]
        return set(zip(words[::2], words[1::2], strict=True))

    return {"gacrux": gacrux} | ({"bbpPairings": bbp_pairings} if BBP else {})


def played(organiser: Person, seed: int, system: str) -> Event:
    """Return an event of 7 to 12 players before round 1."""
    random = Random(seed)
    event = make_event(
        organiser, slug=f"event-{seed}", game="star", board="4x5", system=system, rounds=5,
        tiebreaks=["PTS", "BH/C1", "ARO"], separations=[{"by": "club"}] if seed == 1 else [],
        main_minutes=30, increment_seconds=5,
        points={"win": "3", "draw": "1"} if seed % 3 == 2 else {},
    )  # fmt: skip
    players = make_players(random.randint(7, 12))
    for player in players[1:3]:
        player.club = "Harbour"
        player.save()
    event.enter(*players)
    return event.step("open", "start")


def without_seats(pairs: Pairs) -> set[frozenset[int]]:
    return {*map(frozenset, pairs)}


def numbers(written: str) -> set[str]:
    return {line[:3] for line in written.splitlines()}


@pytest.mark.parametrize(("system", "seed"), [("dutch", 1), ("dutch-baku", 2)])
def test_other_programs_pair_the_next_round(
    organiser: Person, engines: dict[str, Engine], tmp_path: Path, system: str, seed: int
) -> None:
    event, random = played(organiser, seed, system), Random(seed)
    entries = list(event.tournament.entries.order_by("pairing_number"))
    for number in range(1, 4):
        if number == 2:
            request_bye(entries[-1], number, Bye.Kind.HALF, by=organiser.account)
        if number == 3:
            change_entry_state(entries[-2], Entry.State.WITHDRAWN, by=organiser.account)
        for edition in TrfEdition:
            written = trf_of(event.tournament, through=number - 1, edition=edition)
            trf = read_trf(written)
            pairings = PAIRING_SYSTEMS[system].pair(request_next_round(trf))
            expected = set(pairings.pairs) | ({(pairings.bye, 0)} if pairings.bye else set())
            source = tmp_path / f"{edition}-{number}.trf"
            source.write_text(written, encoding="utf-8")
            assert numbers(written) <= RECORDS_OF_BBP
            for name, pair in engines.items():
                if name == "gacrux" and edition is TrfEdition.TRF16:
                    if UNREAD_BY_GACRUX.isdisjoint(numbers(written)):
                        assert without_seats(pair(source, number)) == without_seats(expected)
                else:
                    assert pair(source, number) == expected, (name, written)
        for game in event.publish(number):
            rule(game, random, organiser)
        settle()
        complete_round(event.tournament, number, by=organiser.account)


def test_the_code_of_the_type_is_known_to_all_and_only_in_trf26(organiser: Person) -> None:
    event = played(organiser, 0, "dutch-baku")
    event.play(1, "1-0")

    for suffix, codes in (("trf", []), ("trf16", []), ("trf26", ["192 FIDE_DUTCH_BAKU"])):
        lines = organiser.get(f"{event.path}/standings.{suffix}").content.decode().splitlines()
        assert [line for line in lines if line.startswith("192")] == codes
