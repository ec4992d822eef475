"""The bracket of a knockout as a page: the ties of each stage, their games, who comes out of which.

It is drawn from the results that decide who advances, the round that is being played included.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpResponse
from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.errors import NotFound
from games.core.tables.text import clean_text
from games.core.tables.typesetting import print_sheet
from games.core.tables.views import pdf_response
from games.rules.text import Text
from tournament.core.crosstable import load_crosstable, point_system
from tournament.core.engine import pairing_codes
from tournament.core.lookup import tournament_seen_by
from tournament.core.pages import EventPage, event_frame
from tournament.core.queries import SHOWN_ROUND_STATES, UNSETTLED
from tournament.core.rankings import load_first_boards
from tournament.core.references import numbered_references
from tournament.core.sheets import requested_frame
from tournament.core.systems import system_of
from tournament.models import Round, Tournament
from tournament.pairing.errors import OptionError, PairingError
from tournament.pairing.findings import with_names
from tournament.pairing.systems.bracket import BEST_OF
from tournament.pairing.systems.ties import DrawnBracket, DrawnTie, Running
from tournament.rounds.queries import RoundPairing, corrections_of, load_pairings_of
from tournament.rounds.tables import CORRECTED, named_result
from tournament.standings.points import PointSystem

MOST_PRINTED_TIES: Final = 16
"""Of the first stage on paper: those of 32 players."""
MOST_SHOWN_STAGES: Final = 4
"""On the first page of an event: those of sixteen players."""
Shown = Sequence[tuple[int, RoundPairing]]
"""Pairings with the numbers of their rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A side of a tie: a player with their points, or in words who will come."""

    number: int | None = None
    name: str = ""
    words: str = ""
    points: str = ""
    is_winner: bool = False
    is_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TieGame:
    """A game of a tie; the result is that of the upper side first."""

    game: int | None
    board: int | None
    round: int
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedTie:
    """A tie with its number in its stage, which the next stage names."""

    index: int
    sides: tuple[Side, Side]
    games: Sequence[TieGame]
    reason: str = ""
    is_for_third: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of the bracket: its name, its rounds, and its ties from top to bottom."""

    name: str
    rounds: Sequence[int]
    ties: Sequence[PlacedTie]


def draw_stages(
    tournament: Tournament, rounds: Iterable[Round], corrected: Collection[int] = ()
) -> list[Stage]:
    """Return the stages of an event's bracket; none before it is drawn, or if it cannot be read.

    Games that were `corrected` have a mark.
    """
    entries = {row["number"]: row for row in numbered_references(tournament)}
    if not entries:
        return []
    pairings = load_pairings_of(tournament)
    drawn = _draw(tournament, rounds, pairings)
    names = {number: entry["player"]["name"] for number, entry in entries.items()}
    games: dict[frozenset[int], list[tuple[int, RoundPairing]]] = defaultdict(list)
    for number, pairing in pairings:
        games[_players(pairing)].append((number, pairing))
    points = point_system(tournament)
    best_of = BEST_OF.read_number(tournament.system_options)
    first = tournament.rounds - best_of * len(drawn) + 1
    stages = []
    for index, ties in enumerate(drawn):
        numbers = range(first + index * best_of, first + (index + 1) * best_of)
        placed = [
            _place(tie, place, names, games, numbers, points, corrected)
            for place, tie in enumerate(ties)
        ]
        stages.append(Stage(_name_stage(len(drawn) - index), numbers, placed))
    return stages


def _draw(tournament: Tournament, rounds: Iterable[Round], pairings: Shown) -> DrawnBracket:
    draw = system_of(tournament).draw_bracket
    shown = [found for found in rounds if found.state in SHOWN_ROUND_STATES]
    if draw is None:
        return ()
    played = {found.number for found in shown if found.state == Round.State.PUBLISHED}
    pairs: dict[int, set[frozenset[int]]] = defaultdict(set)
    unsettled: frozenset[int] = frozenset()
    for number, pairing in pairings:
        if number in played:
            pairs[number].add(_players(pairing))
            unsettled |= _players(pairing) if pairing.state in UNSETTLED else frozenset()
    through = max((found.number for found in shown), default=0)
    table = load_crosstable(tournament, through=through, for_pairing=True, with_running=True)
    try:
        return draw(
            table.held_until(through),
            tournament.system_options,
            pairing_codes(tournament),
            load_first_boards(tournament),
            Running(pairs, unsettled),
        )
    except (PairingError, OptionError):
        return ()


def _players(pairing: RoundPairing) -> frozenset[int]:
    seats = (pairing.first, pairing.second)
    return frozenset(player["number"] for player in seats if player)


def _name_stage(left: int) -> str:
    """Return the name of a stage; `left` counts the stages from it on, the final included."""
    names = {1: gettext("Final"), 2: gettext("Semi-finals"), 3: gettext("Quarter-finals")}
    return names.get(left) or gettext("Last %(players)d") % {"players": 1 << left}


def _place(
    tie: DrawnTie,
    place: int,
    names: Mapping[int, str],
    games: Mapping[frozenset[int], Shown],
    rounds: Sequence[int],
    points: PointSystem,
    corrected: Collection[int],
) -> PlacedTie:
    texts = [points.format_units(units) for units in tie.points] if tie.points else ["", ""]
    sides = [_side(tie, index, place, names, texts[index]) for index in range(2)]
    upper, lower = tie.sides
    found = games.get(frozenset({upper, lower}), ()) if upper and lower else ()
    return PlacedTie(
        index=place + 1,
        sides=(sides[0], sides[1]),
        games=[
            _game(number, pairing, upper, is_corrected=pairing.game_id in corrected)
            for number, pairing in found
            if number in rounds
        ],
        reason=with_names(tie.reason.sentence, names) if tie.reason else "",
        is_for_third=tie.is_for_third,
    )


def _side(tie: DrawnTie, index: int, place: int, names: Mapping[int, str], points: str) -> Side:
    number = tie.sides[index]
    if number is None:
        if not tie.is_open[index]:
            return Side(words=gettext("bye"))
        if tie.is_for_third:
            return Side(words=gettext("loser of pairing %(pairing)d") % {"pairing": index + 1})
        return Side(
            words=gettext("winner of pairing %(pairing)d") % {"pairing": 2 * place + index + 1}
        )
    return Side(
        number=number,
        name=names.get(number, str(number)),
        points=points,
        is_winner=tie.winner == number,
        is_out=tie.is_over and tie.winner != number,
    )


def _game(number: int, pairing: RoundPairing, upper: int | None, *, is_corrected: bool) -> TieGame:
    result = named_result(pairing.as_json(), is_turned=pairing.first["number"] != upper)
    return TieGame(
        game=pairing.game_id,
        board=pairing.board,
        round=number,
        result=f"{result} {CORRECTED}" if is_corrected else result,
    )


class BracketPage(EventPage):
    template = "tournament/tables/bracket.html"
    public_read = "slug"
    tab = "bracket"
    is_costly = True

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the stages of the bracket; raise NotFound in other systems."""
        if not self.event_frame["has_bracket"]:
            detail = Text(
                "%(system)s: there is no bracket", system=Text(system_of(tournament).name)
            )
            raise NotFound("not_found", detail)
        return bracket_context(tournament, self.event_frame)


class BracketSheet(BracketPage):
    """The bracket as a sheet of paper: its last stages, as many as one page has room for."""

    query_names = ("paper",)

    def get(self, request: Request, slug: str = "", **address: Any) -> HttpResponse:
        """Return the PDF; raise NotFound before the bracket is drawn."""
        tournament = tournament_seen_by(request, slug)
        self.event_frame = event_frame(request, tournament)
        content = self.content(request, tournament)
        stages = [stage for stage in content["stages"] if len(stage.ties) <= MOST_PRINTED_TIES]
        if not stages:
            raise NotFound("not_found", Text("the bracket is not drawn yet"))
        drawn = [_printed_tie(tie) for tie in stages[-1].ties if tie.is_for_third]
        sheet = requested_frame(request, tournament).as_json(gettext("Bracket"))
        data = {
            **sheet,
            "stages": [
                {
                    "name": clean_text(stage.name),
                    "ties": [_printed_tie(tie) for tie in stage.ties if not tie.is_for_third],
                }
                for stage in stages
            ],
            "third": drawn,
        }
        return pdf_response(print_sheet("bracket", data), f"{slug}.bracket")


def _printed_tie(tie: PlacedTie) -> dict[str, Any]:
    results = [game.result for game in tie.games]
    title = [gettext("For third place")] if tie.is_for_third else []
    return {
        "title": " · ".join([*title, *results]),
        "sides": [
            {
                "seed": str(side.number or ""),
                "name": clean_text(side.name or side.words),
                "points": side.points,
                "wins": side.is_winner,
            }
            for side in tie.sides
        ],
    }


def bracket_context(tournament: Tournament, frame: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stages of the bracket, the corrections of their games, and who won it."""
    by_game = tournament.corrections.by_game()
    stages = draw_stages(tournament, frame["rounds"], by_game.keys())
    games = [g.game for stage in stages for tie in stage.ties for g in tie.games if g.game]
    final = stages[-1].ties[0].sides if stages else ()
    return {
        "stages": stages,
        "last_stages": stages[-MOST_SHOWN_STAGES:],
        "corrections": corrections_of(games, by_game),
        "champion": next((side for side in final if side.is_winner), None),
    }
