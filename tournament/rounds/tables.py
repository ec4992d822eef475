"""The pairings of a round; byes come last and have neither board nor second player.

CSV columns: `round,board,kind,first_number,first_player,first,second_number,second_player,second,
result,termination,state,starts_on,starts_at`; the numbers are pairing numbers, the players their
ids, the day is that of the event, the time is in UTC. With two games in a pairing, these follow:
`return_result,return_termination,return_state,points`; the result of the return game is by its own
seats, the points are by those of the pairing. A sheet has all results by the seats of the pairing.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from django.utils.formats import date_format
from django.utils.translation import gettext

from games.core.journal.chain import format_time
from games.core.tables.table import (
    Cell,
    CellType,
    Column,
    ColumnKind,
    Heading,
    NamedPlayer,
    TableDocument,
)
from games.names import fold_name
from games.play.boards import handicap_in_words, name_stones
from games.rules.messages import gettext_noop
from games.rules.seat import Seat
from tournament.core.rankings import compute_table
from tournament.core.references import NumberedEntry
from tournament.models import Correction, Pairing, Round, Tournament
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.rounds.queries import RoundPairing, corrections_of

Points = Mapping[int, str]
NO_POINTS: Final[Points] = MappingProxyType({})

PAIRINGS_CSV = (
    "round", "board", "kind", "first_number", "first_player", "first", "second_number",
    "second_player", "second", "result", "termination", "state", "starts_on", "starts_at",
)  # fmt: skip
CSV_OF_RETURN_GAMES = ("return_result", "return_termination", "return_state", "points")
CSV_OF_HANDICAPS = ("recommended_handicap", "handicap")
SHEET = ("marked_board", "first_named", "result_or_dash", "second_named")
SHEET_WITH_POINTS = (
    "marked_board", "first_named", "first_points", "result_or_dash", "second_points",
    "second_named",
)  # fmt: skip
NUMBERS = ("round", "board", "first_number", "second_number", "points")
KINDS = dict.fromkeys(NUMBERS, ColumnKind.NUMBER)
TYPES = {
    "first_player": CellType.CODE,
    "second_player": CellType.CODE,
    "starts_on": CellType.DATE,
    "starts_at": CellType.DATE,
}
BOARD_COLUMNS = (
    *(
        Column(
            name, kind=KINDS.get(name, ColumnKind.TEXT), cell_type=TYPES.get(name, CellType.VALUE)
        )
        for name in (*PAIRINGS_CSV, *CSV_OF_RETURN_GAMES)
    ),
    Column("recommended_handicap", kind=ColumnKind.TEXT),
    Column("handicap", kind=ColumnKind.TEXT),
    Column("described_handicap", gettext_noop("Handicap"), ColumnKind.TEXT),
    Column("marked_board", gettext_noop("Board")),
    Column("first_named", gettext_noop("First"), ColumnKind.TEXT, is_wide=True, seat="first"),
    Column("result_or_dash", gettext_noop("Result"), ColumnKind.MARK),
    Column("second_named", gettext_noop("Second"), ColumnKind.TEXT, is_wide=True, seat="second"),
    Column("first_points", gettext_noop("Points")),
    Column("second_points", gettext_noop("Points")),
)
BY_NAME_COLUMNS = (
    Column("name", gettext_noop("Name"), ColumnKind.TEXT, is_wide=True),
    Column("points", gettext_noop("Points")),
    Column("board", gettext_noop("Board")),
    Column("seat", gettext_noop("Seat"), ColumnKind.TEXT),
    Column("opponent", gettext_noop("Against"), ColumnKind.TEXT, is_wide=True),
    Column("handicap", kind=ColumnKind.TEXT),
    Column("described_handicap", gettext_noop("Handicap"), ColumnKind.TEXT),
    Column("seat_name", gettext_noop("Seat"), ColumnKind.TEXT),
    Column("seat_or_bye", gettext_noop("Seat"), ColumnKind.TEXT),
    Column("marked_board", gettext_noop("Board")),
)
BY_NAME = ("name", "board", "seat", "opponent")
BY_NAME_PAGE = ("name", "marked_board", "seat", "opponent")
BY_NAME_SHEET = ("name", "marked_board", "seat_name", "opponent")
TWO_GAMES_NOTE = gettext_noop(
    "Each pairing has two games; the player on the left sits first in the first one, second in the "
    "other. All results are those of the player on the left first."
)
HANDICAP_NOTE = gettext_noop(
    "A handicap belongs to a seat. Stones are on the board before the first move; with a first "
    "move, the first seat begins without the pie rule. Return games have the same points for the "
    "other seat."
)
MOST_NAMED = 4
"""Handicap stones whose cells a table names; slips and the pages of players name more."""
CORRECTED = "†"
"""The mark of a result that was corrected."""
BY_HAND_NOTE = gettext_noop("Boards with a * were set by hand.")


def points_before(this_round: Round) -> Points:
    """Return the points of the players before a round, by pairing number.

    Empty before the first round, and in a bracket, where they decide nothing.
    """
    tournament = this_round.tournament
    has_bracket = PAIRING_SYSTEMS[tournament.system].find_progress is not None
    if this_round.number == 1 or has_bracket:
        return {}
    table = compute_table(tournament, ["PTS"], through=this_round.number - 1)
    return {row.number: row.values_as_json()["PTS"] or "" for row in table.rows}


def pairings_document(
    this_round: Round, pairings: Sequence[RoundPairing], points: Points = NO_POINTS
) -> TableDocument:
    """Return the pairings by board, with the points that the players have before the round."""
    tournament = this_round.tournament
    start = {
        "round": this_round.number,
        "starts_on": this_round.starts_on and this_round.starts_on.isoformat(),
        "starts_at": this_round.starts_at and format_time(this_round.starts_at),
    }
    has_two = tournament.games_per_pairing == 2
    corrections = _corrections(this_round)
    handicaps, described = (
        (CSV_OF_HANDICAPS, ("described_handicap",)) if _has_handicaps(tournament) else ((), ())
    )
    shown = (*(SHEET_WITH_POINTS if points else SHEET), *described)
    return TableDocument(
        heading=_heading(this_round),
        columns=BOARD_COLUMNS,
        records=[{**start, **pairing.as_json()} for pairing in pairings],
        cells=partial(_cells, tournament=tournament, corrected=corrections.keys(), points=points),
        csv=(*PAIRINGS_CSV, *(CSV_OF_RETURN_GAMES if has_two else ()), *handicaps),
        page=shown,
        sheet=shown,
        notes=(
            *([TWO_GAMES_NOTE] if has_two else []),
            *_notes(tournament, pairings),
            *_correction_notes(pairings, corrections),
        ),
    )


def pairings_by_name_document(
    this_round: Round, pairings: Sequence[RoundPairing], points: Points = NO_POINTS
) -> TableDocument:
    """Return the pairings with a row for each player, by name; accents do not count."""
    tournament = this_round.tournament
    records = []
    for pairing in pairings:
        shared = pairing.as_json()
        seats = (
            ("first", pairing.first, pairing.second),
            ("second", pairing.second, pairing.first),
        )
        records += [
            {
                **shared,
                "player": player,
                "opponent": opponent,
                "seat": seat if opponent else None,
            }
            for seat, player, opponent in seats
            if player
        ]
    records.sort(key=_sort_key)
    corrections = _corrections(this_round)
    has_handicaps = _has_handicaps(tournament)
    more = ("handicap",) if has_handicaps else ()
    described = ("described_handicap",) if has_handicaps else ()
    # Each word is translated once, and not in each row.
    translated = {str(seat): gettext(seat.label) for seat in Seat}
    translated |= {kind: str(label) for kind, label in Pairing.Kind.choices}
    return TableDocument(
        heading=_heading(this_round),
        columns=BY_NAME_COLUMNS,
        records=records,
        cells=lambda record: (
            _named(record["player"]),
            points.get(record["player"]["number"], ""),
            _marked_board(record),
            record["seat"] or "",
            _opponent(record, record["opponent"]),
            _text_of(record["applied"]),
            handicap_in_words(name_stones(_text_of(record["applied"]), tournament, MOST_NAMED)),
            translated.get(record["seat"], ""),
            translated[record["seat"] or record["kind"]],
            f"{_marked_board(record)}{_mark(record, corrections)}",
        ),
        csv=(*BY_NAME, *more),
        page=(*_with_points(BY_NAME_PAGE, points), *described),
        sheet=(*_with_points(BY_NAME_SHEET, points), *described),
        notes=(*_notes(tournament, pairings), *_correction_notes(pairings, corrections)),
    )


def _with_points(columns: Sequence[str], points: Points) -> tuple[str, ...]:
    return (columns[0], "points", *columns[1:]) if points else tuple(columns)


def round_title(this_round: Round) -> str:
    """Return the title of a round, as `round 2 of 5, 3 May 2026, 10:00`."""
    day = f", {date_format(this_round.starts_on)}" if this_round.starts_on else ""
    day += f", {this_round.start_time:%H:%M}" if this_round.start_time else ""
    is_draft = this_round.state in (Round.State.PLANNED, Round.State.DRAFTED)
    draft = " – " + gettext("a draft, not published") if is_draft else ""
    values = {"number": this_round.number, "rounds": this_round.tournament.rounds}
    return gettext("round %(number)s of %(rounds)s") % values + day + draft


def _heading(this_round: Round) -> Heading:
    tournament = this_round.tournament
    title = gettext("Pairings of %(round)s") % {"round": round_title(this_round)}
    return Heading(
        title=f"{tournament.name}: {title}",
        subtitle=title,
        file_stem=f"{tournament.slug}.r{this_round.number}.pairings",
    )


def _has_handicaps(tournament: Tournament) -> bool:
    return tournament.handicaps != Tournament.Handicaps.NONE


def _notes(tournament: Tournament, pairings: Sequence[RoundPairing]) -> tuple[str, ...]:
    by_hand = (BY_HAND_NOTE,) if any(pairing.by_hand for pairing in pairings) else ()
    return ((HANDICAP_NOTE,) if _has_handicaps(tournament) else ()) + by_hand


def _corrections(this_round: Round) -> Mapping[int, Sequence[Correction]]:
    """Return the corrections in force by game; no query before the round is published."""
    if this_round.published_at is None:
        return {}
    return this_round.tournament.corrections.by_game()


def _correction_notes(
    pairings: Sequence[RoundPairing], corrections: Mapping[int, Sequence[Correction]]
) -> Iterator[str]:
    """Yield when and why the result of a board was corrected."""
    note = gettext("%(mark)s Board %(board)s: corrected on %(day)s: %(reason)s")
    for pairing in pairings:
        for row in corrections_of(pairing.games, corrections):
            day = date_format(row.committed_at)
            values = {"board": pairing.board, "day": day, "reason": row.reason}
            yield note % {"mark": CORRECTED, **values}


def _cells(
    pairing: Mapping[str, Any],
    *,
    tournament: Tournament,
    corrected: Collection[int] = (),
    points: Points = NO_POINTS,
) -> tuple[Cell, ...]:
    first, second = pairing["first"], pairing["second"]
    return_game = pairing["return_game"] or {}
    return (
        pairing["round"],
        pairing["board"] or "",
        pairing["kind"],
        first["number"],
        first["player"]["id"],
        first["player"]["name"],
        second["number"] if second else "",
        second["player"]["id"] if second else "",
        second["player"]["name"] if second else "",
        pairing["result"] or "",
        pairing["termination"] or "",
        pairing["state"] or "",
        pairing["starts_on"] or "",
        pairing["starts_at"] or "",
        return_game.get("result") or "",
        return_game.get("termination") or "",
        return_game.get("state") or "",
        pairing["points"] or "",
        _text_of(pairing["recommended"]),
        _text_of(pairing["applied"]),
        handicap_in_words(name_stones(_text_of(pairing["applied"]), tournament, MOST_NAMED)),
        _marked_board(pairing),
        _named(first),
        f"{_results(pairing)}{_mark(pairing, corrected)}" if second else "",
        _opponent(pairing, second),
        points.get(first["number"], ""),
        points.get(second["number"], "") if second else "",
    )


def _mark(pairing: Mapping[str, Any], corrected: Collection[int]) -> str:
    """Return the mark of a pairing with a corrected game, after a space; "" for others."""
    games = pairing["game_id"], (pairing["return_game"] or {}).get("id")
    return f" {CORRECTED}" if any(game in corrected for game in games) else ""


def _text_of(handicap: Mapping[str, Any] | None) -> str:
    return (handicap or {}).get("handicap_text") or ""


def forfeit_in_words(result: str) -> str:
    """Return a result in which a forfeit is named, as `1-0 forfeit`."""
    played = result.removesuffix("f")
    return result if played == result else f"{played} {gettext('forfeit')}"


def named_result(game: Mapping[str, Any], *, is_turned: bool = False) -> str:
    """Return the result of a game, in which a forfeit is named; a dash if there is none.

    If it is turned, the points of the second seat come first.
    """
    if not game["result"]:
        return gettext("adjourned") if game["adjourned"] else "–"
    played, forfeited, _ = game["result"].partition("f")
    if is_turned:
        played = "-".join(reversed(played.split("-")))
    return forfeit_in_words(played + forfeited)


def _results(pairing: Mapping[str, Any]) -> str:
    """Return the result, or those of both games by the seats of the pairing, as `1-0, 9-12`.

    A forfeit is named: `1-0 forfeit`.
    """
    results = [named_result(pairing)]
    if return_game := pairing["return_game"]:
        results.append(named_result(return_game, is_turned=True))
    return ", ".join(results)


def _marked_board(pairing: Mapping[str, Any]) -> str:
    return f"{pairing['board'] or ''}{'*' if pairing['by_hand'] else ''}"


def _named(player: NumberedEntry) -> NamedPlayer:
    return NamedPlayer(player["player"]["name"], str(player["number"]))


def _opponent(pairing: Mapping[str, Any], player: NumberedEntry | None) -> Cell:
    return _named(player) if player else str(Pairing.Kind(pairing["kind"]).label)


def _sort_key(record: Mapping[str, Any]) -> tuple[str, str]:
    """Return a key that sorts names without accents: Š with S, upper case with lower case."""
    name = str(_named(record["player"]))
    return fold_name(name), name
