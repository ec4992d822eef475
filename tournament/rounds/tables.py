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
    Record,
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


def _marked_board(pairing: Record) -> str:
    return f"{pairing['board'] or ''}{'*' if pairing['by_hand'] else ''}"


def _named(player: NumberedEntry) -> NamedPlayer:
    return NamedPlayer(player["player"]["name"], str(player["number"]))


def _opponent(record: Record) -> Cell:
    """Return the second player, or the opponent in a row by name; what a bye is without one."""
    player = record["opponent"] if "player" in record else record["second"]
    return _named(player) if player else str(Pairing.Kind(record["kind"]).label)


BOARD_COLUMNS = (
    Column("round"),
    Column("board"),
    Column("kind", kind=ColumnKind.TEXT),
    *(
        column
        for seat in Seat
        for column in (
            Column(f"{seat}_number", of=f"{seat}.number"),
            Column(
                f"{seat}_player",
                kind=ColumnKind.TEXT,
                of=f"{seat}.player.id",
                cell_type=CellType.CODE,
            ),
            Column(seat, kind=ColumnKind.TEXT, of=f"{seat}.player.name"),
        )
    ),
    *(Column(name, kind=ColumnKind.TEXT) for name in ("result", "termination", "state")),
    Column("starts_on", kind=ColumnKind.TEXT, cell_type=CellType.DATE),
    Column("starts_at", kind=ColumnKind.TEXT, cell_type=CellType.DATE),
    *(
        Column(f"return_{name}", kind=ColumnKind.TEXT, of=f"return_game.{name}")
        for name in ("result", "termination", "state")
    ),
    Column("points"),
    Column("recommended_handicap", kind=ColumnKind.TEXT, of="recommended.handicap_text"),
    Column("handicap", kind=ColumnKind.TEXT, of="applied.handicap_text"),
    Column("marked_board", gettext_noop("Board"), cell=_marked_board),
    Column(
        "first_named",
        gettext_noop("First"),
        ColumnKind.TEXT,
        of="first",
        cell=_named,
        is_wide=True,
        seat="first",
    ),
    Column(
        "second_named",
        gettext_noop("Second"),
        ColumnKind.TEXT,
        cell=_opponent,
        is_wide=True,
        seat="second",
    ),
)
BY_NAME_COLUMNS = (
    Column("name", gettext_noop("Name"), ColumnKind.TEXT, of="player", cell=_named, is_wide=True),
    Column("board", gettext_noop("Board"), cell=_marked_board),
    Column("seat", gettext_noop("Seat"), ColumnKind.TEXT),
    Column("opponent", gettext_noop("Against"), ColumnKind.TEXT, cell=_opponent, is_wide=True),
    Column("handicap", kind=ColumnKind.TEXT, of="applied.handicap_text"),
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
        columns=(
            *BOARD_COLUMNS,
            _described_handicap(tournament),
            Column(
                "result_or_dash",
                gettext_noop("Result"),
                ColumnKind.MARK,
                cell=lambda pairing: (
                    pairing["second"] and f"{_results(pairing)}{_mark(pairing, corrections)}"
                ),
            ),
            *(
                Column(
                    f"{seat}_points", gettext_noop("Points"), cell=partial(_points_of, points, seat)
                )
                for seat in Seat
            ),
        ),
        records=[{**start, **pairing.as_json()} for pairing in pairings],
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
            {**shared, "player": player, "opponent": opponent, "seat": seat if opponent else None}
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
        columns=(
            *BY_NAME_COLUMNS,
            _described_handicap(tournament),
            Column("points", gettext_noop("Points"), cell=partial(_points_of, points, "player")),
            Column(
                "seat_name",
                gettext_noop("Seat"),
                ColumnKind.TEXT,
                cell=lambda record: translated.get(record["seat"]),
            ),
            Column(
                "seat_or_bye",
                gettext_noop("Seat"),
                ColumnKind.TEXT,
                cell=lambda record: translated[record["seat"] or record["kind"]],
            ),
            Column(
                "marked_board",
                gettext_noop("Board"),
                cell=lambda record: f"{_marked_board(record)}{_mark(record, corrections)}",
            ),
        ),
        records=records,
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


def _described_handicap(tournament: Tournament) -> Column:
    """Return the column of the handicaps in words."""
    return Column(
        "described_handicap",
        gettext_noop("Handicap"),
        ColumnKind.TEXT,
        of="applied.handicap_text",
        cell=lambda text: handicap_in_words(name_stones(text, tournament, MOST_NAMED)),
    )


def _points_of(points: Points, seat: str, record: Record) -> str:
    return points.get(record[seat]["number"], "") if record[seat] else ""


def _mark(pairing: Mapping[str, Any], corrected: Collection[int]) -> str:
    """Return the mark of a pairing with a corrected game, after a space; "" for others."""
    games = pairing["game_id"], (pairing["return_game"] or {}).get("id")
    return f" {CORRECTED}" if any(game in corrected for game in games) else ""


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


def _sort_key(record: Mapping[str, Any]) -> tuple[str, str]:
    """Return a key that sorts names without accents: Š with S, upper case with lower case."""
    name = str(_named(record["player"]))
    return fold_name(name), name
