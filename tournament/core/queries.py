"""Tournaments and their rows: who may see them, and how people name games and entries."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db.models import CharField, Count, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Concat
from django.utils import timezone

from games.core.errors import require_found
from games.core.permissions import held_roles
from games.models import Account, Game, HiddenName, JournalLine, Player
from games.models.streams import TOURNAMENT_STREAM
from games.names import fold_name
from games.rules.conditions import Conditions
from games.rules.text import Text
from tournament.models import Correction, Entry, Pairing, Round, Tournament
from tournament.pairing.separations import By, Separation
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.round_robin import SCHEDULE

NO_NAMES: Final[Mapping[int, str]] = {}
FINISHED_ROUND_STATES = (Round.State.COMPLETE, Round.State.LOCKED)
"""The states of a round that counts in the standings."""
SHOWN_ROUND_STATES = (*FINISHED_ROUND_STATES, Round.State.PUBLISHED)
"""The states of a round whose pairings all see."""
OPENED = Q(
    Exists(
        JournalLine.objects.filter(
            stream=Concat(Value("tournament/"), OuterRef("slug"), output_field=CharField()),
            kind="tournament.registration",
        )
    )
) | Q(Exists(Entry.objects.filter(tournament=OuterRef("pk"), pairing_number__isnull=False)))
"""The condition that registration was opened, or that the event came with its pairing numbers."""
DRAFT = Q(state=Tournament.State.DRAFT) | (Q(state=Tournament.State.CANCELLED) & ~OPENED)
"""The condition of the events that were never public: drafts, and drafts that are cancelled."""
HIDDEN = Q(
    Exists(
        HiddenName.objects.filter(
            about=Concat(Value(TOURNAMENT_STREAM), OuterRef("slug"), output_field=CharField())
        )
    )
)
"""The condition that the site's staff has hidden an event from all but its officials."""
PUBLIC = Q(public=True) & ~DRAFT & ~HIDDEN
PUBLIC_TOURNAMENTS = Tournament.objects.filter(PUBLIC)
"""They are filtered further by each request of an event: to build the condition again takes a third
of the time of its query."""
LISTED_STATES = (Entry.State.ACCEPTED, Entry.State.WITHDRAWN)
"""The states of the entries that all see."""
ENDED_APPLICATIONS = (Entry.State.REFUSED, Entry.State.RETRACTED)
"""The states of those who are not in the event, and were not."""
IN_CURRENT_VERSION = Q(version=F("round__version"))
"""The condition of the pairings that count."""


def visible_tournaments(account: Account | None, stream: str = "") -> "QuerySet[Tournament]":
    """Return the public tournaments, except drafts, and those in which the account takes part.

    An entry that its player has not agreed to shows them the event itself, but no list of events.
    `stream` is the limit of a token to one tournament: other private ones are then left out.
    """
    if account is None:
        return Tournament.objects.filter(PUBLIC)
    if account.acts_as_staff and not stream:
        return Tournament.objects.all()
    roles = account.roles.usable().filter(stream__startswith="tournament/")
    names = roles.values_list("stream", flat=True)
    slugs = [name.removeprefix("tournament/") for name in names if stream in ("", name)]
    own = Q(slug__in=slugs)
    plays = _is_played_by(account.pk) & Q(entries__agreement=Entry.Agreement.AGREED)
    if stream:
        plays &= Q(slug=stream.removeprefix("tournament/"))
    return Tournament.objects.filter(PUBLIC | own | plays).distinct()


def _is_played_by(account: int) -> Q:
    """Return the condition that a player of the account has an entry, and not in a draft.

    Nor in an event that is hidden.
    """
    plays = Q(entries__player__account=account)
    plays |= Q(entries__player__merged_into__account=account)
    return plays & ~DRAFT & ~HIDDEN


def was_opened(tournament: Tournament) -> bool:
    """Return True unless the event is a draft, or was one when it was cancelled."""
    return Tournament.objects.filter(~DRAFT, pk=tournament.pk).exists()


def cancellation_reason(tournament: Tournament) -> str:
    """Return why an event is cancelled, which its director has told everybody."""
    if tournament.state != Tournament.State.CANCELLED:
        return ""
    lines = JournalLine.objects.filter(stream=tournament.stream, kind="tournament.cancelled")
    return lines.order_by("-sequence").values_list("payload__body__reason", flat=True).first() or ""


def find_visible_tournament(
    slug: str, account: Account | None, stream: str = ""
) -> Tournament | None:
    """Return the tournament if it is one of the visible ones.

    For a public one, that takes one query without joins.
    """
    named = Tournament.objects.filter(slug=slug)
    public = PUBLIC_TOURNAMENTS.filter(slug=slug).first()
    name = f"tournament/{slug}"
    if public or account is None or stream not in ("", name):
        return public
    if (account.acts_as_staff and not stream) or held_roles(name, account):
        return named.first()
    return named.filter(_is_played_by(account.pk)).first()


def find_tournament(stream: str) -> Tournament:
    """Return the tournament of a journal stream; raise NotFound."""
    slug = stream.removeprefix("tournament/")
    detail = Text("tournament %(name)s does not exist any more", name=f"{slug!r}")
    return require_found(Tournament.objects.filter(slug=slug).first(), detail)


def is_league(tournament: Tournament) -> bool:
    """Return True if all rounds are open at once."""
    has_choice = SCHEDULE in PAIRING_SYSTEMS[tournament.system].options
    return has_choice and SCHEDULE.read(tournament.system_options) == "league"


def counted_states(tournament: Tournament) -> tuple[Round.State, ...]:
    """Return the states of the rounds that count in the standings."""
    return SHOWN_ROUND_STATES if is_league(tournament) else FINISHED_ROUND_STATES


def last_complete_round(tournament: Tournament) -> int:
    """Return the number of the last complete round, in a league of the last open one; else 0."""
    counted = counted_states(tournament)
    rounds = tournament.round_set.values_list("number", "state")
    return max((number for number, state in rounds if state in counted), default=0)


def local_day(tournament: Tournament) -> date:
    """Return the day at the place of the event."""
    return timezone.now().astimezone(ZoneInfo(tournament.time_zone)).date()


def rounds_of(tournament: Tournament) -> list[Round]:
    """Return all rounds of a tournament by number."""
    rounds = list(tournament.round_set.order_by("number"))
    for this_round in rounds:
        this_round.tournament = tournament
    return rounds


def is_own(account: int | None, player: str) -> Q:
    """Return the condition that the player, or the one they were merged into, has this account."""
    if account is None:
        return Q(pk__in=[])
    return Q(**{f"{player}__account": account}) | Q(**{f"{player}__merged_into__account": account})


def listed_entries(tournament: Tournament, account: int | None = None) -> "QuerySet[Entry]":
    """Return the entries of an event that all see, and the own one of an account.

    Applications that are not accepted are left out.
    """
    listed = Q(state__in=LISTED_STATES)
    return Entry.objects.filter(listed | is_own(account, "player"), tournament=tournament)


def listed_events(player: Player) -> "QuerySet[Any]":
    """Return the ids of the events in which all see an entry of a player.

    An application that is not accepted shows nobody else that the player has applied.
    """
    own = Q(player=player) | Q(player__merged_into=player)
    return Entry.objects.filter(own, state__in=LISTED_STATES).values("tournament")


def numbered_entries(tournament: Tournament) -> "QuerySet[Any]":
    """Return the entries of an event that have a pairing number, ordered by it."""
    return tournament.entries.filter(pairing_number__isnull=False).order_by("pairing_number")


def numbered_names(entries: "QuerySet[Any]", namesakes: Mapping[int, str]) -> list[str]:
    """Return the players of numbered entries by number and name, as `12 Ada Moon`; one query."""
    rows = entries.values_list("pairing_number", "player_id", "player__name")
    return [f"{number} {namesakes.get(player, name)}" for number, player, name in rows]


LEADING_NUMBER: Final = re.compile(r"\s*([0-9]{1,6})(?:\s[^\0]*)?")


def leading_number(text: str) -> int | None:
    """Return the pairing number with which a player was chosen or typed; None without one."""
    found = LEADING_NUMBER.fullmatch(text)
    return int(found[1]) if found else None


def names_by_number(
    tournament: Tournament, numbers: Collection[int], namesakes: Mapping[int, str] = NO_NAMES
) -> dict[int, str]:
    """Return the numbers with the names of players, by pairing number; one query, if any.

    Players among the namesakes, by their id, have the name that tells them apart.
    """
    if not numbers:
        return {}
    entries = numbered_entries(tournament).filter(pairing_number__in=numbers)
    rows = entries.values_list("pairing_number", "player_id", "player__name")
    return {number: f"{number} {namesakes.get(player, name)}" for number, player, name in rows}


def number_of_player(tournament: Tournament, text: str) -> int | None:
    """Return the pairing number that begins a text, or that of the player it names.

    A surname is enough if only one player of the event has it; None for any other text.
    """
    number, words = leading_number(text), fold_name(text)
    if number is not None or not words:
        return number
    entries = numbered_entries(tournament).filter(player__folded_name__contains=words)
    rows = entries.values_list("pairing_number", "player__folded_name")
    whole = re.compile(rf"\b{re.escape(words)}\b")
    found = [number for number, name in rows if whole.search(name)]
    return found[0] if len(found) == 1 else None


def load_separations(tournament: Tournament) -> tuple[Separation, ...]:
    """Load the separations of players who have a pairing number; no query if there are none."""
    if not tournament.separations:
        return ()
    numbers: dict[int | None, int] = {}
    columns = "pairing_number", "player_id", "player__merged_into"
    for number, *registrations in numbered_entries(tournament).values_list(*columns):
        numbers |= dict.fromkeys(registrations, number)
    return tuple(
        Separation(
            by=By(separation["by"]),
            is_preference=separation["preference"],
            players=frozenset(numbers[pk] for pk in separation["players"] if pk in numbers),
            first_round=separation.get("first_round", 1),
            last_round=separation["last_round"],
        )
        for separation in tournament.separations
    )


def entries_by_number(tournament: Tournament) -> dict[int, int]:
    """Return the entry ids by pairing number."""
    return dict(numbered_entries(tournament).values_list("pairing_number", "pk"))


def current_pairings(tournament: Tournament) -> "QuerySet[Pairing]":
    """Return the pairings of the current version of each round."""
    return Pairing.objects.filter(IN_CURRENT_VERSION, tournament=tournament)


def event_conditions(tournament: Tournament) -> Conditions:
    """Return the conditions of an even game of an event."""
    return Conditions(
        game=tournament.game,
        board=tournament.board,
        options=tuple(tournament.options),
        swap=tournament.swap,
    )


def with_corrections(games: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return games as JSON with the corrections in force that changed them; one query, if any."""
    listed = list(games)
    slugs = {event["slug"] for game in listed if (event := game["tournament"])}
    by_game = Correction.objects.filter(tournament__slug__in=slugs).by_game() if slugs else {}
    return [game | {"corrections": by_game.get(game["id"], [])} for game in listed]


def entry_with_number(tournament: Tournament, number: int) -> int | None:
    """Return the entry with a pairing number; None if there is none."""
    entries = numbered_entries(tournament).filter(pairing_number=number)
    entry: int | None = entries.values_list("pk", flat=True).first()
    return entry


def absent_numbers(tournament: Tournament, round_number: int) -> dict[int, str]:
    """Return the players who are not paired in a round with their kind of bye, by pairing number.

    The kind is empty for a player who has withdrawn, enters later or has not checked in: such a
    player gets no pairing, which counts as a zero-point bye. Two queries.
    """
    of_round = tournament.byes.filter(round=round_number)
    kinds = of_round.values_list("entry__pairing_number", "kind")
    byes = {number: kind for number, kind in kinds if number}
    inactive = numbered_entries(tournament).filter(
        ~Q(state=Entry.State.ACCEPTED)
        | Q(first_round__gt=round_number)
        | Q(last_round__lt=round_number)
        | not_checked_in(tournament, round_number)
    )
    return byes | dict.fromkeys(inactive.values_list("pairing_number", flat=True), "")


def not_checked_in(tournament: Tournament, round_number: int) -> Q:
    """Return the condition that an entry lacks the check-in that the event requires."""
    if tournament.check_in == Tournament.CheckIn.NONE:
        return Q(pk__in=[])
    absent = Q(checked_in_round=None)
    if tournament.check_in == Tournament.CheckIn.ROUND:
        absent |= ~Q(checked_in_round=round_number)
    return absent


UNSETTLED = (Game.State.OPEN, Game.State.WAITING, Game.State.DISPUTED)
"""The states of a game without a result."""


def count_results(rounds: Sequence[Round]) -> dict[int, dict[str, int]]:
    """Return the numbers of games and of results of rounds, by their keys; one query, if any."""
    places = {(each.tournament.stream, str(each.number)): each.pk for each in rounds}
    at_places = Q(pk__in=[])
    for stream, number in places:
        at_places |= Q(stream=stream, round=number)
    is_settled = ~Q(state__in=UNSETTLED)
    games = Game.objects.filter(at_places, void=False).order_by().values("stream", "round")
    counted = games.annotate(games=Count("pk"), results=Count("pk", filter=is_settled))
    return {
        places[row["stream"], row["round"]]: {"games": row["games"], "results": row["results"]}
        for row in (counted if places else ())
    }


def adjourned_boards(tournament: Tournament) -> list[tuple[int, int | None]]:
    """Return the round and the board number of each adjourned game that has no result yet."""
    pairings = current_pairings(tournament).filter(
        Q(game__adjourned=True) | Q(return_game__adjourned=True)
    )
    ordered = pairings.order_by("round__number", "board_number")
    return list(ordered.values_list("round__number", "board_number"))


def unsettled_pairings(
    tournament: Tournament, round_number: int | None = None
) -> "QuerySet[Pairing]":
    """Return the pairings without a result, of one round or of all, but not adjourned ones."""
    pairings = current_pairings(tournament).filter(
        Q(game__state__in=UNSETTLED, game__adjourned=False)
        | Q(return_game__state__in=UNSETTLED, return_game__adjourned=False)
    )
    if round_number is not None:
        pairings = pairings.filter(round__number=round_number)
    return pairings.order_by("round__number", "board_number")


def unsettled_boards(tournament: Tournament, round_number: int | None = None) -> list[int]:
    """Return the board numbers without a result, of one round or of all, but not adjourned ones."""
    boards = unsettled_pairings(tournament, round_number).values_list("board_number", flat=True)
    return [board for board in boards if board is not None]
