"""The kinds of messages of webhooks and streams: one list, with the data and the words of each.

A kind is named in the past tense; `line` is the kind of the journal's lines that it is made of. The
data has the type that its function returns (data.py), which is its schema in the description of the
API. Lines of other kinds are not public.
"""

from collections.abc import Mapping
from typing import Final

from games.rules.messages import gettext_noop as noop
from tournament.messages import data
from tournament.messages.words import ALL, EVERYBODY, OFFICIALS, PLAYERS, Kind

OWN: Final = (OFFICIALS, PLAYERS)
BOTH: Final = (PLAYERS,)
SHOWN: Final = (EVERYBODY, OFFICIALS)
SEEN: Final = (*SHOWN, PLAYERS)
STANDINGS: Final = "/standings"
ROUND: Final = "/rounds/%(round)s"
SITE: Final = ("tournament", "account", "site")
OWN_FEED: Final = ("account",)
PAIRINGS: Final = noop("%(event)s: pairings of round %(round)s")

KINDS: Final[Mapping[str, Kind]] = {
    "entry.applied": Kind(
        "entry.applied",
        data.application_data,
        (OFFICIALS,),
        noop("%(event)s: a new application has arrived"),
        page="/run/entries",
    ),
    "entry.accepted": Kind(
        "entry.accepted", data.entry_data, OWN, noop("%(event)s: %(player)s is accepted")
    ),
    "entry.withdrawn": Kind(
        "entry.withdrawn", data.withdrawn_data, OWN, noop("%(event)s: %(player)s has withdrawn")
    ),
    "entry.returned": Kind(
        "entry.returned", data.entry_data, OWN, noop("%(event)s: %(player)s has come back")
    ),
    "round.scheduled": Kind(
        "round.scheduled",
        data.scheduled_data,
        ALL,
        noop("%(event)s: start of round %(round)s: %(starts)s"),
    ),
    "round.published": Kind("round.published", data.pairings_data, SHOWN, PAIRINGS, page=ROUND),
    "round.changed": Kind(
        "round.changed",
        data.pairings_data,
        SHOWN,
        PAIRINGS,
        page=ROUND,
        own_text=noop(
            "%(event)s, round %(round)s, changed: you play against %(other)s on board %(board)s"
        ),
    ),
    "round.restored": Kind("round.restored", data.pairings_data, SHOWN, PAIRINGS, page=ROUND),
    "round.unpaired": Kind(
        "round.unpaired",
        data.unpaired_data,
        ALL,
        noop("%(event)s: the pairings of round %(round)s are withdrawn"),
    ),
    "round.completed": Kind(
        "round.complete",
        data.round_data,
        ALL,
        noop("%(event)s: standings after round %(round)s"),
        page=STANDINGS,
        has_standings=True,
    ),
    "round.reopened": Kind(
        "round.reopened",
        data.round_data,
        ALL,
        noop("%(event)s: round %(round)s is open again"),
        page=ROUND,
    ),
    "game.proposed": Kind(
        "game.proposed",
        data.game_data,
        BOTH,
        noop("%(where)s: %(first)s – %(second)s is proposed"),
        feeds=OWN_FEED,
    ),
    "game.accepted": Kind(
        "game.accepted",
        data.game_data,
        BOTH,
        noop("%(where)s: %(first)s – %(second)s is accepted"),
        feeds=OWN_FEED,
    ),
    "game.declined": Kind(
        "game.declined",
        data.game_data,
        BOTH,
        noop("%(where)s: %(first)s – %(second)s is declined"),
        feeds=OWN_FEED,
    ),
    "game.cancelled": Kind(
        "game.cancelled",
        data.game_data,
        BOTH,
        noop("%(where)s: %(first)s – %(second)s is not proposed any more"),
        feeds=OWN_FEED,
    ),
    "game.expired": Kind(
        "game.expired",
        data.game_data,
        BOTH,
        noop("%(where)s: the time for %(first)s – %(second)s is over"),
        feeds=OWN_FEED,
    ),
    "game.reopened": Kind(
        "game.open",
        data.game_data,
        OWN,
        noop("%(where)s: %(first)s – %(second)s is open again"),
    ),
    "game.reported": Kind(
        "game.waiting",
        data.game_data,
        OWN,
        noop("%(where)s: the result of %(first)s – %(second)s is reported, not yet confirmed"),
    ),
    "game.confirmed": Kind(
        "game.confirmed", data.game_data, SEEN, noop("%(where)s: %(first)s – %(second)s %(result)s")
    ),
    "game.disputed": Kind(
        "game.disputed",
        data.game_data,
        OWN,
        noop("%(where)s: the result of %(first)s – %(second)s is disputed"),
    ),
    "game.adjourned": Kind(
        "game.adjourned",
        data.game_data,
        SEEN,
        noop("%(where)s: %(first)s – %(second)s is adjourned"),
    ),
    "game.annulled": Kind(
        "game.annulled", data.game_data, SEEN, noop("%(where)s: %(first)s – %(second)s is annulled")
    ),
    "correction.committed": Kind(
        "correction.committed",
        data.correction_data,
        ALL,
        noop("%(event)s: results are corrected"),
        page="/corrections/%(number)s",
    ),
    "tie.decided": Kind(
        "tie.decided",
        data.tie_data,
        ALL,
        noop("%(event)s: a tie after round %(round)s is decided"),
        page=STANDINGS,
    ),
    "tournament.announced": Kind(
        "tournament.announced",
        data.announcement_data,
        ALL,
        noop("%(event)s: the directors announce"),
    ),
    "announcement.withdrawn": Kind(
        "announcement.withdrawn",
        data.withdrawn_announcement_data,
        ALL,
        noop("%(event)s: announcement %(number)s is withdrawn"),
    ),
    "tournament.edited": Kind(
        "tournament.edited",
        data.tournament_data,
        (OFFICIALS,),
        noop("%(event)s: the settings are changed"),
    ),
    "tournament.opened": Kind(
        "tournament.registration",
        data.tournament_data,
        ALL,
        noop("%(event)s is open for entries"),
        feeds=SITE,
    ),
    "tournament.started": Kind(
        "tournament.running",
        data.tournament_data,
        ALL,
        noop("%(event)s has started"),
        feeds=SITE,
    ),
    "tournament.completed": Kind(
        "tournament.review",
        data.tournament_data,
        ALL,
        noop("%(event)s: all rounds are played, the results are under review"),
    ),
    "tournament.finalised": Kind(
        "tournament.final",
        data.tournament_data,
        ALL,
        noop("%(event)s: the results are final"),
        page=STANDINGS,
        has_standings=True,
        feeds=SITE,
    ),
    "tournament.archived": Kind(
        "tournament.archived", data.tournament_data, (OFFICIALS,), noop("%(event)s is archived")
    ),
    "tournament.cancelled": Kind(
        "tournament.cancelled",
        data.tournament_data,
        ALL,
        noop("%(event)s is cancelled"),
        feeds=SITE,
    ),
    "tournament.resumed": Kind(
        "tournament.resumed", data.tournament_data, ALL, noop("%(event)s: play goes on")
    ),
    "tournament.reopened": Kind(
        "tournament.reopened", data.tournament_data, ALL, noop("%(event)s is open again")
    ),
    "pool.rated": Kind(
        "rating.run",
        data.run_data,
        SHOWN,
        noop("%(pool)s: new ratings (players: %(players)s)"),
        feeds=("pool",),
    ),
    "rating.changed": Kind(
        "rating.run",
        data.rating_data,
        BOTH,
        noop("%(pool)s: the rating of %(player)s is %(after)s, before %(before)s"),
        feeds=OWN_FEED,
    ),
    "list.published": Kind(
        "list.published",
        data.list_data,
        SHOWN,
        noop("%(pool)s: the rating list of %(published_on)s"),
        page="/lists/%(published_on)s",
        feeds=("pool", "site"),
    ),
}


def kinds_of(feed: str, *, channel: bool = False) -> list[str]:
    """Return the kinds that a feed can have; for a channel, those with words for its readers."""
    name = feed.partition("/")[0]
    is_public = channel and name != "account"
    return [
        kind
        for kind, found in KINDS.items()
        if name in found.feeds and (EVERYBODY in found.to or not is_public)
    ]
