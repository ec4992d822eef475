"""Players: register a person, correct their details, delete a registration; decide claims.

By a claim an account states that it is a player, and somebody who knows the player decides.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError
from django.utils import timezone

from games.core.errors import Conflict, Forbidden
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows, deleted_rows
from games.models import Account, Claim, Player
from games.players.queries import players_with_external_id
from games.rules.text import Text

SITE = "site"


def register_player(*, by: Account, stream: str = "", **details: Any) -> Player:
    """Create a player, in an event if there is one.

    Two players may have the same name, but not the same external id.
    """
    details["country"] = details.get("country", "").upper()
    with transaction.atomic():
        _check_external_ids(details.get("external_ids", {}), Player())
        player = Player.objects.create(**details, registered_by=by, registered_in=stream)
        payload = {"player": player.pk, "name": player.name}
        append_line(SITE, "player.registered", payload, by=by, rows=changed_rows(player))
    return player


def edit_player(player: Player, changes: Mapping[str, Any], *, by: Account) -> Player:
    """Correct the details of a player; events and games show the new ones.

    Raises Conflict if another player has one of the external ids.
    """
    with transaction.atomic():
        player = Player.objects.select_for_update(of=("self",)).get(pk=player.pk)
        changes = dict(changes)
        if "country" in changes:
            changes["country"] = changes["country"].upper()
        _check_external_ids(changes.get("external_ids", {}), player)
        new = {name: value for name, value in changes.items() if value != getattr(player, name)}
        old = {name: getattr(player, name) for name in new}
        for name, value in new.items():
            setattr(player, name, value)
        if new:
            player.save(update_fields=[*new, "folded_name"])
            payload = {"player": player.pk, "old": old, "new": new}
            append_line(SITE, "player.edited", payload, by=by, rows=changed_rows(player))
    return player


def delete_player(player: Player, *, by: Account) -> None:
    """Delete a player who was never entered and never played; raises Conflict otherwise."""
    number, rows = player.pk, deleted_rows(player)
    with transaction.atomic():
        try:
            player.delete()
        except ProtectedError as error:
            detail = Text(
                "%(name)s was entered or has played; a second registration of the "
                "same person is merged, not deleted",
                name=player.name,
            )
            raise Conflict("player_in_use", detail) from error
        append_line(SITE, "player.deleted", {"player": number}, by=by, rows=rows)


def _check_external_ids(external_ids: Mapping[str, str], player: Player) -> None:
    """Raise Conflict if another player has one of the ids."""
    for scheme, number in external_ids.items():
        other = players_with_external_id(scheme, number).exclude(pk=player.pk).first()
        if other is not None:
            detail = Text(
                "player %(number)s (%(name)s) has the id %(scheme)s:%(id)s",
                number=other.pk,
                name=other.name,
                scheme=scheme,
                id=number,
            )
            at = f"/external_ids/{scheme}"
            raise Conflict("external_id_taken", detail, at=at, player=other.pk)


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
