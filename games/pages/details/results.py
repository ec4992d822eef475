"""Why a result or a correction is refused."""

from typing import Final

from django.utils.translation import gettext_noop

RESULT_DETAILS: Final = (
    gettext_noop("%(detail)s has changed since correction %(number)s; undo the later change first"),
    gettext_noop("%(detail)s; rule its games instead"),
    gettext_noop("%(text)s is not a board and a result, such as 3 14-7"),
    gettext_noop("%(text)s is not a board, such as 3 17, or a bye, such as 5 half-bye"),
    gettext_noop("%(text)s is not a bye, such as half-bye"),
    gettext_noop(
        "a game that was played to the end has a score; without one, it was resigned or lost on"
        " time"
    ),
    gettext_noop("type a board in each line, such as 3 17"),
    gettext_noop("%(text)s is not a round, a board and a result, such as 2 5 0-1"),
    gettext_noop(
        "a change is `game` with `result` (and `score`) or `record`, `entry` with `round` and "
        "`bye`, or `entry` with some of %(names)s"
    ),
    gettext_noop("a correction has at most %(most)s changes"),
    gettext_noop("a forfeit has no score; the score is %(score)s"),
    gettext_noop("a game of %(game)s cannot end in a draw"),
    gettext_noop("a result is a score such as 26-25, or 1-0, 0-1, 1/2, 1-0f, 0-1f, 0-0f"),
    gettext_noop("a ruling needs a reason"),
    gettext_noop("adjourned games have no result yet: %(games)s"),
    gettext_noop("byes and entries are not rated; the scope is %(names)s"),
    gettext_noop("change %(number)s is of the same"),
    gettext_noop("correct at least one result, bye or entry"),
    gettext_noop("correction %(number)s was undone by correction %(other)s"),
    gettext_noop("entry %(entry)s has a %(kind)s in round %(number)s, not a bye"),
    gettext_noop("entry %(entry)s has these values already"),
    gettext_noop("entry %(entry)s has this bye in round %(number)s already"),
    gettext_noop("entry %(number)s"),
    gettext_noop("game %(number)s"),
    gettext_noop("game %(number)s has another result (%(result)s); rule it instead"),
    gettext_noop("game %(number)s has this result already"),
    gettext_noop("game %(number)s is %(state)s; it is not played"),
    gettext_noop("game %(number)s is %(state)s; only a ruling can change it"),
    gettext_noop("game %(number)s is %(state)s; rule it instead"),
    gettext_noop("it has two results here"),
    gettext_noop("round %(number)s has open results; boards: %(boards)s"),
    gettext_noop(
        "round %(number)s is %(state)s; unpair it first, or correct the results of round "
        "%(earlier)s by rulings"
    ),
    gettext_noop("round %(number)s, board %(board)s: the result is open"),
    gettext_noop("the bye of entry %(number)s"),
    gettext_noop("the correction changes nothing"),
    gettext_noop("the event has no entry %(number)s with a pairing number"),
    gettext_noop("the event has no game %(number)s in its current pairings"),
    gettext_noop("the event has no round %(number)s"),
    gettext_noop("the event has started; say why the entry is corrected"),
    gettext_noop("the event is final or cancelled; its results cannot change"),
    gettext_noop("the other side has reported nothing yet"),
    gettext_noop("the pairing of game %(number)s"),
    gettext_noop(
        "the record proves no result; end it with `agreed` and the score, `resign` or `time`, or "
        "send a claim instead"
    ),
    gettext_noop("the record proves no result; send `result` as well"),
    gettext_noop("the result %(result)s is impossible: %(detail)s"),
    gettext_noop("the round has no such game"),
    gettext_noop("the score %(score)s does not give the result %(result)s"),
    gettext_noop("there is no correction %(number)s of %(event)s"),
    gettext_noop("type a board and its result, such as 3 14-7"),
)
