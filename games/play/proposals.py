"""Proposals of casual games: a player proposes a game, the other accepts or declines it.

Until it is accepted, only the two players see the game. A rated game is rated because both agreed
to it beforehand: one by the proposal, the other by accepting it. Each gets an email about what the
other has done.
"""

from collections.abc import Collection
from dataclasses import asdict
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.core.accounts.mail import Kind
from games.core.errors import Forbidden, Unprocessable, check_all, unknown_key
from games.core.journal.lines import append_game_line
from games.core.journal.rows import changed_rows
from games.core.limits import check_quota, lock_account
from games.models import Account, Game, LiveRecord, Player
from games.models.time_controls import SenselessTime, TimeControl
from games.play.live import begin_played, to_move_after
from games.play.mails import about_game, revoke_mails, send_mail
from games.play.outcomes import conditions_as_columns, refused_conditions
from games.play.queries import answer_deadline, expired_games, lock_game, report_deadline
from games.play.states import find_proposal_refusal
from games.players.queries import no_player
from games.rules.conditions import Conditions
from games.rules.errors import BadConditions
from games.rules.records.handicaps import FIRST_MOVE, require_overcomable
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES, TWO_PLAYER_GAMES
from games.rules.seat import Seat
from games.rules.text import Text

ANSWERS: Final = {
    "accept": ("game.accepted", Game.State.OPEN),
    "decline": ("game.declined", Game.State.DECLINED),
    "cancel": ("game.cancelled", Game.State.CANCELLED),
}
"""The kind of the journal line of an answer, and the state of the game after it."""
EXPIRED: Final = ("game.expired", Game.State.EXPIRED)


def propose_game(
    *,
    opponent: int,
    seat: Seat,
    conditions: Conditions,
    time_control: TimeControl,
    play: str = Game.Play.ANYWHERE,
    days_per_turn: int | None = None,
    rated: bool,
    pool: str,
    by: Account,
) -> Game:
    """Propose a casual game; `seat` is that of the account's player.

    Raises Forbidden if the account has no player, Unprocessable for an opponent who cannot accept,
    Conflict if too many proposals of the account are open.
    """
    own = _player_of(by)
    players = {seat: own, seat.other: find_opponent(opponent, by)}
    with transaction.atomic():
        lock_account(by)
        by_own = Q(proposed_by=Seat.FIRST, first=own) | Q(proposed_by=Seat.SECOND, second=own)
        proposed = Game.objects.filter(by_own, state=Game.State.PROPOSED)
        check_quota("proposals", proposed.count() + 1, by=by)
        game = Game.objects.create(
            first=players[Seat.FIRST],
            second=players[Seat.SECOND],
            proposed_by=seat,
            state=Game.State.PROPOSED,
            rated=rated,
            pool=pool,
            public=False,
            play=play,
            days_per_turn=days_per_turn,
            **asdict(time_control),
            **conditions_as_columns(conditions),
        )
        payload = {
            "game": game.pk,
            "state": game.state,
            "first": game.first_id,
            "second": game.second_id,
            "proposed_by": seat,
            "conditions": conditions.as_json(),
            **asdict(time_control),
            "play": play,
            "days_per_turn": days_per_turn,
            "rated": rated,
            "pool": pool,
        }
        append_game_line(game, "game.proposed", payload, by=by, rows=changed_rows(game))
        send_mail(Kind.PROPOSAL, game, seat.other, until=answer_deadline(game.created_at))
    return game


def read_game_conditions(
    *, ruleset: str, board_size: str, options: list[str], swap: bool | None, handicap: str | None
) -> Conditions:
    """Return the conditions of a two-player game; raises Unprocessable with the wrong members."""
    if handicap == FIRST_MOVE:
        swap, handicap = False, None
    tags = {
        "Game": ruleset,
        "Board": board_size,
        "Options": " ".join(options),
        "Handicap": handicap,
        "Swap": {None: None, True: "yes", False: "no"}[swap],
    }
    if ruleset not in GAMES:
        raise unknown_key("ruleset", ruleset, TWO_PLAYER_GAMES)
    named = {name: value for name, value in tags.items() if value}
    check_all(*(partial(_check_tag, ruleset, name, named[name]) for name in named))
    try:
        conditions = read_conditions(named)
        require_overcomable(conditions)
    except BadConditions as error:
        raise refused_conditions(error) from None
    require_two_players(conditions)
    return conditions


def _check_tag(game: str, name: str, value: str) -> None:
    """Raise Unprocessable for a tag that is wrong whatever the others are."""
    try:
        read_conditions({"Game": game, name: value})
    except BadConditions as error:
        if error.tag == name:
            raise refused_conditions(error) from None


def read_time_control(
    main_minutes: int | None, increment_seconds: int, *, sent: Collection[str] = ()
) -> TimeControl:
    """Return a time control; raises Unprocessable with the member that no game can have.

    If both members may be wrong, it is the one that was `sent`.
    """
    try:
        return TimeControl(main_minutes, increment_seconds)
    except SenselessTime as error:
        members = [name for name in error.members if name in sent] or error.members
        raise Unprocessable("senseless_time", str(error), at=f"/{members[0]}") from None


def require_play(play: str, days_per_turn: int | None, main_minutes: int | None) -> None:
    """Raise Unprocessable for days of a turn that a game has not, or minutes in one by turns."""
    if play == Game.Play.BY_TURNS and main_minutes is not None:
        detail = Text("a game by turns has days for each turn, and no minutes")
        raise Unprocessable("senseless_time", detail, at="/main_minutes")
    if play != Game.Play.BY_TURNS and days_per_turn is not None:
        detail = Text("only a game that is played here by turns has days for each turn")
        raise Unprocessable("senseless_time", detail, at="/days_per_turn")


def require_two_players(conditions: Conditions) -> None:
    """Raise Unprocessable for a solitaire."""
    rules = GAMES[conditions.game]
    if rules.players != len(Seat):
        detail = Text("%(game)s is a solitaire; two players need another game", game=rules.name)
        raise Unprocessable("solitaire", detail, at="/ruleset", valid=TWO_PLAYER_GAMES)


def _player_of(account: Account) -> Player:
    player = Player.objects.select_related("merged_into").filter(account=account).first()
    if player is None:
        detail = Text(
            "your account is no player yet; claim your player first (POST /api/v1/claims)"
        )
        raise Forbidden("no_player", detail)
    return player.current


def find_opponent(number: int, by: Account) -> Player:
    """Return the player with this id; raises Unprocessable if they cannot accept a proposal."""
    found = Player.objects.select_related("account", "merged_into__account").filter(pk=number)
    player = found.first()
    if player is None:
        raise Unprocessable("unknown_player", no_player(number), at="/opponent_id")
    player = player.current
    if player.account == by:
        raise Unprocessable(
            "same_player", Text("you cannot play against yourself"), at="/opponent_id"
        )
    if not player.is_claimed:
        detail = Text("%(name)s has no account, so nobody could accept", name=player.name)
        raise Unprocessable("opponent_without_account", detail, at="/opponent_id")
    return player


def answer_proposal(game: Game, action: str, *, by: Account) -> Game:
    """Accept, decline or cancel a proposal.

    Raises Conflict if it is not open any more, and Forbidden if the other player does this.
    """
    with transaction.atomic():
        game = lock_game(game.pk)
        refusal = find_proposal_refusal(game, action, game.seats_of(by))
        if refusal is not None:
            raise refusal
        _end_proposal(game, *ANSWERS[action], by=by)
    return game


def _end_proposal(game: Game, kind: str, state: Game.State, *, by: Account | None) -> None:
    """Set the state of a proposal that ends; one that is accepted is public and agreed from now."""
    is_accepted = state == Game.State.OPEN
    game.state, game.public, game.consented = state, is_accepted, is_accepted and game.rated
    game.accepted_at = timezone.now() if is_accepted else game.accepted_at
    game.save(update_fields=["state", "public", "consented", "accepted_at"])
    payload = {"game": game.pk, "state": state}
    append_game_line(game, kind, payload, by=by, rows=changed_rows(game))
    revoke_mails(game)
    if is_accepted:
        begin_played([game])
    else:
        LiveRecord.objects.filter(game=game).end()
    if not is_accepted or game.accepted_at is None:
        return
    proposer = Seat(game.proposed_by)
    if game.play != Game.Play.BY_TURNS:
        send_mail(Kind.ACCEPTANCE, game, proposer, until=report_deadline(game.accepted_at))
    elif to_move_after(game, []) is not proposer:  # whose turn it is hears of that
        send_mail(Kind.BEGUN, game, proposer, lines=[about_game(game)])


def expire_casual_games() -> int:
    """End the games that were not answered, or not reported, in time; return how many there were.

    An accepted game without a report is not public any more, like one that was not accepted.
    """
    due = list(expired_games(timezone.now()).values_list("pk", flat=True))
    for game_id in due:
        with transaction.atomic():
            game = lock_game(game_id)
            # Looked at again under the lock: it may have been answered or reported meanwhile.
            if expired_games(timezone.now()).filter(pk=game_id).exists():
                _end_proposal(game, *EXPIRED, by=None)
    return len(due)
