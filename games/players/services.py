"""Claims: an account states that it is a player, somebody who knows the player decides."""

from django.db import transaction
from django.utils import timezone

from games.core.errors import Conflict, Forbidden
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.models import Account, Claim, Player
from games.rules.text import Text
from games.services.players import SITE


def make_claim(player: Player, *, by: Account) -> Claim:
    """Claim a player; raises Conflict if either is taken already, or the claim is open."""
    with transaction.atomic():
        player = Player.objects.select_for_update(of=("self",)).get(pk=player.pk)
        _require_free(player, by)
        if by.claims.filter(player=player, state=Claim.State.OPEN).exists():
            raise Conflict(
                "claimed_already",
                Text("your claim to be %(name)s is not decided yet", name=player.name),
            )
        claim = Claim.objects.create(player=player, account=by)
        append_line(SITE, "claim.made", _payload(claim), by=by, rows=changed_rows(claim))
    return claim


def decide_claim(claim: Claim, *, accepted: bool, reason: str = "", by: Account) -> Claim:
    """Accept or refuse an open claim; an accepted player belongs to the account from now on.

    Personal links that directors issued for the player end, and other claims of the player are
    refused. Raises Conflict if the claim is decided or the player taken, and Forbidden for the
    account's own claim.
    """
    with transaction.atomic():
        claim = Claim.objects.select_for_update().select_related("account").get(pk=claim.pk)
        player = Player.objects.select_for_update(of=("self",)).get(pk=claim.player_id)
        if claim.account_id == by.pk:
            raise Forbidden(
                "own_claim", Text("somebody else decides your claim: an owner or site staff")
            )
        if claim.state != Claim.State.OPEN:
            raise Conflict(
                "nothing_to_do",
                Text("the claim is already %(state)s", state=Claim.State(claim.state)),
            )
        if accepted:
            _require_free(player, claim.account)
            _end_personal_links(player)
            player.account = claim.account
            player.save(update_fields=["account"])
        _decide(claim, accepted=accepted, reason=reason, by=by)
        if accepted:
            for other in player.claims.filter(state=Claim.State.OPEN):
                _decide(other, accepted=False, reason=Text("another claim was accepted"), by=by)
    return claim


def _require_free(player: Player, account: Account) -> None:
    if player.merged_into_id is not None:
        detail = Text(
            "%(name)s was merged; claim player %(number)s",
            name=player.name,
            number=player.merged_into_id,
        )
        raise Conflict("player_merged", detail, player=player.merged_into_id)
    if player.is_claimed:
        raise Conflict("player_claimed", Text("%(name)s has an account already", name=player.name))
    own = Player.objects.filter(account=account).first()
    if own is not None:
        detail = Text(
            "account %(account)s is player %(number)s already; merge the two registrations",
            account=account.pk,
            number=own.pk,
        )
        raise Conflict("account_has_player", detail, player=own.pk)


def _end_personal_links(player: Player) -> None:
    """Close the account that only personal links of the player could log in to."""
    former = player.account
    if former is not None:
        former.auth_token_set.all().delete()
        former.is_active = False
        former.save(update_fields=["is_active"])


def _decide(claim: Claim, *, accepted: bool, reason: str, by: Account) -> None:
    claim.state = Claim.State.ACCEPTED if accepted else Claim.State.REFUSED
    claim.reason, claim.decided_by, claim.decided_at = reason, by, timezone.now()
    claim.save(update_fields=["state", "reason", "decided_by", "decided_at"])
    payload = _payload(claim) | {"reason": reason}
    append_line(SITE, f"claim.{claim.state}", payload, by=by, rows=changed_rows(claim))


def _payload(claim: Claim) -> dict[str, object]:
    return {"claim": claim.pk, "player": claim.player_id, "account": claim.account_id}
