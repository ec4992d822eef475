"""What is one's own: the games and entries of the caller's player, and what to do next.

The token of a player for one event, as that of a personal link, sees those of its event.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Final, Literal, TypedDict, TypeVar

import django_filters
from django.db.models import Q, QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.filters import WordsFilter
from games.core.pagination import NewestFirst
from games.core.permissions import Caller, current_account, require_account
from games.core.references import (
    PlayerReference,
    TournamentReference,
    absolute_url,
    page_url,
    player_reference,
)
from games.core.types import list_of
from games.core.views import ApiView, ValuesListView
from games.models import Account, Game, Player, Report
from games.models.streams import tournament_of
from games.play.by_turns import awaited_seats
from games.play.queries import game_as_json, own_game_rows
from games.play.settlement import load_reports, reports_since_adjournment
from games.rules.seat import Seat
from tournament.core.queries import (
    IN_CURRENT_VERSION,
    SHOWN_ROUND_STATES,
    UNSETTLED,
    is_league,
    is_own,
)
from tournament.core.references import shown_player, tournament_reference
from tournament.entries.queries import EntryDetails, entry_as_json
from tournament.models import Entry, Pairing, Tournament
from tournament.players.agreements import hidden_streams

PERMISSION: Final = "account.follow"
TO_ANSWER: Final = (Report.Kind.RECORD, Report.Kind.CLAIM)
"""The reports that the other side confirms or disputes."""

Line = TypeVar("Line")
ToDo = Literal["report", "confirm", "answer", "wait", "play", "move"]
TO_DO: Final = (
    "play: the round has not begun; report: the result, when the game is over; confirm: or dispute"
    " what the opponent has reported; answer: a proposal; move: in a game by turns, or answer an"
    " offer in it; wait: for others, or the next round"
)


class OwnEntry(EntryDetails):
    """An entry of the caller's player, with its tournament."""

    tournament: TournamentReference


class NextStep(TypedDict):
    """The next thing for the caller's player in an event that runs, or in a casual game."""

    tournament: Annotated[TournamentReference | None, "null: a casual game"]
    round: Annotated[int | None, "null before the first one is published"]
    board: int | None
    opponent: Annotated[PlayerReference | None, "null with a bye"]
    seat: Seat | None
    game_id: int | None
    starts_at: Annotated[datetime | None, "null without a time"]
    to_do: Annotated[ToDo, TO_DO]
    url: Annotated[str, "of the game, else of the tournament"]
    page_url: Annotated[str, "where a person does it"]


class OwnGameFilter(django_filters.FilterSet):
    state = WordsFilter(choices=Game.State.choices, label="one or several states")

    class Meta:
        model = Game
        fields: list[str] = []


class OwnEntryFilter(django_filters.FilterSet):
    state = WordsFilter(choices=Entry.State.choices, label="one or several states")

    class Meta:
        model = Entry
        fields: list[str] = []


@extend_schema_view(get=extend_schema(operation_id="list_own_games"))
class OwnGames(ValuesListView):
    """The games of the caller's player, newest first: proposals and casual games, too.

    Without those of events that the player's own pages hide, unless these run and are by turns.
    """

    queryset = Game.objects.none()
    filterset_class = OwnGameFilter
    pagination_class = NewestFirst
    permission = PERMISSION
    row_as_json = staticmethod(game_as_json)

    def get_queryset(self) -> Any:
        account, stream = owner_of(self.request)
        if stream:
            return own_game_rows(account).filter(stream=stream)
        return own_game_rows(account).exclude(stream__in=hidden_from(account))


@extend_schema_view(get=extend_schema(operation_id="list_own_entries"))
class OwnEntries(ValuesListView):
    """The entries of the caller's player, newest first, each with its tournament.

    Those that others have made too, until the player declines them (`agreement`).
    """

    queryset = Entry.objects.none()
    filterset_class = OwnEntryFilter
    pagination_class = NewestFirst
    permission = PERMISSION

    def get_queryset(self) -> Any:
        entries = own_entries(*owner_of(self.request))
        return entries.exclude(tournament__state=Tournament.State.DRAFT)

    def row_as_json(self, row: Entry) -> OwnEntry:
        entry = entry_as_json(row.tournament, row)
        return {**entry, "tournament": tournament_reference(row.tournament)}


class NextSteps(ApiView):
    permission = PERMISSION

    @extend_schema(operation_id="list_next_steps", responses=list_of(NextStep))
    def get(self, request: Request) -> Response:
        """List what the caller's player has to do next: in each event that runs, and casual games.

        In an event it is the game of the last published round, in a league the first game without
        a result. Events come first, by their first day.
        """
        account, stream = owner_of(request)
        steps = [*steps_in_events(account, stream), *([] if stream else casual_steps(account))]
        return Response({"next": None, "previous": None, "results": steps})


def owner_of(caller: Caller) -> tuple[Account, str]:
    """Return the account, and the stream of the only event that its token is valid for, if any."""
    _, token = current_account(caller)
    stream = token.stream if token else ""
    return require_account(caller, PERMISSION, stream=stream), stream


def own_players(account: Account) -> "QuerySet[Player]":
    """Return the player of an account, if there is one."""
    return Player.objects.filter(account=account)


def hidden_from(account: Account) -> list[str]:
    """Return the streams of the events that are not told to the player of an account."""
    return hidden_streams(*own_players(account), but_by_turns=True)


def own_entries(account: Account, stream: str) -> "QuerySet[Entry]":
    """Return the entries of an account's player that it has not declined; with their players."""
    entries = Entry.objects.filter(is_own(account.pk, "player"))
    if stream:
        entries = entries.filter(tournament__slug=tournament_of(stream))
    related = entries.exclude(agreement=Entry.Agreement.DECLINED)
    return related.select_related("tournament", "player__merged_into")


def current_line(
    tournament: Tournament, lines: Sequence[Line], is_open: Callable[[Line], object]
) -> Line | None:
    """Return the line of the last round of a player; in a league, of the first open game."""
    still_open = [line for line in lines if is_league(tournament) and is_open(line)]
    return next(iter([*still_open, *lines[-1:]]), None)


def steps_in_events(account: Account, stream: str) -> list[NextStep]:
    """Return the next step in each running event; the number of queries is always the same."""
    hidden = [] if stream else hidden_from(account)
    entries = own_entries(account, stream).filter(
        state=Entry.State.ACCEPTED, tournament__state=Tournament.State.RUNNING
    )
    found = [
        entry
        for entry in entries.order_by("tournament__starts_on", "pk")
        if entry.tournament.stream not in hidden
    ]
    numbers = [entry.pk for entry in found]
    pairings = Pairing.objects.filter(
        IN_CURRENT_VERSION,
        Q(first__in=numbers) | Q(second__in=numbers),
        round__state__in=SHOWN_ROUND_STATES,
    ).select_related(
        "round",
        "game__live",
        "return_game__live",
        "first__player__merged_into",
        "second__player__merged_into",
    )
    lines: dict[int, list[Pairing]] = {number: [] for number in numbers}
    for pairing in pairings.order_by("round__number"):
        for number in (pairing.first_id, pairing.second_id):
            if number in lines:
                lines[number].append(pairing)
    current = [
        (entry, current_line(entry.tournament, lines[entry.pk], open_game)) for entry in found
    ]
    games = [game for _, pairing in current if pairing and (game := open_game(pairing))]
    reports = load_reports(games) if games else {}
    return [step_in_event(entry, pairing, reports) for entry, pairing in current]


def open_game(pairing: Pairing) -> Game | None:
    """Return the first game of a pairing without a result."""
    games = (pairing.game, pairing.return_game)
    return next((game for game in games if game and game.state in UNSETTLED), None)


def step_in_event(
    entry: Entry, pairing: Pairing | None, reports: Mapping[int, Sequence[Report]]
) -> NextStep:
    """Return the next step of an entry whose current pairing this is."""
    tournament = entry.tournament
    game = open_game(pairing) if pairing else None
    opponent, seat, starts_at = None, None, None
    to_do: ToDo = "wait"
    if pairing:
        pairing.round.tournament = tournament
        starts_at = pairing.round.starts_at
        is_first = pairing.first_id == entry.pk
        other = pairing.second if is_first else pairing.first
        opponent = shown_player(other) if other else None
        if other:
            is_return = game is not None and game.pk == pairing.return_game_id
            seat = Seat.FIRST if is_first != is_return else Seat.SECOND
        if game and seat:
            to_do = what_to_do(game, seat, reports[game.pk], starts_at)
    path = f"tournaments/{tournament.slug}"
    return {
        "tournament": tournament_reference(tournament),
        "round": pairing.round.number if pairing else None,
        "board": pairing.board_number if pairing else None,
        "opponent": opponent,
        "seat": seat,
        "game_id": game.pk if game else None,
        "starts_at": starts_at,
        "to_do": to_do,
        "url": absolute_url(f"games/{game.pk}" if game else path),
        "page_url": page_url(
            f"games/{game.pk}/live" if game and to_do == "move" else f"e/{tournament.slug}/me"
        ),
    }


def casual_steps(account: Account) -> list[NextStep]:
    """Return the next step in each casual game that is proposed or has no result."""
    own = is_own(account.pk, "first") | is_own(account.pk, "second")
    games = list(
        Game.objects.filter(own, stream="", state__in=[Game.State.PROPOSED, *UNSETTLED], void=False)
        .select_related("first__merged_into", "second__merged_into", "live")
        .order_by("pk")
    )
    reports = load_reports(games) if games else {}
    return [casual_step(game, account, reports[game.pk]) for game in games]


def casual_step(game: Game, account: Account, reports: Sequence[Report]) -> NextStep:
    """Return the next step of an account's player in a casual game."""
    is_first = game.first.current.account_id == account.pk
    seat = Seat.FIRST if is_first else Seat.SECOND
    is_played = game.play == Game.Play.BY_TURNS and game.state == Game.State.OPEN
    page = "live" if is_played else "reports"
    return {
        "tournament": None,
        "round": None,
        "board": None,
        "opponent": player_reference((game.second if is_first else game.first).current),
        "seat": seat,
        "game_id": game.pk,
        "starts_at": None,
        "to_do": what_to_do(game, seat, reports, None),
        "url": absolute_url(f"games/{game.pk}"),
        "page_url": page_url(f"games/{game.pk}/{page}"),
    }


def what_to_do(
    game: Game, seat: Seat, reports: Sequence[Report], starts_at: datetime | None
) -> ToDo:
    """Return what the player of a seat does next in a game without a result.

    Who has reported last waits: for the other side, or in a dispute for the arbiter.
    """
    if game.state == Game.State.PROPOSED:
        return "wait" if game.proposed_by == seat else "answer"
    if game.play == Game.Play.BY_TURNS and game.state == Game.State.OPEN:
        return "move" if seat in awaited_seats(game) else "wait"
    if game.state == Game.State.OPEN:
        return "play" if starts_at and starts_at > timezone.now() else "report"
    said = [report for report in reports_since_adjournment(reports) if report.seat]
    own = max((report.version for report in said if report.seat == seat), default=0)
    others = (r.version for r in said if r.seat != seat and r.kind in TO_ANSWER)
    return "confirm" if max(others, default=0) > own else "wait"
