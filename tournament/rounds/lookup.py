"""Find the round that an address names, if the caller may see or change it."""

from games.core.actions import Action, Actions, Call
from games.core.errors import NotFound
from games.core.permissions import (
    Caller,
    can_see_drafts,
    current_account,
    find_refusals,
    require_account,
)
from games.core.preconditions import Target
from games.rules.text import Text
from tournament.core.lookup import UNPUBLISHED, tournament_seen_by
from tournament.models import Round, Tournament
from tournament.rounds.states import ROUND_PERMISSIONS, ROUND_RULES, round_actions
from tournament.rounds.targets import round_target


class ActionInRound(Action):
    """A write to a round; `rule` is the action that its state must allow, with its permission.

    `prepare` and `perform` get the round. `If-Match` is about it.
    """

    rules = ROUND_RULES
    tag_of = "tournaments/{slug}/rounds/{number}"

    def find(self, call: Call) -> Round:
        return round_of(tournament_seen_by(call, call.address["slug"]), call.address["number"])

    def check(self, call: Call, found: Round) -> None:
        require_account(call, self.permission, stream=found.tournament.stream)

    def allowed_actions(self, call: Call, found: Round) -> Actions:
        tournament = found.tournament
        tournament.refresh_from_db()
        this_round = tournament.round_set.filter(number=found.number).first()
        return allowed_round_actions(call, this_round) if this_round else {}

    def target(self, call: Call, found: Round) -> Target:
        return round_target(found)


def allowed_round_actions(caller: Caller, this_round: Round) -> Actions:
    """Return the level of each action of a round for the caller."""
    user, token = current_account(caller)
    stream = this_round.tournament.stream
    refusals = find_refusals(user, token, ROUND_PERMISSIONS, stream=stream)
    return round_actions(this_round, refusals)


def round_of(tournament: Tournament, number: int) -> Round:
    """Return a round of the tournament; raise NotFound."""
    this_round = tournament.round_set.filter(number=number).first()
    if this_round is None:
        planned = Text("its rounds are planned when it starts")
        rounds = (
            Text("it has rounds 1 to %(last)s", last=tournament.rounds)
            if tournament.round_set.exists()
            else ""
        )
        raise NotFound(
            "not_found",
            Text(
                "there is no round %(number)s in %(event)s; %(detail)s",
                number=number,
                event=tournament.name,
                detail=rounds or planned,
            ),
        )
    this_round.tournament = tournament
    return this_round


def visible_round(caller: Caller, tournament: Tournament, number: int) -> Round:
    """Return a round whose pairings the caller may see; raises NotFound."""
    this_round = round_of(tournament, number)
    if this_round.state in UNPUBLISHED and not can_see_drafts(caller, tournament.stream):
        raise NotFound(
            "not_published", Text("round %(number)s is not published yet", number=number)
        )
    return this_round


def round_seen_by(caller: Caller, slug: str, number: int) -> Round:
    """Return a round of an event whose pairings the caller may see; raises NotFound."""
    return visible_round(caller, tournament_seen_by(caller, slug), number)
