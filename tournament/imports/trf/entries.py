"""The players and the entries of a TRF file."""

from collections.abc import Mapping, Sequence

from games.validators import FIRST_BIRTH_YEAR, LAST_BIRTH_YEAR
from tournament.imports.player_matching import MatchedPlayer, PlayerDetails
from tournament.imports.trf.settings import TrfSystem, parse_country, printable
from tournament.models import Entry, Tournament
from tournament.standings.crosstable import ABSENT, Competitor, PlayerId

Entries = Mapping[PlayerId, Entry]
"""The entries by the pairing numbers of the file."""


def player_details(player: Competitor) -> PlayerDetails:
    """Return what the file contains about a player."""
    return PlayerDetails(
        name=printable(player.name) or f"Player {player.number}",
        country=parse_country(player.federation),
        fide=printable(player.fide_id),
        seed_rating=player.rating or None,
    )


def build_entries(
    tournament: Tournament,
    players: Sequence[Competitor],
    matched: Sequence[MatchedPlayer],
    system: TrfSystem,
) -> Entries:
    """Return an entry for each player; nothing is saved."""
    return {
        player.number: Entry(
            tournament=tournament,
            player=found.player,
            seed_rating=player.rating,
            pairing_number=player.number,
            published_number=player.number,
            published_state=Entry.State.ACCEPTED,
            first_round=_first_round(player) if player.number in system.late_entries else 1,
            sex=printable(player.sex)[:1],
            title=printable(player.title)[:3],
            birth_year=_birth_year(player.birth),
        )
        for player, found in zip(players, matched, strict=True)
    }


def _first_round(player: Competitor) -> int:
    """Return the first round in which a late entry was present."""
    rounds = (number for number, result in enumerate(player.results, start=1) if result != ABSENT)
    return next(rounds, len(player.results) + 1)


def _birth_year(birth: str) -> int | None:
    """Return the year of a date of birth written as 1990/01/31, 1990/00/00 or 1990."""
    year = birth[:4]
    is_year = year.isascii() and year.isdigit()
    return int(year) if is_year and FIRST_BIRTH_YEAR <= int(year) <= LAST_BIRTH_YEAR else None
