"""Why settings of an event, or what is done with it, are refused."""

from typing import Final

from django.utils.translation import gettext_noop

EVENTS: Final = (
    gettext_noop("%(class)s games"),
    gettext_noop("%(detail)s; send another slug"),
    gettext_noop("%(game)s on board %(board)s"),
    gettext_noop("%(name)s is %(state)s; this needs %(states)s"),
    gettext_noop("%(name)s is not a time zone of the tz database, such as Europe/Lisbon"),
    gettext_noop(
        "%(players)s players have %(rounds)s rounds to play; a forecast is limited to %(most)s "
        "players, and to %(total)s in all rounds together"
    ),
    gettext_noop("%(system)s: a tie has the games of the option best_of, so set 1"),
    gettext_noop("%(system)s: the pairings are fixed, so players cannot be kept apart"),
    gettext_noop("%(system)s: the table fixes the seats"),
    gettext_noop("`by` must be one of %(names)s"),
    gettext_noop("`players` must be named if, and only if, `by` is `players`"),
    gettext_noop("an event needs at least two accepted entries; it has %(count)s"),
    gettext_noop("entries %(numbers)s are not in the tournament"),
    gettext_noop("games without a stated time"),
    gettext_noop("last_round %(last)s is before first_round %(first)s"),
    gettext_noop("name at least two players, each once"),
    gettext_noop("no event %(name)s requests its rating in %(pool)s"),
    gettext_noop("round %(number)s is on %(day)s; change its date first"),
    gettext_noop("send either starts_on or starts_at"),
    gettext_noop("the event cannot be simulated: %(detail)s"),
    gettext_noop("the event ends before it starts"),
    gettext_noop("the event has no link for applications"),
    gettext_noop("the event has not started; a forecast needs the players who take part"),
    gettext_noop("the event has started; %(settings)s cannot change"),
    gettext_noop("the event is from %(first)s to %(last)s"),
    gettext_noop("the event is over; its standings say how it ended"),
    gettext_noop("the forecast is not computed yet"),
    gettext_noop("the link is wrong, or was revoked or replaced"),
    gettext_noop("the name gives no slug"),
    gettext_noop("the organiser shows no forecast of %(event)s"),
    gettext_noop(
        "the pool %(pool)s does not rate %(detail)s; pools that do: %(names)s; or send rated: false"
    ),
    gettext_noop("the seeds come from a pool; name it"),
    gettext_noop("the slug %(name)s is reserved"),
    gettext_noop("the start of a league pairs everybody; set none"),
    gettext_noop("the task failed %(count)s times"),
    gettext_noop("the year must be from %(first)s to %(last)s"),
    gettext_noop("there is a tournament %(slug)s already"),
    gettext_noop("there is no pool %(pool)s"),
    gettext_noop("there is no tournament %(slug)s that you may see"),
    gettext_noop("top is %(value)s; it must be a whole number from 1 to %(most)s"),
    gettext_noop("tournament %(name)s does not exist any more"),
)
