"""Exact ties: players whom the tie-breaks leave tied, and the director's decision about them.

C.07 4.2 (2026-03-01) ends a list of tie-breaks with the drawing of lots, if the regulations do not
share the places. Here tied players share a rank, until a director decides by a play-off, by lot or
by the seeds. Ties of a group for places that qualify have to be decided before the bracket.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Annotated, Any, Self, TypedDict

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Call
from games.core.errors import Unprocessable
from games.core.forms import Form, FormState, form_fields
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.core.permissions import current_account, find_refusals
from games.core.text import sentence
from games.core.types import list_of
from games.core.views import ApiView, endpoint
from games.models import Account
from games.rules.text import Text
from tournament.core.crosstable import load_crosstable
from tournament.core.engine import pairing_codes
from tournament.core.heads import stream_state
from tournament.core.locking import lock_tournament, require_state
from tournament.core.lookup import ActionInEvent, tournament_seen_by
from tournament.core.pages import RunPage, forbidden_to_scorers
from tournament.core.queries import last_complete_round, numbered_entries
from tournament.core.rankings import compute_table
from tournament.core.serializers import PUBLIC_REASON, PairingNumberField
from tournament.core.states import wrong_state
from tournament.core.systems import system_of
from tournament.events.effects import find_effect, require_accepted, withdraw_drafts
from tournament.events.serializers import AcceptChangesField
from tournament.models import Round, Tournament
from tournament.models.settings import TIE_BASES
from tournament.pairing.errors import PairingError
from tournament.standings.crosstable import PlayerId

State = Tournament.State
DECIDED_IN = (State.RUNNING, State.REVIEW)
"""The states of an event in which its director decides ties."""


@dataclass(frozen=True, slots=True)
class Tie:
    """Tied players in the order of their numbers, or as decided; `place` is the best they share.

    A tie of a `group` is about who qualifies, and for which seed, in the round that is `paired_as`:
    a round that is published or over was paired before a correction tied the players.
    """

    after: int
    place: int
    players: tuple[PlayerId, ...]
    group: str = ""
    by: str = ""
    reason: str = ""
    paired_as: str = ""

    @property
    def decides(self) -> bool:
        """True if the bracket can only be paired once the tie is decided."""
        return bool(self.group)

    @property
    def is_late(self) -> bool:
        """True if the bracket was published before."""
        return self.paired_as not in ("", Round.State.PLANNED)


def find_ties(tournament: Tournament) -> list[Tie]:
    """Return the ties after the last complete round, decided or not, by place.

    Those of groups, if they decide who qualifies, and are not decided by the time the bracket is
    published; else those of the standings.
    """
    after = last_complete_round(tournament)
    if not after:
        return []
    undecided = _without_decisions(tournament)
    ordinals = _ordinals(tournament)
    of_groups = _with_decisions(_ties_of_groups(undecided, after), tournament, ordinals)
    found = [tie for tie in of_groups if not (tie.by and tie.is_late)]
    if not found:
        found = [*_with_decisions(_ties_of_standings(undecided, after), tournament, ordinals)]
    return sorted(
        found, key=lambda tie: (not tie.decides, len(tie.group), tie.group, tie.place, tie.players)
    )


def _without_decisions(tournament: Tournament) -> Tournament:
    """Return the event, not to be saved, as if the director had decided nothing."""
    copy = Tournament.objects.get(pk=tournament.pk)
    copy.decided_ties = []
    return copy


def _with_decisions(
    ties: Iterable[Tie], tournament: Tournament, ordinals: Mapping[PlayerId, int]
) -> Iterator[Tie]:
    decisions = {(tie["after"], frozenset(tie["entries"])): tie for tie in tournament.decided_ties}
    numbers = {ordinal: number for number, ordinal in ordinals.items()}
    for tie in ties:
        decision = decisions.get((tie.after, frozenset(ordinals[each] for each in tie.players)))
        if decision:
            order = tuple(numbers[ordinal] for ordinal in decision["entries"])
            tie = replace(tie, players=order, by=decision["by"], reason=decision["reason"])
        yield tie


def _ties_of_groups(tournament: Tournament, after: int) -> Iterator[Tie]:
    rank_groups = system_of(tournament).rank_groups
    if rank_groups is None:
        return
    crosstable = load_crosstable(tournament, through=after, for_pairing=True)
    try:
        stage = rank_groups(crosstable, tournament.system_options, pairing_codes(tournament))
    except PairingError:
        return
    bracket = tournament.round_set.filter(number=stage.rounds + 1).first() if stage.ties else None
    if bracket is None:
        return
    is_late = bracket.published_at is not None
    if is_late and bracket.system != tournament.system:
        return  # a bracket that was set by hand asks for no order
    state = bracket.state if is_late else Round.State.PLANNED  # only officials know of drafts
    for tie in stage.ties:
        yield Tie(stage.rounds, tie.place, tie.players, tie.group, paired_as=state)


def _ties_of_standings(tournament: Tournament, after: int) -> Iterator[Tie]:
    by_rank: dict[int, list[PlayerId]] = {}
    for row in compute_table(tournament, through=after).rows:
        by_rank.setdefault(row.rank, []).append(row.number)
    yield from (
        Tie(after, place, tuple(players)) for place, players in by_rank.items() if len(players) > 1
    )


def _ordinals(tournament: Tournament) -> dict[PlayerId, int]:
    return dict(numbered_entries(tournament).values_list("pairing_number", "ordinal"))


@dataclass(frozen=True, slots=True)
class FoundTies:
    """The ties of an event, and the state of the journals before they were found."""

    tournament: Tournament
    state: list[Any]
    ties: list[Tie]

    @classmethod
    def load(cls, tournament: Tournament) -> Self:
        """Find the ties of an event."""
        state = stream_state(tournament.stream)
        return cls(tournament, state, find_ties(tournament))


def decide_tie(
    found: FoundTies,
    players: Sequence[PlayerId],
    basis: str,
    *,
    reason: str,
    by: Account,
    accept: Collection[str] = (),
) -> list[Tie]:
    """Decide the order of tied players and return all ties; an earlier decision is replaced.

    The ties are found again if the event has changed since. Raises Unprocessable if exactly these
    players are not tied after the last complete round, or if the basis is the seeds and the order
    another, and Conflict for a paired round that would be paired differently, unless accepted.
    """
    with transaction.atomic():
        tournament = lock_tournament(found.tournament)
        require_state(tournament, *DECIDED_IN)
        if stream_state(tournament.stream) != found.state:
            found = FoundTies.load(tournament)
        tied = next((tie for tie in found.ties if {*tie.players} == {*players}), None)
        if tied is None or len(players) != len(tied.players):
            detail = Text(
                "%(players)s are not the players of one tie after the last complete round",
                players=list(players),
            )
            raise Unprocessable("not_tied", detail, at="/numbers")
        if basis == "seed" and list(players) != sorted(players):
            detail = Text(
                "by the seeds, the order is %(numbers)s",
                numbers=", ".join(str(number) for number in sorted(players)),
            )
            raise Unprocessable("not_by_seeds", detail, at="/numbers")
        ordinals = _ordinals(tournament)
        entries = [ordinals[number] for number in players]
        decision = {"after": tied.after, "entries": entries, "by": basis, "reason": reason}
        others = [
            tie
            for tie in tournament.decided_ties
            if (tie["after"], {*tie["entries"]}) != (tied.after, {*entries})
        ]
        before = copy(tournament)
        tournament.decided_ties = [*others, decision]
        effect = find_effect(before, tournament, {"decided_ties"})
        require_accepted(effect, accept, reason=reason)
        tournament.save(update_fields=["decided_ties"])
        payload, rows = decision | effect.as_payload(), changed_rows(tournament)
        append_line(tournament.stream, "tie.decided", payload, by=by, rows=rows)
        withdraw_drafts(tournament, effect, reason=reason, by=by)
    decided = replace(tied, players=tuple(players), by=basis, reason=reason)
    return [decided if tie is tied else tie for tie in found.ties]


class TieRequestSerializer(serializers.Serializer):
    """The tied players, the best first, and by what they were ordered."""

    numbers = serializers.ListField(
        child=PairingNumberField(),
        min_length=2,
        max_length=200,
        help_text="pairing numbers, the best first",
    )
    by = serializers.ChoiceField(TIE_BASES, label=_("Decided"))
    reason = serializers.CharField(
        max_length=2000, label=_("Reason"), style={"help": PUBLIC_REASON}
    )
    accept = AcceptChangesField()


class ShownTie(TypedDict):
    """Tied players, and how their order was decided, if it was."""

    after: Annotated[int, "the round after which they are tied"]
    place: Annotated[int, "the rank that they share"]
    group: Annotated[str | None, "where they share it; null: the standings"]
    numbers: Annotated[list[int], "pairing numbers, as decided"]
    decides: Annotated[bool, "true: it decides who qualifies, and the bracket waits for it"]
    paired_as: Annotated[
        str | None,
        "of a tie that decides: the state of the first round of the bracket, not `planned` if a"
        " correction tied the players afterwards",
    ]
    by: Annotated[str | None, "by what it was decided; null: not decided"]
    reason: str | None


def ties_as_json(ties: list[Tie]) -> dict[str, Any]:
    """Return ties as JSON."""
    rows: list[ShownTie] = [
        {
            "after": tie.after,
            "place": tie.place,
            "group": tie.group or None,
            "numbers": list(tie.players),
            "decides": tie.decides,
            "paired_as": tie.paired_as or None,
            "by": tie.by or None,
            "reason": tie.reason or None,
        }
        for tie in ties
    ]
    return {"next": None, "previous": None, "results": rows}


class DecideTie(ActionInEvent):
    """Decide the order of players whom the tie-breaks leave tied; the response has all ties.

    A tie of a group for places that qualify has to be decided before the bracket is paired. In
    the standings, tied players share their rank until the director decides. If a round is paired
    that would be paired differently by this order, send `accept` as in `PATCH tournaments/{slug}`.
    """

    name = "decide_tie"
    permission = "rounds.edit"
    body = TieRequestSerializer
    example = {"numbers": [3, 8], "by": "lot", "reason": "drawn before all players"}
    response = list_of(ShownTie)
    done = gettext_noop("The tie is decided.")

    def prepare(self, call: Call, tournament: Tournament) -> FoundTies:
        return FoundTies.load(tournament)

    def perform(self, call: Call, found: FoundTies) -> dict[str, Any]:
        body = call.body
        decided = decide_tie(
            found,
            body["numbers"],
            body["by"],
            reason=body["reason"],
            accept=body.get("accept", ()),
            by=call.account,
        )
        return ties_as_json(decided)


class TiesView(ApiView):
    public_read = "slug"
    post = endpoint(DecideTie)

    @extend_schema(responses=list_of(ShownTie))
    def get(self, request: Request, slug: str) -> Response:
        """List the players who are tied after the last complete round, decided or not.

        `decides` is true for a tie about who qualifies. `by` and `reason` are those of a decision,
        and null without one. Once the bracket is published, a tie about who qualifies is listed
        only if it is not decided: a correction tied the players after the bracket was paired.
        """
        return Response(ties_as_json(find_ties(tournament_seen_by(request, slug))))


def tie_body(form: dict[str, Any], _address: Any) -> dict[str, Any]:
    """Return the body of a form whose fields `place.NUMBER` have the places of the players.

    They are places of the standings, as 3 and 4, or of a group.
    """
    places = form.get("place", {})
    named = places.items() if isinstance(places, dict) else ()
    order = sorted(
        (int(place) if str(place).isdecimal() and len(str(place)) < 6 else 0, number)
        for number, place in named
        if str(number).isdecimal() and len(str(number)) < 6
    )
    first = order[0][0] if order else 0
    if not first or [place for place, _ in order] != list(range(first, first + len(order))):
        detail = Text("give each of the players another place, without gaps")
        raise Unprocessable("not_tied", detail, at="/numbers")
    return {
        "numbers": [int(number) for _, number in order],
        **{name: form[name] for name in ("by", "reason", "accept") if name in form},
    }


class TiesPage(RunPage):
    template = "tournament/events/run_ties.html"
    section = "rounds"
    actions = {"decide": Form(DecideTie, body=tie_body)}

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the ties with their players, and the fields of the form of each."""
        names = dict(numbered_entries(tournament).values_list("pairing_number", "player__name"))
        labels = dict(TIE_BASES)
        allowed = forbidden_to_scorers()
        user, token = current_account(request)
        refusals = find_refusals(user, token, ["rounds.edit"], stream=tournament.stream)
        if refusals["rounds.edit"] is None:
            allowed = {"level": "allowed", "reason": ""}
            if tournament.state not in DECIDED_IN:
                conflict = wrong_state(tournament.name, tournament.state, *DECIDED_IN)
                allowed |= {"level": "forbidden", "reason": sentence(conflict.detail)}
        ties = find_ties(tournament)
        next_tie = next((tie for tie in ties if not tie.by), None)
        return {
            "allowed": allowed,
            "ties": [
                {
                    "tie": tie,
                    "label": labels.get(tie.by, ""),
                    "is_next": tie is next_tie,
                    "is_rejected": bool(typed),
                    "codes": state.accept,
                    "last": tie.place + len(tie.players) - 1,
                    "players": [
                        (typed.get(f"place.{number}", place), number, names.get(number, ""))
                        for place, number in enumerate(tie.players, start=tie.place)
                    ],
                    "fields": form_fields(TieRequestSerializer(), ["by", "reason"], state=state),
                }
                for tie in ties
                for state in [self._state(tie)]
                for typed in [state.typed]
            ],
        }

    def _state(self, tie: Tie) -> FormState:
        typed = self.form.typed
        places = {name.removeprefix("place.") for name in typed if name.startswith("place.")}
        is_own = places == {str(number) for number in tie.players}
        return self.form if is_own else FormState()
