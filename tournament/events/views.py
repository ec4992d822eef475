"""Tournaments and their states."""

from collections.abc import Mapping
from contextlib import nullcontext, suppress
from datetime import date, datetime
from functools import lru_cache
from typing import Annotated, Any

import django_filters
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Action, Answer, Call, with_accepted_task, with_task
from games.core.errors import Conflict, Unprocessable
from games.core.filters import (
    RULESETS,
    BoardSizeFilter,
    CountryFilter,
    DayFilter,
    IdFilter,
    SlugsFilter,
    WordsFilter,
)
from games.core.limits import place_to_pair
from games.core.pagination import CursorPages
from games.core.permissions import current_account, find_refusals, require_account, viewer
from games.core.preconditions import Target, tag_for_writes
from games.core.references import TournamentReference, absolute_url, page_url
from games.core.serializers import BOARD_SIZE, RULESET, TIME_CLASS
from games.core.views import ACTIONS, ApiView, ValuesListView, endpoint, with_actions
from games.models.time_controls import TimeClass, TimeControl
from games.players.queries import has_name, named_player
from ratings.batches.queries import batch_progress
from ratings.core.pools import pool_choices
from ratings.core.serializers import ReasonSerializer
from tournament.core.lookup import ActionInEvent, tournament_seen_by
from tournament.core.queries import listed_events, visible_tournaments
from tournament.core.states import BEFORE_START, EVENT_PERMISSIONS, event_actions
from tournament.core.targets import made_tournament, tournament_target
from tournament.events.effects import DECIDES_PAIRINGS
from tournament.events.serializers import (
    CopySerializer,
    CreatedTournamentSerializer,
    EditedTournamentSerializer,
    FinalTournamentSerializer,
    ReviewSerializer,
    TournamentChangeSerializer,
    TournamentDetailSerializer,
    TournamentSerializer,
    TournamentWithActionsSerializer,
)
from tournament.events.services import (
    Foreseen,
    copy_tournament,
    create_tournament,
    delete_tournament,
    edit_tournament,
    foresee,
)
from tournament.events.transitions import change_tournament_state, filed_batch
from tournament.models import Entry, Tournament
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.players.agreements import hidden_streams, without_streams
from tournament.rounds.cautions import find_cautions


class CreateTournament(Action):
    """Create a tournament in draft; the caller becomes its owner.

    Only its officials see a draft; `open` shows it to all. Settings that are left out have their
    defaults, `slug` follows from the name, and `warnings` lists what can go wrong with the
    settings.
    """

    name = "create_tournament"
    permission = "tournament.create"
    body = TournamentSerializer
    example = {
        "name": "Spring Open",
        "starts_on": "2027-04-17",
        "ends_on": "2027-04-18",
        "ruleset": "star-star",
        "board_size": "10",
        "system": "dutch",
        "rounds": 5,
    }
    response = CreatedTournamentSerializer
    status = 201
    location = "tournaments/{slug}"
    done = gettext_noop("The event is created.")

    def perform(self, call: Call, prepared: None) -> dict[str, Any]:
        return with_cautions(create_tournament(by=call.account, **call.body))

    def made_target(self, call: Call, content: Any) -> Target:
        return made_tournament(content["slug"])


class CopyTournament(ActionInEvent):
    """Create a draft with the settings of a tournament, for its directors.

    All days move with the first one, those of its rounds and of its registration, too. Entries,
    roles, links, webhooks, players kept apart and a table of handicaps are not copied.
    """

    permission = "tournament.edit"
    body = CopySerializer
    example = {"name": "Spring Open 2028", "starts_on": "2028-04-15"}
    response = CreatedTournamentSerializer
    status = 201
    location = "tournaments/{slug}"
    done = gettext_noop(
        "The event is copied, with its settings and without its players. Check what its texts say."
    )

    def check(self, call: Call, found: Tournament) -> None:
        super().check(call, found)
        require_account(call, CreateTournament.permission)

    def perform(self, call: Call, tournament: Tournament) -> dict[str, Any]:
        return with_cautions(copy_tournament(tournament, by=call.account, **call.body))

    def made_target(self, call: Call, content: Any) -> Target:
        return made_tournament(content["slug"])


class EditTournament(ActionInEvent):
    """Change settings; those that played rounds depend on only before the start.

    A running tournament can have more or fewer rounds, as long as none that is drafted or was
    published is removed, other tie-breaks, prizes, and players kept apart. The number of rounds and
    the ranking need a `reason` once round 1 is published.

    What changes something that is published needs a `reason`, and its code as `accept` (409
    `acceptance_needed`): rounds that would be paired differently (`due_rounds`), such as one that
    becomes the last, `rank_changes` and `prize_changes`. A dry run lists them, and needs neither.
    Rounds stay as they are; a draft that would be paired differently is withdrawn.

    Before the start, `registration_from` and `registration_until` move along with `starts_on`,
    unless they change too. The days and the ends of the rounds move along if `starts_on` and
    `ends_on` move by the same number of days; otherwise the days must be within them (422
    `outside_tournament`).

    The `slug` of a draft changes until registration opens (`was_public`), and with it all addresses
    of the tournament. Its journal begins again. Roles, invitations, links, webhooks and tokens
    stay; apps whose scope names the old slug ask their person again.
    """

    rule = "edit"
    body = TournamentChangeSerializer
    example = {"rounds": 6, "place": "Porto"}
    response = EditedTournamentSerializer
    has_precondition = True
    done = gettext_noop("The settings are stored.")

    def prepare(self, call: Call, tournament: Tournament) -> tuple[Tournament, Foreseen | None]:
        changes, *_ = _split(call.body)
        # Most changes pair nothing again, so the action has no cost of its own.
        pairs = tournament.state not in BEFORE_START and any(
            changes[name] != getattr(tournament, name) for name in DECIDES_PAIRINGS & changes.keys()
        )
        place = place_to_pair(call.caller) if pairs else nullcontext()
        with place, suppress(Conflict, Unprocessable):  # `perform` finds what is wrong
            return tournament, foresee(tournament, changes)
        return tournament, None

    def perform(self, call: Call, prepared: tuple[Tournament, Foreseen | None]) -> dict[str, Any]:
        tournament, foreseen = prepared
        changes, reason, accept = _split(call.body)
        tournament, effect = edit_tournament(
            tournament,
            changes,
            by=call.account,
            reason=reason,
            accept=None if call.dry_run else accept,
            foreseen=foreseen,
        )
        return with_cautions(tournament) | effect.as_json()


def _split(body: Mapping[str, Any]) -> tuple[dict[str, Any], str, list[str]]:
    """Return the changes of a body, their reason, and the codes that it accepts."""
    changes = dict(body)
    return changes, changes.pop("reason", ""), changes.pop("accept", [])


class DeleteTournament(ActionInEvent):
    """Delete a draft that was never public, with its entries; cancel any other (`was_public`).

    Its roles, invitations, webhooks and the tokens that are limited to it end, and its address is
    free. The players stay registered.
    """

    rule = "delete"
    done = gettext_noop("The event is deleted.")

    def perform(self, call: Call, tournament: Tournament) -> None:
        delete_tournament(tournament, by=call.account)


def with_cautions(tournament: Tournament) -> dict[str, Any]:
    """Return a tournament as JSON, with what can go wrong."""
    body: dict[str, Any] = TournamentDetailSerializer(tournament).data
    return body | {"warnings": find_cautions(tournament)}


class ChangeState(ActionInEvent):
    """Bring the tournament to another state."""

    response = TournamentDetailSerializer
    has_precondition = True
    label: str | Promise = ""

    def perform(self, call: Call, tournament: Tournament) -> Any:
        return TournamentDetailSerializer(self.change(call, tournament)).data

    def change(self, call: Call, tournament: Tournament) -> Tournament:
        """Change the state."""
        return change_tournament_state(tournament, self.rule, by=call.account, **(call.body or {}))


class ChangeStateForReason(ChangeState):
    """Bring the tournament to another state, with a reason."""

    body = ReasonSerializer


class Open(ChangeState):
    """Open the registration: the tournament is public, and players can apply.

    From the state `draft`. The slug cannot change any more, and the tournament can be cancelled but
    not deleted. The digest of the number that draws the lots goes to the journal.
    """

    rule = "open"
    label = _("Open registration")
    done = gettext_noop("Registration is open.")


class Start(ChangeState):
    """Start the tournament: its rounds are planned, seeds and settings are frozen.

    From the state `registration`, with at least two accepted entries. The players get their pairing
    numbers. All rounds of a league are paired and published at once. `PATCH tournaments/{slug}`
    says what can still change.
    """

    rule = "start"
    label = _("Start the event")
    done = gettext_noop("The event has started; its rounds are planned.")


class Review(ChangeState):
    """Begin the review: all results are in, but not yet official.

    From the state `running`, when each round is complete (409 `rounds_open`); rounds that nobody is
    left to play are removed. What that changes of what is published, such as a round that becomes
    the last, needs a `reason` and `accept` as in `PATCH tournaments/{slug}`. Results can still be
    ruled and corrected.
    """

    rule = "review"
    body = ReviewSerializer
    example = {"reason": "all others have left"}
    label = _("Begin the review")
    done = gettext_noop("The event is in review.")


class Finalise(ChangeState):
    """Make the standings final, and file the rated games with ratings.

    If the pool accepts them, the response is 202 with the task that computes the ratings; if not,
    `rating_batch` in the response says why.
    """

    rule = "finalise"
    responses = {200: FinalTournamentSerializer, 202: FinalTournamentSerializer}
    made = ("rating_batch.id?",)
    label = _("Make the standings final")
    done = gettext_noop("The event is final.")

    def perform(self, call: Call, tournament: Tournament) -> Any:
        """Change the state, and answer with the task that rates the games, if there is one."""
        tournament = self.change(call, tournament)
        batch = filed_batch(tournament)
        body: dict[str, Any] = TournamentDetailSerializer(tournament).data
        return body if batch is None else with_task(lambda: body, batch_progress, batch.pk)

    def resume(self, call: Call, accepted: Mapping[str, Any]) -> Answer:
        return with_accepted_task(accepted, batch_progress)


class Archive(ChangeState):
    """Archive a final tournament, which then changes no more.

    Its pages, tables and files stay public. Only site staff correct it then, and no operation leads
    back.
    """

    rule = "archive"
    label = _("Archive the event")
    done = gettext_noop("The event is archived.")


class Cancel(ChangeStateForReason):
    """Cancel the tournament; `resume` undoes it.

    With a reason, before the review. Its games are closed, and nothing of it is rated. A cancelled
    draft is in nobody's lists but its officials'.
    """

    rule = "cancel"
    label = _("Cancel the event")
    done = gettext_noop("The event is cancelled.")
    example = {"reason": "the hall is flooded"}


class Resume(ChangeState):
    """Resume a cancelled tournament in the state that it had.

    Its games are open again. 409 `wrong_state` for one that is not cancelled.
    """

    rule = "resume"
    label = _("Resume the event")
    done = gettext_noop("The event goes on.")


class Reopen(ChangeStateForReason):
    """Set a final tournament back to review.

    Its results can change, and its games are not rated until `finalise` files them again.
    """

    rule = "reopen"
    label = _("Reopen the event")
    done = gettext_noop("The event is in review again.")
    example = {"reason": "a result was entered wrongly"}


TRANSITION_ACTIONS = {
    declared.rule: declared
    for declared in (Open, Start, Review, Finalise, Archive, Cancel, Resume, Reopen)
}
"""By the end of their addresses."""


COLUMNS = (
    "id", "slug", "name", "place", "country", "starts_on", "ends_on", "time_zone", "state", "game",
    "board", "main_minutes", "increment_seconds", "system", "rounds", "rated", "pool",
    "created_at", "updated_at",
)  # fmt: skip
"""The columns of a list: the cursor of a page contains the id."""


@lru_cache(maxsize=1_000)
def _time_class(main_minutes: int | None, increment_seconds: int) -> TimeClass | None:
    return TimeControl(main_minutes, increment_seconds).time_class


class TournamentFilter(django_filters.FilterSet):
    name = django_filters.CharFilter(
        method="filter_name", label="a part of the name, without case and accents", max_length=200
    )
    slug = SlugsFilter(label="slugs, separated by commas")
    state = WordsFilter(choices=Tournament.State.choices, label="one or several states")
    since = DayFilter(
        field_name="ends_on", lookup_expr="gte", label="those that end on this day or later"
    )
    until = DayFilter(
        field_name="starts_on", lookup_expr="lte", label="those that start on this day or earlier"
    )
    country = CountryFilter(label="FIDE's three-letter code")
    ruleset = django_filters.ChoiceFilter(field_name="game", choices=RULESETS, label=RULESET)
    board_size = BoardSizeFilter(label=BOARD_SIZE)
    system = django_filters.ChoiceFilter(
        choices=[(code, code) for code in PAIRING_SYSTEMS], label="the pairing system"
    )
    pool = django_filters.ChoiceFilter(choices=pool_choices, label="the code of a pool")
    player = IdFilter(
        method="filter_player", label="the id of a player: the events that their own page shows"
    )

    class Meta:
        model = Tournament
        fields: list[str] = []

    def filter_name(self, events: Any, name: str, text: str) -> Any:
        """Return the events whose name contains a text."""
        return events.filter(has_name(text))

    def filter_player(self, events: Any, _name: str, value: int) -> Any:
        """Return the events in which a player is entered; others see those of the own page."""
        player = named_player(value)
        if player.account_id and player.account_id == self.request.user.pk:
            entries = Entry.objects.filter(player__in=player.registration_ids())
            return events.filter(pk__in=entries.values("tournament"))
        return without_streams(events.filter(pk__in=listed_events(player)), hidden_streams(player))


class ListedTournament(TournamentReference):
    """A tournament of a list, without most settings."""

    place: str | None
    country: str | None
    starts_on: date
    ends_on: date
    time_zone: str
    state: Tournament.State
    ruleset: str
    board_size: str
    main_minutes: int | None
    increment_seconds: int
    time_class: Annotated[TimeClass | None, TIME_CLASS]
    system: str
    rounds: int
    rated: bool
    pool: str | None
    created_at: datetime
    updated_at: datetime
    url: str
    page_url: str


class TournamentPages(CursorPages):
    """Pages of tournaments, in the order of creation or of their first days."""

    further_orders = {"earliest": ("starts_on", "id"), "latest": ("-starts_on", "-id")}


class TournamentList(ValuesListView):
    """Tournaments that the caller may see, oldest first.

    `since` and `until` select those that take place on a day between the two: `order=earliest`
    lists them by their first day, `order=latest` the other way.
    """

    public_read = "site"
    pagination_class = TournamentPages
    queryset = visible_tournaments(None).values(*COLUMNS).order_by("id")
    filterset_class = TournamentFilter
    post = endpoint(CreateTournament)

    def get_queryset(self) -> Any:
        account, stream = viewer(self.request, "tournament.see")
        if account is None:
            return super().get_queryset()
        return visible_tournaments(account, stream).values(*COLUMNS)

    def row_as_json(self, row: dict[str, Any]) -> ListedTournament:
        return {
            "slug": row["slug"],
            "name": row["name"],
            "place": row["place"] or None,
            "country": row["country"] or None,
            "starts_on": row["starts_on"],
            "ends_on": row["ends_on"],
            "time_zone": row["time_zone"],
            "state": row["state"],
            "ruleset": row["game"],
            "board_size": row["board"],
            "main_minutes": row["main_minutes"],
            "increment_seconds": row["increment_seconds"],
            "time_class": _time_class(row["main_minutes"], row["increment_seconds"]),
            "system": row["system"],
            "rounds": row["rounds"],
            "rated": row["rated"],
            "pool": row["pool"] or None,
            "created_at": row["created_at"],
            "updated_at": row["updated_at"],
            "url": absolute_url(f"tournaments/{row['slug']}"),
            "page_url": page_url(f"e/{row['slug']}"),
        }


class TournamentView(ApiView):
    parameters = (ACTIONS,)
    patch = endpoint(EditTournament)
    delete = endpoint(DeleteTournament)

    @extend_schema(responses=TournamentWithActionsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return a tournament with its settings and its state.

        With `actions`, `allowed_actions` says what the caller can do now, and why the rest is
        refused. Officials get `warnings`, and the tag that the writes of directors want. A draft is
        404 to all but its officials.
        """
        tournament = tournament_seen_by(request, slug)
        user, token = current_account(request)
        permissions = ["drafts.see", *EVENT_PERMISSIONS]
        refusals = find_refusals(user, token, permissions, stream=tournament.stream)
        is_official = refusals["drafts.see"] is None
        if is_official:
            tag_for_writes(request, tournament_target(tournament))
        body = TournamentDetailSerializer(tournament).data
        if tournament.state == Tournament.State.RUNNING and not is_official:
            del body["separations"]
        body["warnings"] = find_cautions(tournament) if is_official else []
        return with_actions(request, body, lambda: event_actions(tournament, refusals))
