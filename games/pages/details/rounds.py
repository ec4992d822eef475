"""Why a round is not paired, published, changed or unpaired."""

from typing import Final

from django.utils.translation import gettext_noop

ROUND_DETAILS: Final = (
    gettext_noop(" and with %(others)s"),
    gettext_noop(
        '%(detail)s; confirm with `accept: ["%(code)s"]`, or unpair the round first; the scope '
        "%(scope)s leaves the bracket as it was played"
    ),
    gettext_noop(
        "%(first)s and %(second)s are not the pairing numbers of two players in the round"
    ),
    gettext_noop("%(players)s cannot be kept apart"),
    gettext_noop("%(players)s players; proposals are limited to %(most)s players"),
    gettext_noop("%(system)s does not say what a round would lose with another pair"),
    gettext_noop(
        "%(system)s: %(players)s players need %(needed)s rounds with these options; the tournament "
        "has %(rounds)s"
    ),
    gettext_noop("; %(number)s would have the bye"),
    gettext_noop("; open boards: %(boards)s"),
    gettext_noop("a bye has no handicap"),
    gettext_noop("a round has at most %(most)s boards"),
    gettext_noop("board %(board)s is named twice, or is not the next number"),
    gettext_noop("has no certificate"),
    gettext_noop("it has rounds 1 to %(last)s"),
    gettext_noop("its rounds are planned when it starts"),
    gettext_noop("not paired"),
    gettext_noop("paired by %(name)s"),
    gettext_noop("pick a player at each of two boards"),
    gettext_noop("pick the player, or both players of a board; %(count)s are picked"),
    gettext_noop("pick two players; %(count)s are picked"),
    gettext_noop("round %(number)s"),
    gettext_noop("round %(number)s %(detail)s; the engine cannot explain the pairings"),
    gettext_noop("round %(number)s has no certificate: %(detail)s"),
    gettext_noop("round %(number)s has no game at board %(board)s%(letter)s"),
    gettext_noop("round %(number)s has no other version"),
    gettext_noop("round %(number)s has no snapshot %(version)s"),
    gettext_noop("round %(number)s has no such board or bye"),
    gettext_noop("round %(number)s has no version %(version)s"),
    gettext_noop("round %(number)s has no version %(version)s; it has: %(versions)s"),
    gettext_noop(
        "round %(number)s is %(state)s with %(pairs)s; by the results, %(due)s meet instead"
    ),
    gettext_noop("round %(number)s is %(state)s, not complete%(detail)s"),
    gettext_noop("round %(number)s is already paired"),
    gettext_noop("round %(number)s is drafted; unpair it first, and pair it again"),
    gettext_noop("round %(number)s is not a complete round; complete rounds are 0 to %(last)s"),
    gettext_noop("round %(number)s is not paired"),
    gettext_noop("round %(number)s is not published yet"),
    gettext_noop("round %(number)s was published and cannot be removed; annul its games"),
    gettext_noop("rounds %(numbers)s are not complete"),
    gettext_noop("say why rules may give way"),
    gettext_noop("say why the complete round is reopened"),
    gettext_noop("say why the published round is unpaired"),
    gettext_noop("the certificate is not valid: %(detail)s"),
    gettext_noop("the event has rounds 1 to %(last)s"),
    gettext_noop("the game at board %(board)s has reports; it would become void"),
    gettext_noop("the input of the certificate leads to another pairing"),
    gettext_noop("the number of players is odd, and no player may have the bye"),
    gettext_noop("the number of players, %(count)s, is odd%(detail)s"),
    gettext_noop("there is no round %(number)s"),
    gettext_noop("there is no round %(number)s in %(event)s; %(detail)s"),
    gettext_noop("there is no round %(number)s; the tournament has %(rounds)s rounds"),
    gettext_noop("two players need a board number, and a bye has none"),
    gettext_noop("version %(version)s is the current one"),
    gettext_noop("was set by hand: %(reason)s"),
)
