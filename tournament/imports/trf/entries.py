"""The players and the entries of a TRF file."""

from collections.abc import Mapping, Sequence
from typing import Literal

from games.core.errors import Unprocessable
from games.core.uploads.csv import MAX_LISTED_ERRORS
from games.core.uploads.progress import Progress
from games.models import Player
from games.players.matching import MatchedPlayer, PlayerDetails, match_players
from games.rules.text import Text
from games.validators import FIRST_BIRTH_YEAR, LAST_BIRTH_YEAR
from tournament.exchange.trf_settings import TrfSystem, parse_country, printable
from tournament.models import Entry, Tournament
from tournament.standings.crosstable import ABSENT, Competitor, PlayerId

Entries = Mapping[PlayerId, Entry]
"""The entries by the pairing numbers of the file."""


ChosenPlayers = Mapping[PlayerId, int | Literal["new"]]
"""The players that the caller names by pairing numbers, or `new`."""


def match_trf_players(
    players: Sequence[Competitor], chosen: ChosenPlayers, progress: Progress
) -> list[MatchedPlayer]:
    """Return the player of each row; raises Unprocessable with every ambiguous one."""
    details = [
        PlayerDetails(
            name=printable(player.name) or f"Player {player.number}",
            country=parse_country(player.federation),
            fide=printable(player.fide_id),
            birth_year=_birth_year(player.birth),
            sex=_known_sex(player.sex),
            seed_rating=player.rating or None,
            player=chosen.get(player.number),
        )
        for player in players
    ]
    matched = match_players(details, is_distinct=True, progress=progress)
    errors = [
        {
            "pointer": f"/players/{player.number}",
            "code": found.problem.code,
            "detail": Text(
                "number %(number)s: %(detail)s", number=player.number, detail=found.problem.detail
            ),
            **found.problem.as_json(),
        }
        for player, found in zip(players, matched, strict=True)
        if found.problem
    ]
    if errors:
        detail = Text(
            "%(detail)s, as ?players=3:17,4:new; nothing was imported", detail=errors[0]["detail"]
        )
        raise Unprocessable(str(errors[0]["code"]), detail, errors[:MAX_LISTED_ERRORS])
    return matched


def _known_sex(text: str) -> str:
    """Return a code of FIDE, or an empty text."""
    return text.lower() if text.lower() in Player.Sex.values else ""


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
            ordinal=ordinal,
            player=found.player,
            seed_rating=player.rating,
            pairing_number=player.number,
            printed_number=player.number,
            first_round=_first_round(player) if player.number in system.late_entries else 1,
            sex=printable(player.sex)[:1],
            title=printable(player.title)[:3],
            birth_year=_birth_year(player.birth),
        )
        for ordinal, (player, found) in enumerate(zip(players, matched, strict=True), start=1)
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
