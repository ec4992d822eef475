"""Merge two registrations of one person, and undo it.

Games, entries and ratings of the merged player belong to the other from then on: everything that
reads them follows `merged_into`, and a new run of the pools computes the ratings. No row of an
event or a game changes, so journals and digests stay as they are.
"""

from django.db import transaction
from django.utils import timezone

from games.core.broker import send_on_commit
from games.core.errors import Conflict, Unprocessable
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows, combined, updated_rows
from games.models import Account, Merge, Player
from games.rules.text import Text
from games.services.players import SITE
from ratings.models import Rating
from tournament.models import Entry

MAX_LISTED_EVENTS = 20


def merge_players(keep_id: int, merged_id: int, *, by: Account) -> Merge:
    """Merge the second player into the first.

    Raises Unprocessable for unknown players, and Conflict for two who cannot be one person: both
    are in one event, or have different accounts or ids of one organisation.
    """
    with transaction.atomic():
        keep, merged = _lock_players(keep_id, merged_id)
        followers = list(merged.merged.order_by("pk"))
        _check_events(keep, [merged, *followers])
        schemes = _new_schemes(keep, merged)
        has_moved_account = merged.account is not None and not keep.is_claimed
        if keep.is_claimed and merged.is_claimed:
            detail = Text("both have an account; they are merged when one account is closed")
            raise Conflict("both_claimed", detail)

        new = {scheme: merged.external_ids[scheme] for scheme in schemes}
        keep.external_ids = keep.external_ids | new
        merged.merged_into = keep
        merged.save(update_fields=["merged_into"])
        keep.save(update_fields=["external_ids"])
        if has_moved_account:
            _swap_accounts(keep, merged)
        merged.merged.update(merged_into=keep)
        merge = Merge.objects.create(
            keep=keep,
            merged=merged,
            followed=[player.pk for player in followers],
            schemes=schemes,
            has_moved_account=has_moved_account,
            by=by,
        )
        payload = {"merge": merge.pk, "keep": keep.pk, "merged": merged.pk}
        for player in followers:
            player.merged_into = keep
        rows = changed_rows(keep, merged, *followers, merge)
        append_line(SITE, "player.merged", payload, by=by, rows=rows)
        _rate_anew([keep.pk, merged.pk, *merge.followed])
    return merge


def undo_merge(merge: Merge, *, by: Account) -> Merge:
    """Make two players of a merge again; raises Conflict if it is undone or was merged further."""
    with transaction.atomic():
        merge = Merge.objects.select_for_update().get(pk=merge.pk)
        if merge.undone_at is not None:
            raise Conflict("nothing_to_do", Text("the merge is undone already"))
        both = Player.objects.select_for_update(of=("self",)).filter(
            pk__in=[merge.keep_id, merge.merged_id]
        )
        players = {player.pk: player for player in both.order_by("pk")}
        keep, merged = players[merge.keep_id], players[merge.merged_id]
        if merged.merged_into_id != keep.pk:
            detail = Text(
                "player %(number)s was merged since; undo that merge first", number=keep.pk
            )
            raise Conflict("merged_since", detail)

        merged.merged_into = None
        ids = keep.external_ids.items()
        keep.external_ids = {name: value for name, value in ids if name not in merge.schemes}
        merged.save(update_fields=["merged_into"])
        keep.save(update_fields=["external_ids"])
        if merge.has_moved_account:
            _swap_accounts(keep, merged)
        Player.objects.filter(pk__in=merge.followed).update(merged_into=merged)
        merge.undone_at = timezone.now()
        merge.save(update_fields=["undone_at"])
        followers = Player.objects.filter(pk__in=merge.followed)
        rows = combined(changed_rows(keep, merged, merge), updated_rows(followers, "merged_into"))
        append_line(SITE, "merge.undone", {"merge": merge.pk}, by=by, rows=rows)
        _rate_anew([keep.pk, merged.pk])
    return merge


def _lock_players(keep_id: int, merged_id: int) -> tuple[Player, Player]:
    if keep_id == merged_id:
        raise Unprocessable("same_player", Text("keep and merge are the same player"), at="/merge")
    both = Player.objects.select_for_update(of=("self",)).filter(pk__in=[keep_id, merged_id])
    players = {player.pk: player for player in both.order_by("pk")}
    for number, at in ((keep_id, "/keep"), (merged_id, "/merge")):
        player = players.get(number)
        if player is None:
            raise Unprocessable(
                "unknown_player", Text("there is no player %(number)s", number=number), at=at
            )
        if player.merged_into_id is not None:
            detail = Text(
                "player %(number)s was merged into player %(other)s",
                number=number,
                other=player.merged_into_id,
            )
            raise Conflict("player_merged", detail, at=at, player=player.merged_into_id)
    return players[keep_id], players[merged_id]


def _swap_accounts(one: Player, other: Player) -> None:
    """Exchange the accounts of two players, each of which may have none."""
    one.account, other.account = other.account, one.account
    Player.objects.filter(pk__in=[one.pk, other.pk]).update(account=None)
    one.save(update_fields=["account"])
    other.save(update_fields=["account"])


def _check_events(keep: Player, others: list[Player]) -> None:
    """Raise Conflict if one of the others is entered in an event of the player to keep."""
    kept = [keep.pk, *keep.merged.values_list("pk", flat=True)]
    events = Entry.objects.filter(player__in=kept).values("tournament")
    shared = Entry.objects.filter(player__in=others, tournament__in=events)
    slugs = list(shared.values_list("tournament__slug", flat=True)[:MAX_LISTED_EVENTS])
    if slugs:
        detail = Text(
            "both are entered in %(events)s, so they are two persons", events=", ".join(slugs)
        )
        raise Conflict("same_event", detail, events=slugs)


def _new_schemes(keep: Player, merged: Player) -> list[str]:
    """Return the organisations whose ids only the merged player has."""
    for scheme, number in merged.external_ids.items():
        if keep.external_ids.get(scheme, number) != number:
            detail = Text(
                "they have different ids of %(scheme)s; correct the wrong one first", scheme=scheme
            )
            raise Conflict("external_ids_differ", detail, scheme=scheme)
    return sorted(merged.external_ids.keys() - keep.external_ids.keys())


def _rate_anew(players: list[int]) -> None:
    """Request a run of each pool in which one of the players is rated."""
    for pool in Rating.objects.filter(player__in=players).values_list("pool", flat=True).distinct():
        send_on_commit("ratings.tasks.advance_pool", pool)
