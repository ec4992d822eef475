"""The details of frequent errors in the language of the reader, where a page shows them.

The API's details are English. A page translates the frequent ones by their pattern: the text that
the source has, with a name for each value. The others, and unknown values, stay as they are.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from django.utils.translation import get_language, gettext, gettext_noop

PATTERNS: Final = (
    gettext_noop("the object has changed since you read it; read it again"),
    gettext_noop("the effect has changed since the preview; preview it again"),
    gettext_noop("only for: %(roles)s; you have none of these roles here"),
    gettext_noop("the form names no action; load the page again"),
    gettext_noop("the form lacks %(name)s; load the page again"),
    gettext_noop(
        "the form is too old, or was not sent by a page of this site; load the page again"
    ),
    gettext_noop("paste the text, or select a file"),
    gettext_noop("the text contains a NUL byte"),
    gettext_noop("enter or paste a record"),
    gettext_noop("type a board and its result, such as 3 14-7"),
    gettext_noop("%(text)s is not a board and a result, such as 3 14-7"),
    gettext_noop("%(text)s is not a round, a board and a result, such as 2 5 0-1"),
    gettext_noop("round %(number)s has no game at board %(board)s%(letter)s"),
    gettext_noop("correct at least one result, bye or entry"),
    gettext_noop("a correction has at most %(most)s changes"),
    gettext_noop("the correction changes nothing"),
    gettext_noop("no player of the event has the pairing number %(number)s"),
    gettext_noop("no player of the event has the name or the pairing number %(text)s"),
    gettext_noop("several players have this name; write one of: %(names)s"),
    gettext_noop("there is no player %(number)s"),
    gettext_noop("first and second are the same person"),
    gettext_noop("player %(number)s has no rating in %(pool)s"),
    gettext_noop("no table has a value for %(kind)s in these games"),
    gettext_noop("%(name)s has already entered"),
    gettext_noop("%(name)s has already applied"),
    gettext_noop("%(name)s has a pairing number; withdraw instead"),
    gettext_noop("%(name)s is already %(state)s"),
    gettext_noop("%(name)s is %(state)s; this needs %(states)s"),
    gettext_noop("round %(number)s"),
    gettext_noop("the event has started; %(settings)s cannot change"),
    gettext_noop("the event has started; say why the entry is corrected"),
    gettext_noop("the event ends before it starts"),
    gettext_noop("the event is from %(first)s to %(last)s"),
    gettext_noop("the event has rounds 1 to %(last)s"),
    gettext_noop("the event is final or cancelled; its results cannot change"),
    gettext_noop("an event needs at least two accepted entries; it has %(count)s"),
    gettext_noop(
        "%(system)s: %(players)s players need %(needed)s rounds with these options; the "
        "tournament has %(rounds)s"
    ),
    gettext_noop("rounds %(numbers)s are not complete"),
    gettext_noop("adjourned games have no result yet: %(games)s"),
    gettext_noop("every round is paired; it is too late to enter"),
    gettext_noop("every round is paired; it is too late for a bye"),
    gettext_noop("%(system)s: the schedule is fixed; late entries are not possible"),
    gettext_noop("%(system)s: the schedule has no requested byes"),
    gettext_noop(
        "%(count)s of %(places)s places are taken; put the player on the waiting list "
        "(`wait`), or change `places`"
    ),
    gettext_noop("round %(number)s is already paired"),
    gettext_noop("round %(number)s is not paired"),
    gettext_noop("round %(number)s has open results; boards: %(boards)s"),
    gettext_noop("round %(number)s, board %(board)s: the result is open"),
    gettext_noop("round %(number)s is %(state)s, not complete%(boards)s"),
    gettext_noop("; open boards: %(boards)s"),
    gettext_noop(
        "round %(number)s is %(state)s; unpair it first, or correct the results of "
        "round %(earlier)s by rulings"
    ),
    gettext_noop("round %(number)s is drafted; unpair it first, and pair it again"),
    gettext_noop("round %(number)s has no other version"),
    gettext_noop("half-point byes are possible up to round %(last)s"),
    gettext_noop("a player has at most %(most)s half-point byes"),
    gettext_noop("a director granted a bye in round %(number)s"),
    gettext_noop("only a director grants a full-point bye"),
    gettext_noop("say why rules may give way"),
    gettext_noop("pairing numbers: %(detail)s; send `accept`: %(codes)s"),
    gettext_noop("pairing numbers: %(detail)s"),
    gettext_noop("the game at board %(board)s has reports; it would become void"),
    gettext_noop("pick a player at each of two boards"),
    gettext_noop("pick two players; %(count)s are picked"),
    gettext_noop("pick the player, or both players of a board; %(count)s are picked"),
    gettext_noop("game %(number)s is %(state)s; only a ruling can change it"),
    gettext_noop("game %(number)s is %(state)s; it is not played"),
    gettext_noop("the other side has reported nothing yet"),
    gettext_noop("you hold no seat of game %(number)s"),
    gettext_noop(
        "the record proves no result; end it with `agreed` and the score, `resign` or "
        "`time`, or send a claim instead"
    ),
    gettext_noop("the record proves no result; send `result` as well"),
    gettext_noop("a game of %(game)s cannot end in a draw"),
    gettext_noop("the result %(result)s is impossible: %(detail)s"),
    gettext_noop("the score %(score)s does not give the result %(result)s"),
    gettext_noop("a forfeit has no score; the score is %(score)s"),
    gettext_noop("this address has an account already"),
    gettext_noop("there is a tournament %(slug)s already"),
    gettext_noop("there is no tournament %(slug)s that you may see"),
    gettext_noop("there is no game %(number)s that you may see"),
    gettext_noop("%(field)s is %(value)s; valid are: %(names)s"),
    gettext_noop("%(board)s is not a board of %(game)s; valid: %(boards)s"),
    gettext_noop("%(value)s is not a number of points"),
    gettext_noop("these points are impossible: %(detail)s"),
    gettext_noop("a win must be worth more than a loss, with a draw in between"),
    gettext_noop("name at least two players, each once"),
    gettext_noop("`players` must be named if, and only if, `by` is `players`"),
    gettext_noop("%(system)s: the pairings are fixed, so players cannot be kept apart"),
    gettext_noop("keep and merge are the same player"),
    gettext_noop("both are entered in %(events)s, so they are two persons"),
    gettext_noop("player %(number)s was merged into player %(other)s"),
    gettext_noop("the merge is undone already"),
    gettext_noop("the file contains no dates (records 042, 052); send starts_on and ends_on"),
    gettext_noop("%(detail)s; nothing was imported"),
    gettext_noop("your account is no player yet; claim your player first (POST /api/v1/claims)"),
    gettext_noop("you cannot play against yourself"),
    gettext_noop("the link is wrong, or was revoked or replaced; ask the organiser for another"),
    gettext_noop("the token is wrong, used, revoked, replaced by a later message, or expired"),
)
"""The details of errors, as the source writes them."""

WORDS: Final[Mapping[str, str]] = {
    "draft": gettext_noop("in preparation"),
    "registration": gettext_noop("open for entries"),
    "running": gettext_noop("running"),
    "review": gettext_noop("results under review"),
    "final": gettext_noop("final"),
    "archived": gettext_noop("final, archived"),
    "planned": gettext_noop("not paired yet"),
    "drafted": gettext_noop("being paired"),
    "published": gettext_noop("being played"),
    "complete": gettext_noop("complete"),
    "locked": gettext_noop("complete"),
    "applied": gettext_noop("applied; the organiser decides"),
    "accepted": gettext_noop("accepted"),
    "refused": gettext_noop("refused"),
    "waiting": gettext_noop("on the waiting list"),
    "withdrawn": gettext_noop("withdrawn"),
    "cancelled": gettext_noop("cancelled"),
    "open": gettext_noop("being played"),
    "disputed": gettext_noop("disputed"),
    "confirmed": gettext_noop("confirmed"),
    "annulled": gettext_noop("annulled"),
    "owner": gettext_noop("owner"),
    "director": gettext_noop("director"),
    "scorer": gettext_noop("scorer"),
    "player": gettext_noop("player"),
    "site staff": gettext_noop("the site's staff"),
}
"""The states and roles that occur in details, and their names for readers."""

PLACEHOLDER: Final = re.compile(r"%\((\w+)\)s")
SEPARATOR: Final = re.compile(r"(, | or )")


def detail_text(detail: str) -> str:
    """Return a detail in the language of the reader; as it is, if no pattern fits."""
    if (get_language() or "en").startswith("en"):
        return detail
    for pattern, expression in _expressions():
        if found := expression.fullmatch(detail):
            values = {name: _value_text(name, text) for name, text in found.groupdict().items()}
            return gettext(pattern) % values
    return detail


def translated_problems(problems: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return errors as the API lists them, with their details in the language of the reader."""
    return [
        {**problem, "detail": detail_text(str(problem.get("detail", "")))} for problem in problems
    ]


def _value_text(name: str, text: str) -> str:
    """Return a value of a detail: a state or a role by its name, a detail by its own pattern."""
    if name in ("detail", "boards", "name"):
        return detail_text(text)
    if name not in ("state", "states", "roles"):
        return text
    parts = SEPARATOR.split(text)
    return "".join(
        gettext(WORDS[part]) if part in WORDS else ", " if part == " or " else part
        for part in parts
    )


@cache
def _expressions() -> list[tuple[str, re.Pattern[str]]]:
    """Return each pattern with its expression, those with more words of their own first."""

    def words(pattern: str) -> int:
        return len(PLACEHOLDER.sub("", pattern))

    return [(pattern, _expression(pattern)) for pattern in sorted(PATTERNS, key=words)[::-1]]


def _expression(pattern: str) -> re.Pattern[str]:
    parts = PLACEHOLDER.split(pattern)
    texts = [
        f"(?P<{part}>.*?)" if index % 2 else re.escape(part) for index, part in enumerate(parts)
    ]
    return re.compile("".join(texts), re.DOTALL)
