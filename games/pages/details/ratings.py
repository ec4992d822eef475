"""Why something with a rating, a pool, a batch or an analysis is refused."""

from typing import Final

from django.utils.translation import gettext_noop

RATINGS: Final = (
    gettext_noop("%(count)s games; at least %(least)s are needed"),
    gettext_noop("%(detail)s in the tag %(tag)sId"),
    gettext_noop("%(first)s and %(second)s are the same person"),
    gettext_noop("%(kind)s has no level"),
    gettext_noop("%(kind)s on %(board)s has two rows; send one"),
    gettext_noop("%(number)s is the player; name the opponents"),
    gettext_noop("%(time)s is in the future; send a time that has passed"),
    gettext_noop("a refusal needs a reason, which the organiser can read"),
    gettext_noop("account %(account)s is an officer of %(pool)s already"),
    gettext_noop("account %(account)s is no officer of %(pool)s"),
    gettext_noop("an analysis of the kind %(kind)s has no plot"),
    gettext_noop("analysis %(number)s has no plot"),
    gettext_noop("analysis %(number)s has no result; see its `state`"),
    gettext_noop("analysis %(number)s of this kind is not finished; wait until it is"),
    gettext_noop("another batch of %(pool)s has the games %(names)s"),
    gettext_noop("batch %(number)s is %(state)s; this needs %(states)s"),
    gettext_noop("both seats are the same player"),
    gettext_noop("expected %(names)s"),
    gettext_noop("expected 0 < level < 1"),
    gettext_noop("handicaps have no values in %(table)s on %(board)s"),
    gettext_noop("kmin %(least)s must not exceed k0 %(most)s: K never rises"),
    gettext_noop("marked with a question mark"),
    gettext_noop("no game is rated in %(pool)s yet"),
    gettext_noop("no list of %(pool)s was published on %(day)s"),
    gettext_noop("no parameter %(name)s; valid are: %(names)s"),
    gettext_noop("no preset %(name)s; valid are: %(names)s"),
    gettext_noop("not "),
    gettext_noop("not on the list"),
    gettext_noop("player %(number)s has no game in %(pool)s that you may see"),
    gettext_noop("player %(number)s has no rating here"),
    gettext_noop("player %(number)s has no rating in %(pool)s that you may see"),
    gettext_noop("players with fewer than %(count)s games are %(detail)s"),
    gettext_noop("players without a game for %(days)s days are %(detail)son the list"),
    gettext_noop("pool is %(value)s; it must be the code of a pool"),
    gettext_noop(
        "results is %(value)s; it must be 1 to %(most)s ids of opponents with a score of 1, 0.5 or "
        "0, as in 17:1,18:0.5"
    ),
    gettext_noop("run %(number)s is not earlier than run %(other)s"),
    gettext_noop("the game was played on %(day)s, in the future"),
    gettext_noop("the games do not determine the values; more games are needed"),
    gettext_noop("the games of this event are filed; withdraw its batch instead"),
    gettext_noop("the list of %(pool)s is published, and does not change any more"),
    gettext_noop("the tag %(tag)s has more than %(most)s characters"),
    gettext_noop("the tag %(tag)s must name a player"),
    gettext_noop("the tag %(tag)s: %(detail)s"),
    gettext_noop("the tag %(tag)sCountry is %(value)s; it must be a three-letter code"),
    gettext_noop("the tag %(tag)sId is %(value)s; it must be the id of a player, or new"),
    gettext_noop("the tag Date is %(value)s; it must be a day such as 2026.05.01"),
    gettext_noop("the tag TimeControl is %(value)s; it must be whole minutes, such as 900+10"),
    gettext_noop("there is a pool %(pool)s already"),
    gettext_noop("there is no analysis %(number)s of %(pool)s"),
    gettext_noop("there is no batch %(number)s in %(pool)s"),
    gettext_noop(
        "there is no game that each of the systems predicts; fide-2024 predicts only games between "
        "players with a rating"
    ),
    gettext_noop("there is no run %(number)s of %(pool)s"),
)
