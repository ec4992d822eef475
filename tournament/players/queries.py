"""The claims and the events of an account; merges, and how much belongs to the merged player."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Annotated, TypedDict

from django.conf import settings
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.db.models.fields.reverse_related import ForeignObjectRel

from games.core.errors import require_found
from games.core.permissions import DIRECTORS
from games.core.references import PlayerReference, player_reference
from games.models import Account, Claim, Game, Merge, Player, Role
from games.models.streams import TOURNAMENT_STREAM
from games.players.queries import no_player
from ratings.models import Pool, Rating
from tournament.core.queries import ENDED_APPLICATIONS, LISTED_STATES, is_own, visible_tournaments
from tournament.models import Entry, Tournament
from tournament.players.agreements import without_streams
from tournament.players.custody import kept_players

UNDER_WAY = (Tournament.State.RUNNING, Tournament.State.REVIEW)
"""The states of an event in which results of the player are reported and decided."""

NOT_DECLINED = (Entry.Agreement.AGREED, Entry.Agreement.ASKED)
"""The agreements of the entries whose event has a say in claims."""


def decidable_claims(account: Account) -> "QuerySet[Claim]":
    """Return the claims of others that the account decides, or to which it must agree.

    The custodians of a player decide (`is_kept`); the owners and directors of an event that is
    under way with the player must agree.
    """
    is_kept = ExpressionWrapper(Q(player__in=kept_players(account)), output_field=BooleanField())
    others = Claim.objects.exclude(account=account).annotate(is_kept=is_kept)
    if account.acts_as_staff:
        return others
    roles = account.roles.usable()
    directed = roles.filter(stream__startswith="tournament/", role__in=DIRECTORS)
    slugs = [
        stream.removeprefix("tournament/") for stream in directed.values_list("stream", flat=True)
    ]
    entries = Entry.objects.filter(
        tournament__slug__in=slugs,
        tournament__state__in=UNDER_WAY,
        state__in=LISTED_STATES,
        agreement__in=NOT_DECLINED,
    )
    played = Player.objects.filter(Q(entries__in=entries) | Q(merged__entries__in=entries))
    return others.filter(Q(is_kept=True) | Q(player__in=played))


def visible_claims(account: Account) -> "QuerySet[Claim]":
    """Return the claims that the account made or decides."""
    decidable = decidable_claims(account).order_by().values("pk")
    claims = Claim.objects.filter(Q(account=account) | Q(pk__in=decidable))
    return claims.select_related("player", "account")


def unused_players() -> "QuerySet[Player]":
    """Return the players without a login to whom nothing refers: no entry, no game, no claim."""
    players = Player.objects.filter(account=None, merged_into=None)
    for field in Player._meta.get_fields(include_hidden=True):
        if isinstance(field, ForeignObjectRel):
            rows = field.related_model._base_manager.filter(**{field.field.name: OuterRef("pk")})
            players = players.exclude(Exists(rows))
    return players


def expired_players(now: datetime) -> "QuerySet[Player]":
    """Return the unused players whose time is over; who was registered by site staff stays."""
    before = now - timedelta(days=settings.UNUSED_PLAYER_DAYS)
    by_link = Q(registered_by=None, registered_in__startswith=TOURNAMENT_STREAM)
    return unused_players().filter(
        by_link | Q(registered_by__is_staff=False), created_at__lt=before
    )


class MergeOfPlayers(TypedDict):
    """Two registrations that are one player, until it is undone."""

    id: int
    keep: PlayerReference
    merged: PlayerReference
    created_at: datetime
    undone_at: datetime | None


class MergeEffect(MergeOfPlayers):
    """A merge with what belongs to the merged player."""

    entries: int
    games: int
    pools: Annotated[list[str], "rated anew"]


def merge_as_json(merge: Merge) -> MergeOfPlayers:
    """Return a merge as JSON."""
    return {
        "id": merge.pk,
        "keep": player_reference(merge.keep),
        "merged": player_reference(merge.merged),
        "created_at": merge.created_at,
        "undone_at": merge.undone_at,
    }


def merge_effect_as_json(merge: Merge) -> MergeEffect:
    """Return a merge as JSON, with the entries and games that it moves and the pools it changes."""
    players = [merge.merged_id, *merge.followed]
    games = Game.objects.filter(Q(first__in=players) | Q(second__in=players))
    pools = Rating.objects.filter(player__in=[merge.keep_id, *players])
    return {
        **merge_as_json(merge),
        "entries": Entry.objects.filter(player__in=players).count(),
        "games": games.count(),
        "pools": sorted(set(pools.values_list("pool__code", flat=True))),
    }


def played_events(account: Account, hidden: Collection[str]) -> "QuerySet[Tournament]":
    """Return the visible events in which the player of an account plays, the latest first.

    Those of the `hidden` streams are left out, and those in which the player was refused or has
    withdrawn before the start.
    """
    left = Q(state__in=ENDED_APPLICATIONS)
    left |= Q(state=Entry.State.WITHDRAWN, pairing_number__isnull=True)
    own = Entry.objects.filter(is_own(account.pk, "player")).exclude(left)
    events = visible_tournaments(account).filter(pk__in=own.values("tournament"))
    return without_streams(events, hidden).order_by("-starts_on", "name")


def directed_events(account: Account) -> "QuerySet[Tournament]":
    """Return the events in which an account has a role, the latest first."""
    streams = account.roles.filter(stream__startswith="tournament/").values_list(
        "stream", flat=True
    )
    slugs = {stream.removeprefix("tournament/") for stream in streams}
    return Tournament.objects.filter(slug__in=slugs).order_by("-starts_on", "name")


class RoleIn(TypedDict):
    """A role of an account, and the name and the page of its event or rating pool."""

    role: Role
    name: str
    page: str


def roles_with_places(account: Account) -> list[RoleIn]:
    """Return the roles of an account, the latest first; three queries."""
    roles = list(account.roles.order_by("-pk"))
    keys = {role.stream.partition("/")[2] for role in roles}
    events = Tournament.objects.filter(slug__in=keys).values_list("slug", "name")
    pools = Pool.objects.filter(code__in=keys).values_list("code", "name")
    places = {f"tournament/{slug}": (name, f"/e/{slug}/run") for slug, name in events}
    places |= {f"pool/{code}": (name, f"/officers/pools/{code}") for code, name in pools}
    return [
        {"role": role, "name": name, "page": page}
        for role in roles
        for name, page in [places.get(role.stream, (role.stream, ""))]
    ]


def player_seen(player_id: int) -> Player:
    """Return a player, or the one they were merged into; raise NotFound."""
    players = Player.objects.select_related("merged_into", "account")
    return require_found(players.filter(pk=player_id).first(), no_player(player_id)).current
