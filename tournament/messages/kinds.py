"""The kinds that webhooks and streams tell: one list, with the data and the words of each.

A kind is told in the past tense; `line` is the kind of the journal's lines that it is made of. The
data has the type that its function returns (data.py), which is its schema in the description of the
API. Lines of other kinds are not public.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from games.models.streams import POOL_STREAM, TOURNAMENT_STREAM
from games.rules.messages import gettext_noop as noop
from tournament.messages import data
from tournament.messages.data import Data, FeedRows, Payload
from tournament.messages.words import (
    ALL,
    EVERYBODY,
    OFFICIALS,
    PLAYERS,
    Words,
    tell,
    tell_pairings,
    tell_schedule,
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind that is told: of which lines of which streams, with which data, in which words."""

    line: str
    data: Callable[[Payload, FeedRows], Data | None]
    words: Words
    streams: tuple[str, ...] = (TOURNAMENT_STREAM,)


ROUND: Final = "/rounds/%(round)s"
STANDINGS: Final = "/standings"
ENTRIES: Final = "/run/entries"
POOL: Final = (POOL_STREAM,)

KINDS: Final[Mapping[str, Kind]] = {
    "entry.applied": Kind(
        "entry.applied",
        data.application_data,
        tell(noop("%(event)s: a new application has arrived"), OFFICIALS, page=ENTRIES),
    ),
    "entry.accepted": Kind(
        "entry.accepted",
        data.entry_data,
        tell(noop("%(event)s: %(player)s is accepted"), OFFICIALS, PLAYERS),
    ),
    "entry.withdrawn": Kind(
        "entry.withdrawn",
        data.withdrawn_data,
        tell(noop("%(event)s: %(player)s has withdrawn"), OFFICIALS, PLAYERS),
    ),
    "entry.returned": Kind(
        "entry.returned",
        data.entry_data,
        tell(noop("%(event)s: %(player)s has come back"), OFFICIALS, PLAYERS),
    ),
    "round.scheduled": Kind("round.scheduled", data.scheduled_data, tell_schedule),
    "round.published": Kind("round.published", data.pairings_data, tell_pairings),
    "round.changed": Kind("round.changed", data.pairings_data, tell_pairings),
    "round.restored": Kind("round.restored", data.pairings_data, tell_pairings),
    "round.unpaired": Kind(
        "round.unpaired",
        data.unpaired_data,
        tell(noop("%(event)s: the pairings of round %(round)s are withdrawn"), *ALL),
    ),
    "round.completed": Kind(
        "round.complete",
        data.round_data,
        tell(
            noop("%(event)s: standings after round %(round)s"), *ALL, page=STANDINGS, standings=True
        ),
    ),
    "round.reopened": Kind(
        "round.reopened",
        data.round_data,
        tell(noop("%(event)s: round %(round)s is open again"), *ALL, page=ROUND),
    ),
    "game.reopened": Kind(
        "game.open",
        data.game_data,
        tell(
            noop("%(where)s: the result of %(first)s – %(second)s is open again"),
            OFFICIALS,
            PLAYERS,
        ),
    ),
    "game.reported": Kind(
        "game.waiting",
        data.game_data,
        tell(
            noop("%(where)s: the result of %(first)s – %(second)s is reported, not yet confirmed"),
            PLAYERS,
        ),
    ),
    "game.confirmed": Kind(
        "game.confirmed",
        data.game_data,
        tell(noop("%(where)s: %(first)s – %(second)s %(result)s"), EVERYBODY, OFFICIALS, PLAYERS),
    ),
    "game.disputed": Kind(
        "game.disputed",
        data.game_data,
        tell(
            noop("%(where)s: the result of %(first)s – %(second)s is disputed"), OFFICIALS, PLAYERS
        ),
    ),
    "game.adjourned": Kind(
        "game.adjourned",
        data.game_data,
        tell(noop("%(where)s: %(first)s – %(second)s is adjourned"), EVERYBODY, OFFICIALS, PLAYERS),
    ),
    "game.annulled": Kind(
        "game.annulled",
        data.game_data,
        tell(noop("%(where)s: %(first)s – %(second)s is annulled"), EVERYBODY, OFFICIALS, PLAYERS),
    ),
    "correction.committed": Kind(
        "correction.committed",
        data.correction_data,
        tell(noop("%(event)s: results are corrected"), *ALL, page="/corrections/%(correction)s"),
    ),
    "tie.decided": Kind(
        "tie.decided",
        data.tie_data,
        tell(noop("%(event)s: a tie after round %(round)s is decided"), *ALL, page=STANDINGS),
    ),
    "tournament.edited": Kind(
        "tournament.edited",
        data.tournament_data,
        tell(noop("%(event)s: the settings are changed"), OFFICIALS),
    ),
    "tournament.opened": Kind(
        "tournament.registration",
        data.tournament_data,
        tell(noop("%(event)s is open for entries"), *ALL),
    ),
    "tournament.started": Kind(
        "tournament.running", data.tournament_data, tell(noop("%(event)s has started"), *ALL)
    ),
    "tournament.completed": Kind(
        "tournament.review",
        data.tournament_data,
        tell(noop("%(event)s: all rounds are played, the results are under review"), *ALL),
    ),
    "tournament.finalised": Kind(
        "tournament.final",
        data.tournament_data,
        tell(noop("%(event)s: the results are final"), *ALL, page=STANDINGS, standings=True),
    ),
    "tournament.archived": Kind(
        "tournament.archived",
        data.tournament_data,
        tell(noop("%(event)s is archived"), OFFICIALS),
    ),
    "tournament.cancelled": Kind(
        "tournament.cancelled", data.tournament_data, tell(noop("%(event)s is cancelled"), *ALL)
    ),
    "tournament.resumed": Kind(
        "tournament.resumed", data.tournament_data, tell(noop("%(event)s: play goes on"), *ALL)
    ),
    "tournament.reopened": Kind(
        "tournament.reopened", data.tournament_data, tell(noop("%(event)s is open again"), *ALL)
    ),
    "pool.rated": Kind(
        "rating.run",
        data.run_data,
        tell(noop("%(pool)s: new ratings (players: %(players)s)"), EVERYBODY, OFFICIALS),
        streams=POOL,
    ),
    "list.published": Kind(
        "list.published",
        data.list_data,
        tell(
            noop("%(pool)s: the rating list of %(published_on)s"),
            EVERYBODY,
            OFFICIALS,
            page="/lists/%(published_on)s",
        ),
        streams=POOL,
    ),
}


def kinds_of(stream: str) -> list[str]:
    """Return the kinds that the feed of a stream can have."""
    return [name for name, kind in KINDS.items() if stream.startswith(kind.streams)]
