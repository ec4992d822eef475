"""Claims: an account states that it is a player, and those who know the player agree.

A custodian of the registration must agree and, for each event of others that is under way with the
player, one of its owners and directors: their results are reported with this account from then on.
Site staff agree for all. The personal links of the player keep working.
"""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.core.errors import Conflict, Forbidden
from games.core.journal.lines import SITE, append_line, lock_head
from games.core.journal.rows import changed_rows
from games.core.limits import check_quota
from games.core.permissions import DIRECTORS
from games.models import Account, Claim, Player
from games.rules.text import Text
from tournament.core.queries import LISTED_STATES
from tournament.models import Tournament
from tournament.players.custody import is_custodian
from tournament.players.queries import NOT_DECLINED, UNDER_WAY


def make_claim(player: Player, *, by: Account) -> Claim:
    """Claim a player; raises Conflict if either is taken already, or the claim is open."""
    with transaction.atomic():
        lock_head(SITE)  # first, as `_lock` does
        player = Player.objects.select_for_update().get(pk=player.pk)
        _require_free(player, by)
        own = by.claims.filter(state=Claim.State.OPEN)
        if own.filter(player=player).exists():
            raise Conflict(
                "claimed_already",
                Text("your claim to be %(name)s is not decided yet", name=player.name),
            )
        check_quota("claims", own.count() + 1, by=by)
        claim = Claim.objects.create(player=player, account=by)
        append_line(SITE, "claim.made", _payload(claim), by=by, rows=changed_rows(claim))
    return claim


def withdraw_claim(claim: Claim, *, by: Account) -> Claim:
    """Take back an open claim of the account's own; raises Conflict if it is decided."""
    with transaction.atomic():
        claim, _ = _lock(claim)
        _decide([claim], Claim.State.WITHDRAWN, by=by)
    return claim


def refuse_claim(claim: Claim, *, reason: str = "", by: Account) -> Claim:
    """Refuse an open claim, as a custodian.

    Raises Conflict if the claim is decided, and Forbidden for others.
    """
    with transaction.atomic():
        claim, player = _lock(claim)
        _require_other(claim, by)
        if not is_custodian(by, player):
            detail = Text("only the custodians of the player refuse a claim; you need not agree")
            raise Forbidden("role_missing", detail)
        _decide([claim], Claim.State.REFUSED, reason=reason, by=by)
    return claim


def accept_claim(claim: Claim, *, reason: str = "", by: Account) -> Claim:
    """Agree to an open claim; once all have who must, the player belongs to the account.

    Other claims of the player are refused then, and the personal links work with the account.
    Raises Conflict if the claim is decided, the player is taken or `by` has agreed already, and
    Forbidden for the account's own claim.
    """
    with transaction.atomic():
        claim, player = _lock(claim)
        _require_other(claim, by)
        _require_free(player, claim.account)
        needed = {Claim.CUSTODIAN, *streams_under_way(player)}
        own = _agreements_of(by, player, needed)
        if not own.difference(claim.agreed) and needed.difference(claim.agreed):
            detail = Text(
                "you have agreed; %(others)s must agree too",
                others=Text("the organisers of an event that is under way with the player")
                if Claim.CUSTODIAN in claim.agreed
                else Text("a custodian of the player"),
            )
            raise Conflict("nothing_to_do", detail)
        claim.agreed = sorted(own.union(claim.agreed))
        if needed.difference(claim.agreed):
            claim.save(update_fields=["agreed"])
            append_line(SITE, "claim.agreed", _payload(claim), by=by, rows=changed_rows(claim))
            return claim
        _give_player(player, claim.account)
        _decide([claim], Claim.State.ACCEPTED, reason=reason, by=by, player=player)
        others = player.claims.select_for_update().filter(state=Claim.State.OPEN).order_by("pk")
        _decide(others, Claim.State.REFUSED, reason=Text("another claim was accepted"), by=by)
    return claim


def streams_under_way(player: Player) -> set[str]:
    """Return the streams of the events that are under way with the player.

    An entry that a custodian or the player has declined does not count: whoever enters a player
    and never finishes the event could keep the player from everybody.
    """
    events = Tournament.objects.filter(
        Q(entries__player=player) | Q(entries__player__merged_into=player),
        entries__state__in=LISTED_STATES,
        entries__agreement__in=NOT_DECLINED,
        state__in=UNDER_WAY,
    )
    return {f"tournament/{slug}" for slug in events.values_list("slug", flat=True)}


def _agreements_of(account: Account, player: Player, needed: Collection[str]) -> set[str]:
    """Return which of the needed agreements an account can give."""
    if account.acts_as_staff:
        return set(needed)
    roles = account.roles.usable().filter(stream__in=needed, role__in=DIRECTORS)
    streams = set(roles.values_list("stream", flat=True))
    return streams | ({Claim.CUSTODIAN} if is_custodian(account, player) else set())


def _lock(claim: Claim) -> tuple[Claim, Player]:
    """Return a claim that is open, and its player; raises Conflict if it is decided."""
    # The journal of the site, then the player, then claims: all changes of players and claims lock
    # in this order, so that no two of them wait for each other.
    lock_head(SITE)
    player = Player.objects.select_for_update().get(pk=claim.player_id)
    claim = Claim.objects.select_for_update(of=("self",)).select_related("account").get(pk=claim.pk)
    if claim.state != Claim.State.OPEN:
        state = Claim.State(claim.state)
        raise Conflict("nothing_to_do", Text("the claim is already %(state)s", state=state))
    claim.player = player
    return claim, player


def _require_other(claim: Claim, by: Account) -> None:
    if claim.account_id == by.pk:
        raise Forbidden(
            "own_claim", Text("somebody else decides your claim: a custodian or site staff")
        )


def _require_free(player: Player, account: Account) -> None:
    if player.merged_into_id is not None:
        detail = Text(
            "%(name)s was merged; claim player %(number)s",
            name=player.name,
            number=player.merged_into_id,
        )
        raise Conflict("player_merged", detail, player_id=player.merged_into_id)
    if player.is_claimed:
        raise Conflict("player_claimed", Text("%(name)s has an account already", name=player.name))
    own = Player.objects.filter(account=account).first()
    if own is not None:
        detail = Text(
            "account %(account)s is player %(number)s already; merge the two registrations",
            account=account.pk,
            number=own.pk,
        )
        raise Conflict("account_has_player", detail, player_id=own.pk)


def _give_player(player: Player, account: Account) -> None:
    """Make the account the player's, with the tokens that directors issued to the player."""
    former = player.account
    player.account = account
    player.save(update_fields=["account"])
    if former is not None:
        former.auth_token_set.update(user=account)
        former.is_active = False
        former.save(update_fields=["is_active"])


def _decide(
    claims: Collection[Claim],
    state: Claim.State,
    *,
    reason: str = "",
    by: Account,
    player: Player | None = None,
) -> None:
    """Decide claims; the lines name also the player whose account has changed."""
    changed = [player] if player else []
    for claim in claims:
        claim.state, claim.reason = state, reason
        claim.decided_by, claim.decided_at = by, timezone.now()
        claim.save(update_fields=["state", "agreed", "reason", "decided_by", "decided_at"])
        payload = _payload(claim) | {"reason": reason}
        append_line(SITE, f"claim.{state}", payload, by=by, rows=changed_rows(claim, *changed))


def _payload(claim: Claim) -> dict[str, object]:
    return {"claim": claim.pk, "player": claim.player_id, "account": claim.account_id}
