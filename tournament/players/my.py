"""What an account has to report, to answer and to decide; the proposal of a casual game."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.accounts.views import unrestricted_account
from games.core.errors import unknown_key
from games.core.forms import Form, form_fields
from games.core.pages import PageView
from games.core.roles.queries import invitations_to
from games.core.roles.views import AcceptInvitation, DeclineInvitation, DropRole
from games.models import Claim, Game, LiveRecord, Player
from games.play import types
from games.play.by_turns import own_turns
from games.play.live import deadline_of
from games.play.queries import game_as_json, own_game_rows
from games.players.queries import name_players, players_by_name
from games.rules.registry import FIRST_GAME, GAMES, TWO_PLAYER_GAMES
from ratings.casual.serializers import ProposalSerializer
from ratings.casual.views import ProposeGame
from ratings.core.conditions import rated_casual_games
from ratings.models import Pool
from tournament.players.agreements import asked_entries, hidden_streams
from tournament.players.queries import (
    decidable_claims,
    directed_events,
    played_events,
    roles_with_places,
)
from tournament.players.views import ApproveClaim, RefuseClaim, WithdrawClaim

MOST_OWN_ROWS: Final = 50
"""Games of each group, and events, that the page lists."""
GAME_GROUPS: Final = {
    "proposed": (Game.State.PROPOSED,),
    "to_report": (Game.State.OPEN, Game.State.WAITING, Game.State.DISPUTED),
    "finished": (Game.State.CONFIRMED, Game.State.ANNULLED),
}


class MyPage(PageView):
    template = "tournament/players/my.html"
    actions = {
        "accept-claim": Form(ApproveClaim, ("claim_id",)),
        "agree-claim": Form(
            ApproveClaim,
            ("claim_id",),
            sentence=gettext_noop("You have agreed. Others must agree too before it is accepted."),
        ),
        "refuse-claim": Form(RefuseClaim, ("claim_id",)),
        "withdraw-claim": Form(WithdrawClaim, ("claim_id",)),
        "accept-invitation": Form(AcceptInvitation, ("invitation_id",)),
        "decline-invitation": Form(DeclineInvitation, ("invitation_id",)),
        "drop-role": Form(DropRole, ("role_id",)),
    }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page; a claim that is still open waits for others."""
        if name == "accept-claim" and content["state"] == Claim.State.OPEN:
            name = "agree-claim"
        return super().next_address(request, name, content, **address)

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the games of the account by state, its events and claims, and those to decide."""
        account = unrestricted_account(request)
        claims = decidable_claims(account).filter(state=Claim.State.OPEN)
        hidden = hidden_streams(*Player.objects.filter(account=account), but_by_turns=True)
        rows = own_game_rows(account).exclude(stream__in=hidden)
        games = {
            name: [
                game_as_json(row)
                for row in rows.filter(state__in=states).order_by("-pk")[:MOST_OWN_ROWS]
            ]
            for name, states in GAME_GROUPS.items()
        }
        turns = own_turns(account)
        awaited = {game for game, (_, is_awaited) in turns.items() if is_awaited}
        games["your_turn"] = [game_as_json(row) for row in rows.filter(pk__in=awaited)]
        games["your_turn"].sort(key=lambda game: turns[game["id"]][0].turn_since)
        others = [game for game in games["to_report"] if game["id"] not in awaited]
        games["their_turn"] = [game for game in others if _is_played_here(game)]
        games["to_report"] = [game for game in others if not _is_played_here(game)]
        name_players(game for group in games.values() for game in group)
        lives = {game: live for game, (live, _) in turns.items()}
        return games | {
            "your_turn": [_with_times(game, lives) for game in games["your_turn"]],
            "their_turn": [_with_times(game, lives) for game in games["their_turn"]],
            "invitations": invitations_to(account).order_by("pk")[:MOST_OWN_ROWS],
            "roles": roles_with_places(account)[:MOST_OWN_ROWS],
            "player": getattr(account, "player", None),
            "played": played_events(account, hidden)[:MOST_OWN_ROWS],
            "asked": asked_entries(account)[:MOST_OWN_ROWS],
            "directed": directed_events(account)[:MOST_OWN_ROWS],
            "own_claims": account.claims.exclude(state=Claim.State.ACCEPTED)
            .select_related("player")
            .order_by("-pk")[:MOST_OWN_ROWS],
            "claims": claims.select_related("player", "account").order_by("pk")[:MOST_OWN_ROWS],
            "custodian": Claim.CUSTODIAN,
        }


def _is_played_here(game: types.Game) -> bool:
    return game["play"] == Game.Play.BY_TURNS and game["state"] == Game.State.OPEN


def _with_times(game: types.Game, lives: Mapping[int, LiveRecord]) -> dict[str, Any]:
    """Return a game by turns with since when, and until when, its turn is to be entered."""
    live = lives.get(game["id"])
    times = {"turn_since": live.turn_since, "deadline": deadline_of(live)} if live else {}
    return {**game, **times}


MOST_OPPONENTS: Final = 20
"""Opponents that the page lists."""
LONGEST: Final = 80
"""Characters of a name to search for."""
PROPOSAL_FIELDS: Final = (
    "seat", "handicap", "play", "days_per_turn", "main_minutes", "increment_seconds", "rated",
)  # fmt: skip


class ProposePage(PageView):
    template = "tournament/players/propose.html"
    actions = {"propose": Form(ProposeGame)}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the search and, if it has found players, the form of the proposal."""
        account = unrestricted_account(request)
        text = request.query_params.get("q", "").replace("\0", "").strip()[:LONGEST]
        code = request.query_params.get("ruleset", FIRST_GAME)
        games = {code: GAMES[code] for code in TWO_PLAYER_GAMES}
        if code not in games:
            raise unknown_key("ruleset", code, list(games))
        typed = self.form.typed
        found = players_by_name(text).filter(account__email__isnull=False)
        found = found.exclude(account=account).order_by("folded_name", "pk")
        return {
            "q": text,
            "games": games.values(),
            "rules": games[code],
            "player": getattr(account, "player", None),
            "opponents": found[:MOST_OPPONENTS] if text else [],
            "chosen": typed.get("opponent_id", ""),
            "chosen_board": typed.get("board_size", games[code].first_board),
            "chosen_options": typed.get("options[]", ()),
            "pools": [
                pool for pool in Pool.objects.order_by("name") if code in rated_casual_games(pool)
            ],
            "chosen_pool": typed.get("pool", ""),
            "fields": form_fields(ProposalSerializer(), PROPOSAL_FIELDS, state=self.form),
        }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the proposed game."""
        return f"/games/{content['id']}/reports"
