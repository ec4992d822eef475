"""Entries as the API has them, the names in a list, and the papers that a change outdates."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Annotated, Any, Final, NotRequired, TypedDict, cast

from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext_noop

from games.core.namesakes import shown_names
from games.core.references import absolute_url
from games.core.serializers import AllowedAction
from tournament.core.queries import not_checked_in
from tournament.core.references import EntryReference, entry_reference, shown_player
from tournament.core.states import next_round
from tournament.core.violations import find_violations
from tournament.models import Bye, Entry, Round, Tournament
from tournament.pairing.findings import FindingCode

SHOWN_CLUB: Final = gettext_noop("in this event; empty: the club of the player")
OFFICIALS_ONLY: Final = "only for the tournament's officials and the player"
ANSWER: Final = f"the player's answer, if others have entered them; {OFFICIALS_ONLY}"


class OutdatedCard(TypedDict):
    """A card that was printed with another pairing number."""

    id: Annotated[int | None, "null in the dry run that would create it"]
    number: Annotated[int, "the pairing number"]
    printed_number: Annotated[int | None, "null without a printed card"]


class OutdatedPapers(TypedDict):
    """What was printed with other pairing numbers, since a round was last published."""

    cards: list[OutdatedCard]
    sheets: Annotated[list[str], "below the tournament: rounds/1/pairings.pdf"]


class DraftWarning(TypedDict):
    """A rule that the draft of a round breaks."""

    code: FindingCode
    numbers: Annotated[list[int], "pairing numbers"]
    values: Annotated[dict[str, Any], "the values in the sentence"]
    sentence: Annotated[str, "with the players by pairing number"]
    round: int


class EntryDetails(EntryReference):
    """An entry with its state, and with what is personal for those who see it."""

    state: Entry.State
    seed_rating: Annotated[int | None, "null: unrated"]
    lot: int | None
    first_round: Annotated[int, "the first that can pair the player"]
    last_round: Annotated[int | None, "the last to pair them; null: every one"]
    checked_in_round: Annotated[int | None, "before which the player checked in"]
    agreement: NotRequired[Annotated[Entry.Agreement, ANSWER]]
    consented_at: Annotated[datetime | None, "when the player agreed to be rated"]
    expelled: Annotated[str | None, "why the player is not ranked; null: ranked"]
    club: Annotated[str | None, SHOWN_CLUB]
    paid: NotRequired[Annotated[bool, f"the entry fee; {OFFICIALS_ONLY}"]]
    notes: NotRequired[Annotated[str | None, OFFICIALS_ONLY]]
    birth_year: NotRequired[Annotated[int | None, OFFICIALS_ONLY]]
    sex: NotRequired[Annotated[str | None, OFFICIALS_ONLY]]
    category: NotRequired[Annotated[str | None, OFFICIALS_ONLY]]
    created_at: datetime
    updated_at: datetime
    url: str


def entry_as_json(tournament: Tournament, entry: Entry, *, sees_all: bool = True) -> EntryDetails:
    """Return an entry, whose player and the one they were merged into are loaded."""
    found: EntryDetails = {
        "id": entry.pk,
        "number": entry.pairing_number,
        "player": shown_player(entry),
        "state": Entry.State(entry.state),
        "seed_rating": entry.seed_rating or None,
        "lot": entry.lot,
        "first_round": entry.first_round,
        "last_round": entry.last_round,
        "checked_in_round": entry.checked_in_round,
        "consented_at": entry.consented_at,
        "expelled": entry.expelled or None,
        "club": entry.club or None,
        "created_at": entry.entered_at,
        "updated_at": entry.updated_at,
        "url": absolute_url(f"tournaments/{tournament.slug}/entries/{entry.pk}"),
    }
    if sees_all:
        found["agreement"] = Entry.Agreement(entry.agreement)
        found["notes"] = entry.notes or None
        found["paid"], found["birth_year"] = entry.paid, entry.birth_year
        found["sex"], found["category"] = entry.sex or None, entry.category or None
    return found


class ChangedEntry(EntryDetails):
    """An entry that was changed, with what the change means."""

    outdated: OutdatedPapers
    missed_rounds: Annotated[dict[str, Bye.Kind], "of a late entry, by round"]
    warnings: Annotated[list[DraftWarning], "drafts to be paired again"]


class EntryWithActions(EntryDetails):
    """An entry, with what the caller can do with it."""

    allowed_actions: NotRequired[Annotated[list[AllowedAction], "with `actions`"]]


class EntryAvailability(EntryReference):
    """An entry with its byes."""

    availability: Annotated[dict[str, Bye.Kind], "every bye, by round"]
    url: Annotated[str, "of the entry"]


class RequestedBye(TypedDict):
    """A bye of an entry in a round."""

    id: int
    entry: EntryReference
    round: int
    kind: Bye.Kind
    url: str
    reason: NotRequired[Annotated[str | None, "only for directors"]]


def bye_as_json(bye: Bye, *, shows_reason: bool) -> RequestedBye:
    """Return a bye for the API."""
    found: RequestedBye = {
        "id": bye.pk,
        "entry": entry_reference(bye.entry),
        "round": bye.round,
        "kind": Bye.Kind(bye.kind),
        "url": absolute_url(f"tournaments/{bye.tournament.slug}/byes/{bye.pk}"),
    }
    return {**found, "reason": bye.reason or None} if shows_reason else found


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


def find_outdated_papers(tournament: Tournament, edited: Collection[int] = ()) -> OutdatedPapers:
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


def printed_before(outdated: OutdatedPapers) -> OutdatedPapers:
    """Return outdated papers without the cards of players who had no number yet."""
    return {**outdated, "cards": [card for card in outdated["cards"] if card["printed_number"]]}


def count_renumbered(outdated: OutdatedPapers) -> int:
    """Return how many of the outdated cards were printed with another number."""
    return sum(card["printed_number"] not in (None, card["number"]) for card in outdated["cards"])


def outdated_papers(tournament: Tournament, entries: Iterable[Entry]) -> OutdatedPapers:
    """Return the cards of these entries, and the sheets if any has another pairing number.

    An entry that is not saved has no id.
    """
    cards: list[OutdatedCard] = [
        {
            "id": entry.pk,
            "number": cast("int", entry.pairing_number),
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


def drafts_with_violations(tournament: Tournament) -> list[DraftWarning]:
    """Return the rules that the drafts of a running event break now, as JSON with the round."""
    if tournament.state != Tournament.State.RUNNING:
        return []
    drafts = tournament.round_set.filter(state=Round.State.DRAFTED).order_by("number")
    return [
        cast("DraftWarning", {"round": draft.number, **finding.as_json()})
        for draft in drafts
        for finding in find_violations(draft)
    ]


def missed_rounds(entry: Entry) -> dict[str, Bye.Kind]:
    """Return the kinds of the byes in the rounds before the first one that can pair an entry."""
    missed = range(1, entry.first_round)
    byes = dict(entry.byes.values_list("round", "kind")) if missed else {}
    return {str(number): Bye.Kind(byes.get(number, Bye.Kind.ZERO)) for number in missed}
