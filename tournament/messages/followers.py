"""What concerns an account: its player, the events in which it plays or has a role, its games."""

from dataclasses import dataclass
from typing import Any

from django.db.models import CharField, Q, Value
from django.db.models.functions import Cast, Concat

from games.core.permissions import OFFICIALS as ROLES
from games.models import Account, Game, Player
from games.models.streams import GAME_STREAM, POOL_STREAM, TOURNAMENT_STREAM
from ratings.models import RunRating
from tournament.core.queries import DRAFT, ENDED_APPLICATIONS, HIDDEN, is_own
from tournament.messages.words import ENTRANTS, OFFICIALS, PLAYERS
from tournament.models import Entry, Tournament


@dataclass(frozen=True, slots=True)
class Follower:
    """An account with its player, and the streams of the events that it directs and plays in."""

    account: int
    player: int | None
    directed: frozenset[str]
    played: frozenset[str]

    def audiences(self, stream: str) -> list[str]:
        """Return the audiences of a stream to which the account belongs, the closest first."""
        return [
            *([f"{PLAYERS}{self.player}"] if self.player else []),
            *([OFFICIALS] if stream in self.directed else []),
            *([ENTRANTS] if stream in self.played else []),
        ]

    def streams(self) -> Q:
        """Return the condition of the journal lines that may concern the account."""
        own = is_own(self.account, "first") | is_own(self.account, "second")
        games = Game.objects.filter(own, stream="").values_list(
            Concat(Value(GAME_STREAM), Cast("pk", CharField()), output_field=CharField())
        )
        rated = (
            RunRating.objects.filter(player=self.player)
            .order_by()
            .values_list(Concat(Value(POOL_STREAM), "pool__code", output_field=CharField()))
        )
        events = Q(stream__in=self.directed | self.played)
        return events | Q(stream__in=games) | Q(stream__in=rated)


def load_follower(account: int) -> Follower | None:
    """Return an account with its events; None for one that is not active any more."""
    found: Any = Account.objects.filter(pk=account, is_active=True).first()
    if found is None:
        return None
    held = found.roles.usable().filter(stream__startswith=TOURNAMENT_STREAM, role__in=ROLES)
    entries = Entry.objects.filter(is_own(account, "player"))
    entries = entries.exclude(state__in=ENDED_APPLICATIONS)
    entries = entries.exclude(agreement=Entry.Agreement.DECLINED)
    played = Tournament.objects.filter(pk__in=entries.values("tournament")).exclude(DRAFT | HIDDEN)
    return Follower(
        account,
        Player.objects.filter(account=account).values_list("pk", flat=True).first(),
        frozenset(held.values_list("stream", flat=True)),
        frozenset(f"{TOURNAMENT_STREAM}{slug}" for slug in played.values_list("slug", flat=True)),
    )
