"""Crosstables as compact JSON, as stored in the snapshot of each round.

    {"form": 1, "rounds": 5, "round_robin": false, "initial_seat": "first",
     "points": [2, 2, 1, 0, ...],
     "players": [[1, "Ada", 1500, "", "POR", "", "", "", "", "", 0, [], "2f1 3s= U"], ...]}

`held` is present if the last rounds are over but have no pairings, `games_per_pairing` if it is not
1, `unrated` if unrated players have a rating, `decided` for ties that the director decided (the
round, the players in their order), and `progress` for a bracket: number, half ties, who beat the
player or 0, and the best place of those who went out with them. `points` are the fields of
`PointSystem` in order. A player is a list in the order of `PLAYER_ITEMS`; the last item
has a word for each round: the opponent's number, the player's seat (f, s, or - for none) and the
symbol of the result, or only the symbol of a bye. These suffixes are optional: `!` for a short
game, `@3` for units awarded, `:11:10` for the player's and the opponent's game score, `*3` for
stars, `~5` for quarks, `&1=` for the symbols of the two games of a pairing, `?` for an adjourned
game.
"""

import re
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any, TypeGuard

from games.rules.seat import Seat
from tournament.standings.crosstable import (
    Competitor,
    Crosstable,
    DecidedTie,
    Progress,
    RoundResult,
    in_order,
)
from tournament.standings.crosstable_rows import SEAT_LETTERS, SYMBOLS
from tournament.standings.errors import CrosstableError, StandingsError
from tournament.standings.points import PointSystem

FORM = 1
TEXT_ITEMS = ("title", "federation", "sex", "birth", "fide_id", "club", "category")
PLAYER_ITEMS = ("number", "name", "rating", *TEXT_ITEMS, "start", "virtual", "results")
POINT_FIELDS = tuple(field.name for field in fields(PointSystem))
KINDS_BY_SYMBOL = {symbol: kind for kind, symbol in SYMBOLS.items()}
SEATS_BY_LETTER = {letter: seat for seat, letter in SEAT_LETTERS.items()}
MAX_WORD_LENGTH = 120
RESULT_WORD = re.compile(
    r"(?:(\d+)([fs-]))?([10=+UFHZ-])(!)?(?:@(-?\d+))?(?::(-?\d+):(-?\d+))?(?:\*(-?\d+))?(?:~(-?\d+))?"
    r"(?:&([10=+-]{2}))?(\?)?",
    re.ASCII,
)


def crosstable_as_json(table: Crosstable) -> dict[str, Any]:
    """Return the JSON form, which `parse_crosstable` reads."""
    progress = [
        [player.number, reached.half_ties, reached.lost_to or 0, reached.place]
        for player in table.players
        if (reached := player.progress)
    ]
    decided = [[tie.after, list(tie.players)] for tie in table.decided]
    return {
        "form": FORM,
        "rounds": table.rounds,
        "round_robin": table.round_robin,
        "initial_seat": None if table.initial_seat is None else str(table.initial_seat),
        "points": [getattr(table.points, name) for name in POINT_FIELDS],
        "players": [_player_as_json(player) for player in table.players],
        **({"held": table.held} if table.held else {}),
        **({"games_per_pairing": 2} if table.games_per_pairing == 2 else {}),
        **({"unrated": table.unrated} if table.unrated else {}),
        **({"decided": decided} if decided else {}),
        **({"progress": progress} if progress else {}),
    }


def _player_as_json(player: Competitor) -> list[Any]:
    return [
        player.number,
        player.name,
        player.rating,
        *(getattr(player, name) for name in TEXT_ITEMS),
        player.start,
        list(player.virtual),
        " ".join(map(_result_word, player.results)),
    ]


def _result_word(result: RoundResult) -> str:
    word = SYMBOLS[result.kind]
    if result.opponent is not None:
        word = f"{result.opponent}{SEAT_LETTERS[result.seat]}{word}"
    if result.short:
        word += "!"
    if result.awarded is not None:
        word += f"@{result.awarded}"
    if result.score is not None:
        word += f":{result.score[0]}:{result.score[1]}"
    if result.stars is not None:
        word += f"*{result.stars}"
    if result.quarks is not None:
        word += f"~{result.quarks}"
    if result.games:
        word += "&" + "".join(map(SYMBOLS.__getitem__, result.games))
    if result.adjourned:
        word += "?"
    return word


def parse_crosstable(value: object) -> Crosstable:
    """Read a crosstable from decoded JSON; raises StandingsError."""
    if not isinstance(value, dict) or value.get("form") != FORM:
        raise CrosstableError(f"this is not a crosstable of form {FORM}")
    rounds, points, players = (value.get(name) for name in ("rounds", "points", "players"))
    seat, is_round_robin = value.get("initial_seat"), value.get("round_robin")
    if not _is_integer(rounds):
        raise CrosstableError("rounds must be a whole number")
    if type(is_round_robin) is not bool:
        raise CrosstableError("round_robin must be true or false")
    held = value.get("held", 0)
    if not _is_integer(held) or not 0 <= held <= rounds:
        raise CrosstableError(f"held must be the number of a round up to {rounds}")
    games = value.get("games_per_pairing", 1)
    if games not in (1, 2):
        raise CrosstableError("games_per_pairing must be 1 or 2")
    unrated = value.get("unrated", 0)
    if not _is_integer(unrated) or unrated < 0:
        raise CrosstableError("unrated must be a rating")
    if seat is not None and seat not in list(Seat):
        raise CrosstableError(f"the initial seat is {str(seat)[:20]!r}; valid: first, second")
    if not _is_integer_list(points) or len(points) != len(POINT_FIELDS):
        raise CrosstableError(f"points must be {len(POINT_FIELDS)} whole numbers of units")
    if not isinstance(players, list):
        raise CrosstableError("players must be a list")
    table = Crosstable(
        players=_with_progress(in_order(map(_parse_player, players)), value.get("progress", [])),
        rounds=rounds,
        points=PointSystem(**dict(zip(POINT_FIELDS, points, strict=True))),
        round_robin=is_round_robin,
        initial_seat=None if seat is None else Seat(seat),
        games_per_pairing=games,
        unrated=unrated,
        decided=_parse_decided(value.get("decided", [])),
    )
    return table.held_until(held)


def _parse_decided(items: object) -> tuple[DecidedTie, ...]:
    if not isinstance(items, list) or not all(
        isinstance(item, list)
        and len(item) == 2
        and _is_integer(item[0])
        and _is_integer_list(item[1])
        for item in items
    ):
        raise CrosstableError("decided must be a list of a round and a list of players each")
    return tuple(DecidedTie(after, tuple(players)) for after, players in items)


def _with_progress(players: tuple[Competitor, ...], items: object) -> tuple[Competitor, ...]:
    if not isinstance(items, list) or not all(
        _is_integer_list(item) and len(item) == 4 for item in items
    ):
        raise CrosstableError("progress must be a list of four whole numbers each")
    progress = {
        number: Progress(ties, loser or None, place) for number, ties, loser, place in items
    }
    numbers = {player.number for player in players}
    if not numbers >= {*progress, *(p.lost_to for p in progress.values() if p.lost_to)}:
        raise CrosstableError("progress of a player who is not in the crosstable")
    if not progress:
        return players
    return tuple(replace(player, progress=progress.get(player.number)) for player in players)


def _parse_player(value: object) -> Competitor:
    if not isinstance(value, list) or len(value) != len(PLAYER_ITEMS):
        raise CrosstableError(f"a player must be a list of {', '.join(PLAYER_ITEMS)}")
    number, name, rating, *texts, start, virtual, results = value
    if {*map(type, (number, rating, start))} != {int} or not _is_integer_list(virtual):
        raise CrosstableError("number, rating, start and virtual points must be whole numbers")
    if {*map(type, (name, *texts, results))} != {str}:
        raise CrosstableError(f"name, {', '.join(TEXT_ITEMS)} and results must be text", number)
    title, federation, sex, birth, fide_id, club, category = texts
    return Competitor(
        number=number,
        name=name,
        rating=rating,
        title=title,
        federation=federation,
        sex=sex,
        birth=birth,
        fide_id=fide_id,
        club=club,
        category=category,
        start=start,
        virtual=tuple(virtual),
        results=_parse_results(results.split(" ") if results else [], number),
    )


def _parse_results(words: Sequence[str], number: int) -> tuple[RoundResult, ...]:
    results: list[RoundResult] = []
    try:
        for word in words:
            results.append(_parse_word(word))
    except (StandingsError, ValueError) as error:
        raise CrosstableError(str(error), number, len(results) + 1) from error
    return tuple(results)


@lru_cache(maxsize=2**15)
def _parse_word(word: str) -> RoundResult:
    """Read a word; cached because every snapshot repeats the words of the earlier rounds."""
    match = RESULT_WORD.fullmatch(word) if len(word) <= MAX_WORD_LENGTH else None
    if match is None:
        raise CrosstableError(f"{word[:40]!r} is not a result")
    opponent, seat, symbol, short, awarded, own, other, stars, quarks, games, adjourned = (
        match.groups()
    )
    return RoundResult(
        KINDS_BY_SYMBOL[symbol],
        opponent=_number(opponent),
        seat=SEATS_BY_LETTER[seat] if seat else None,
        short=short is not None,
        awarded=_number(awarded),
        score=(int(own), int(other)) if own else None,
        stars=_number(stars),
        quarks=_number(quarks),
        games=tuple(KINDS_BY_SYMBOL[letter] for letter in games or ""),
        adjourned=adjourned is not None,
    )


def _number(text: str | None) -> int | None:
    return int(text) if text else None


def _is_integer(value: object) -> TypeGuard[int]:
    return type(value) is int


def _is_integer_list(value: object) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(map(_is_integer, value))
