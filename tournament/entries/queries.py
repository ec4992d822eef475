"""The names of entries in a list, and the printed cards and sheets that a change outdates."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from games.core.namesakes import shown_names
from tournament.core.queries import not_checked_in
from tournament.core.references import shown_player
from tournament.core.states import next_round
from tournament.core.violations import find_violations
from tournament.models import Bye, Entry, Round, Tournament


def names_of_entries(entries: Iterable[Entry]) -> dict[int, str]:
    """Return the names by the id of the current player; namesakes are told apart."""
    players = [(shown_player(entry), entry.pairing_number) for entry in entries]
    numbers = {player["id"]: number for player, number in players}
    return shown_names([player for player, _ in players], numbers)


def namesakes_in(tournament: Tournament) -> dict[int, str]:
    """Return the names of the players of an event who share theirs, told apart; by player.

    One query.
    """
    names = tournament.entries.order_by().values("player__folded_name")
    shared = names.annotate(entries=Count("pk")).filter(entries__gt=1)
    found = tournament.entries.filter(player__folded_name__in=shared.values("player__folded_name"))
    return names_of_entries(found.select_related("player__merged_into"))


def absent_entries(tournament: Tournament, number: int | None = None) -> QuerySet[Entry]:
    """Return the entries that have not checked in for a round, by default the next one.

    Nobody is absent if the event has no check-in.
    """
    if number is None and tournament.check_in == Tournament.CheckIn.ROUND:
        number = next_round(tournament)
    accepted = tournament.entries.filter(state=Entry.State.ACCEPTED)
    return accepted.filter(not_checked_in(tournament, number or 0))


def is_present(entry: Entry, number: int | None = None) -> bool:
    """Return True if an entry has checked in for a round, by default the next one."""
    if entry.tournament.check_in == Tournament.CheckIn.ROUND:
        return entry.checked_in_round == (number or next_round(entry.tournament))
    return entry.checked_in_round is not None


def find_outdated_papers(tournament: Tournament, edited: Collection[int] = ()) -> dict[str, Any]:
    """Return the cards and sheets with other pairing numbers than those of the running event.

    They were printed with the numbers of the last publication, or of the start. The cards of the
    `edited` entries show other values that have changed.
    """
    if tournament.state != Tournament.State.RUNNING:
        return outdated_papers(tournament, ())
    is_unchanged = Q(printed_number=F("pairing_number"), printed_number__isnull=False)
    numbered = tournament.entries.filter(pairing_number__isnull=False)
    found = numbered.filter(~is_unchanged | Q(pk__in=edited)).order_by("pairing_number")
    return outdated_papers(tournament, found.only("pairing_number", "printed_number"))


def printed_before(outdated: Mapping[str, Any]) -> dict[str, Any]:
    """Return outdated papers without the cards of players who had no number yet."""
    return {**outdated, "cards": [card for card in outdated["cards"] if card["printed_number"]]}


def count_renumbered(outdated: Mapping[str, Any]) -> int:
    """Return how many of the outdated cards were printed with another number."""
    return sum(card["printed_number"] not in (None, card["number"]) for card in outdated["cards"])


def outdated_papers(tournament: Tournament, entries: Iterable[Entry]) -> dict[str, Any]:
    """Return the cards of these entries, and the sheets if any has another pairing number.

    An entry that is not saved has no id.
    """
    cards = [
        {
            "id": entry.pk,
            "number": entry.pairing_number,
            "printed_number": entry.printed_number,
        }
        for entry in entries
    ]
    is_renumbered = any(card["printed_number"] != card["number"] for card in cards)
    return {"cards": cards, "sheets": _published_sheets(tournament) if is_renumbered else []}


def _published_sheets(tournament: Tournament) -> list[str]:
    """Return the addresses of the sheets of published rounds; slips only of open rounds."""
    published = tournament.round_set.filter(published_at__isnull=False).order_by("number")
    return [
        f"rounds/{number}/{name}.pdf"
        for number, state in published.values_list("number", "state")
        for name in (["pairings", "slips"] if state == Round.State.PUBLISHED else ["pairings"])
    ]


def drafts_with_violations(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the rules that the drafts of a running event break now, as JSON with the round."""
    if tournament.state != Tournament.State.RUNNING:
        return []
    drafts = tournament.round_set.filter(state=Round.State.DRAFTED).order_by("number")
    return [
        {"round": draft.number, **finding.as_json()}
        for draft in drafts
        for finding in find_violations(draft)
    ]


def missed_rounds(entry: Entry) -> dict[str, str]:
    """Return the kinds of the byes in the rounds before the first one that can pair an entry."""
    missed = range(1, entry.first_round)
    byes = dict(entry.byes.values_list("round", "kind")) if missed else {}
    return {str(number): byes.get(number, str(Bye.Kind.ZERO)) for number in missed}
