"""Of what a reader of an event chooses to be notified, and what of it still holds.

A choice names kinds of the feed and the audiences whose message it is (words.py). A message is
looked at again right before it is sent: there is none of a dispute that is settled meanwhile, and
who has changed something is not notified of it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils.text import Truncator

from games.core.permissions import OFFICIALS as ROLES
from games.models import Game, JournalLine, Player, Report, Role
from games.play.live import turns_of
from games.play.mails import about_end
from games.play.queries import dispute_in_words, game_page, result_text
from games.rules.game_outcome import GameOutcome
from games.rules.messages import gettext_noop as noop
from games.rules.records.record import Record
from games.rules.seat import Seat
from games.rules.text import Text
from tournament.core.queries import (
    DRAFT,
    ENDED_APPLICATIONS,
    HIDDEN,
    count_results,
    current_pairings,
)
from tournament.messages.feed import FeedEntry, messages_of
from tournament.messages.words import ENTRANTS, OFFICIALS, PLAYERS, Message
from tournament.models import Entry, Pairing, Round, Tournament
from tournament.results.queries import statements_of

PAIRINGS_KINDS: Final = ("round.published", "round.restored")
"""The kinds that publish pairings."""
PLAYED_HERE: Final = (Game.Basis.PLAYED, Game.Basis.LINKS)
"""Why the result of a game by turns stands that its players have ended themselves."""
ENDED: Final = noop("%(event)s: your game with %(name)s has ended")
MOST_NAMES: Final = 20
"""Applicants whom a mail names."""
LONGEST_REASON: Final = 120
"""Characters of the reason of a dispute, as on the director's page."""
LATER_KINDS: Final = ("round.scheduled", "round.unpaired")
"""The kinds that tell all players something of a round, which may begin without some of them."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Of what a reader may be notified: the kinds, and to which audiences.

    `text` replaces the words of the kind, and `page`, below that of the event, its link.
    """

    label: str
    kinds: tuple[str, ...]
    to: tuple[str, ...]
    text: str = ""
    page: str = ""


PLAYERS_CHOICES: Final = {
    "paired": Choice(
        noop("I am paired: board, opponent, seat and time"),
        PAIRINGS_KINDS,
        (PLAYERS,),
    ),
    "turn": Choice(
        noop("It is my turn in a game that is played here, or the game has ended"),
        ("game.confirmed",),
        (PLAYERS,),
    ),
    "reported": Choice(
        noop("My opponent has reported our game"), ("game.reported",), (PLAYERS,)
    ),
    "disputed": Choice(noop("The result of my game is disputed"), ("game.disputed",), (PLAYERS,)),
    "changed": Choice(
        noop("My board, the start of a round or a result has changed"),
        (
            "round.changed", "round.unpaired", "round.scheduled", "game.reopened",
            "game.confirmed", "game.adjourned", "game.annulled", "correction.committed",
            "tournament.cancelled",
        ),
        (PLAYERS, ENTRANTS),
    ),
    "final": Choice(noop("The standings are final"), ("tournament.finalised",), (ENTRANTS,)),
    "announced": Choice(
        noop("The directors have announced something"), ("tournament.announced",), (ENTRANTS,)
    ),
}  # fmt: skip
OFFICIALS_CHOICES: Final = {
    "dispute": Choice(
        noop("A result is disputed"), ("game.disputed",), (OFFICIALS,), page="/run/disputes"
    ),
    "complete": Choice(
        noop("All results of a round are in"),
        ("game.confirmed", "game.annulled"),
        (OFFICIALS,),
        noop("%(event)s: all results of round %(round)s are in"),
        "/run",
    ),
    "application": Choice(noop("Somebody applies"), ("entry.applied",), (OFFICIALS,)),
}
CHOICES: Final[Mapping[str, Choice]] = {**PLAYERS_CHOICES, **OFFICIALS_CHOICES}


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads messages of an event: their player, and whether they play in it or direct it.

    `last_round` is that of who has withdrawn or will: what is said of later rounds is not for them.
    """

    player: int | None = None
    is_entrant: bool = False
    is_official: bool = False
    plays_by_turns: bool = False
    last_round: int | None = None

    def choices(self) -> list[str]:
        """Return what the reader may choose."""
        possible = [
            *(PLAYERS_CHOICES if self.is_entrant else ()),
            *(OFFICIALS_CHOICES if self.is_official else ()),
        ]
        return [name for name in possible if name != "turn" or self.plays_by_turns]

    def address(self, audience: str) -> str:
        """Return to whom the messages to an audience are that concern the reader; else empty."""
        if audience == PLAYERS:
            return f"{PLAYERS}{self.player}" if self.is_entrant else ""
        is_member = self.is_entrant if audience == ENTRANTS else self.is_official
        return audience if is_member else ""


def load_readers(tournament: Tournament, accounts: Collection[int]) -> dict[int, Reader]:
    """Return the readers of an event by their active accounts."""
    players = Player.objects.filter(account__in=accounts, account__is_active=True)
    of_account = dict(players.values_list("account", "pk"))
    own = Q(player__account__in=accounts) | Q(player__merged_into__account__in=accounts)
    entries = tournament.entries.filter(own).exclude(state__in=ENDED_APPLICATIONS)
    entries = entries.exclude(agreement=Entry.Agreement.DECLINED)
    entries = entries.exclude(tournament__in=Tournament.objects.filter(DRAFT | HIDDEN))
    columns = entries.values_list("player__account", "player__merged_into__account")
    entrants = {account for row in columns for account in row}
    last_rounds = _last_rounds(tournament, entries)
    roles = officials_among(tournament, accounts)
    return {
        account: Reader(
            of_account.get(account),
            account in entrants & of_account.keys(),
            account in roles,
            tournament.play == Game.Play.BY_TURNS,
            last_rounds.get(account),
        )
        for account in {*of_account} | roles
    }


def _last_rounds(tournament: Tournament, entries: "QuerySet[Entry]") -> dict[int, int]:
    """Return the last round of those who have withdrawn or will, by their accounts."""
    withdrawn = Q(state=Entry.State.WITHDRAWN)
    leaving = list(
        entries.filter(withdrawn | Q(last_round__isnull=False)).select_related(
            "player", "player__merged_into"
        )
    )
    played: dict[int, int] = {}
    if leaving:
        seats = current_pairings(tournament).order_by("round__number")
        for number, *seated in seats.values_list("round__number", "first", "second"):
            played |= dict.fromkeys(seated, number)
    return {
        account: entry.last_round or played.get(entry.pk, 0)
        for entry in leaving
        if (account := entry.player.current.account_id) is not None
    }


def officials_among(tournament: Tournament, accounts: Collection[int]) -> set[int]:
    """Return which of these accounts are officials of an event."""
    held = Role.objects.usable().filter(stream=tournament.stream, role__in=ROLES)
    found = held.filter(account__in=accounts, account__is_active=True)
    return {*found.values_list("account", flat=True)}


@dataclass(frozen=True, slots=True)
class News:
    """An entry with its messages by whom they are to, and which of it holds.

    `players` are those whom alone it concerns, None for all. `undoes` is the number of the line
    that it takes back: who was not notified of that one is notified of neither. `lines` are said
    besides the words of the kind, `end` in their place of a game that is played here.
    """

    entry: FeedEntry
    messages: Mapping[str, Message]
    players: Collection[int] | None = None
    is_round_in: bool = True
    undoes: int = 0
    lines: tuple[str, ...] = ()
    end: Message | None = None

    def to(self, reader: Reader, chosen: Collection[str]) -> Iterator[Message]:
        """Yield what the entry says to a reader who has chosen these."""
        for name in chosen:
            choice = CHOICES.get(name)
            if choice is None or self.entry.kind not in choice.kinds:
                continue
            addresses = map(reader.address, choice.to)
            address = next((each for each in addresses if each in self.messages), "")
            is_other = self.players is not None and reader.player not in self.players
            if not address or (name == "complete" and not self.is_round_in):
                continue
            is_later = (
                self.entry.kind in LATER_KINDS
                and reader.last_round is not None
                and self.entry.data["round"] > reader.last_round
            )
            if is_later:
                continue
            is_confirmed = self.entry.kind == "game.confirmed"
            if name == "changed" and is_confirmed and self.entry.data["basis"] != Game.Basis.RULING:
                continue
            if name == "turn" and self.entry.data["basis"] not in PLAYED_HERE:
                continue
            if name == "turn" and self.end and not is_other:
                yield self.end
            elif not (address.startswith(PLAYERS) and is_other):
                message = _in_words_of(choice, self.messages[address], self.entry)
                yield replace(message, lines=(*message.lines, *self.lines))


def news_of(entry: FeedEntry, **holds: Any) -> News:
    """Return an entry with its messages, of which by default all hold."""
    messages = {message.to: message for message in messages_of(entry)}
    return News(entry, messages, undoes=_publication_before(entry), **holds)


def _publication_before(entry: FeedEntry) -> int:
    """Return the number of the line that published the pairings which an entry withdraws."""
    if entry.kind != "round.unpaired":
        return 0
    earlier = JournalLine.objects.filter(
        stream=entry.stream,
        sequence__lt=entry.sequence,
        kind__in=PAIRINGS_KINDS,
        payload__body__round=entry.data["round"],
    )
    return earlier.order_by("-sequence").values_list("sequence", flat=True).first() or 0


def _in_words_of(choice: Choice, message: Message, entry: FeedEntry) -> Message:
    title = message.title
    if choice.text:
        title = Text(choice.text, event=entry.rows.title, round=entry.data["round"])
    link = f"{entry.rows.page}{choice.page}" if choice.page else message.link
    return replace(message, title=title, link=link)


def holding(tournament: Tournament, entries: Sequence[FeedEntry]) -> list[News]:
    """Return those of the entries of an event that still hold."""
    numbers = {entry.data["game_id"] for entry in entries if "game_id" in entry.data}
    games = {game.pk: game for game in Game.objects.filter(pk__in=numbers).select_related("record")}
    found = []
    for entry in entries:
        game = games.get(entry.data.get("game_id", 0))
        if game and (game.state, game.adjourned) != (entry.data["state"], entry.data["adjourned"]):
            continue
        if entry.kind == "game.reported":
            lines = _reported_result(entry)
            found.append(news_of(entry, players=_other_players(entry), lines=lines))
        elif entry.kind == "game.disputed" and game:
            found.append(news_of(entry, lines=tuple(_dispute(entry, game))))
        elif game and game.record and _is_end_by_turns(game, entry):
            is_in, players = _is_round_in(tournament, entry.data["round"]), _other_players(entry)
            end = _end_of(game, entry, players)
            found.append(news_of(entry, players=players, is_round_in=is_in, end=end))
        elif entry.kind == "round.changed":
            found.append(news_of(entry, players=_moved_players(tournament, entry)))
        elif _is_so(tournament, entry):
            found.append(
                news_of(
                    entry,
                    is_round_in=bool(game) and _is_round_in(tournament, entry.data["round"]),
                    lines=_lines_about(tournament, entry),
                )
            )
    return found


def _reported_result(entry: FeedEntry) -> tuple[str, ...]:
    """Return a line with the result that was reported last."""
    reports = Report.objects.filter(game=entry.data["game_id"]).exclude(seat="")
    report = reports.exclude(outcome={}).order_by("-version").first()
    if report is None:
        return ()
    return (Text("Reported: %(result)s. Confirm it, or contradict.", result=_result_of(report)),)


def _result_of(report: Report) -> str:
    if not report.outcome:
        return "–"
    said = GameOutcome.from_json(report.outcome)
    score = said.score or (None, None)
    found = result_text(
        Game.State.CONFIRMED, said.winner or "", said.draw, score, said.termination or ""
    )
    return found or "–"


def _dispute(entry: FeedEntry, game: Game) -> Iterator[str]:
    """Yield what a dispute is about, and what each side has said last."""
    yield Text("Disputed: %(detail)s", detail=dispute_in_words(game.dispute))
    said = statements_of([game.pk]).get(game.pk, {})
    for seat in filter(said.get, ("first", "second")):
        name, report = entry.data[seat]["player"]["name"], said[seat]
        if report.reason:
            reason = Truncator(report.reason).chars(LONGEST_REASON)
            yield Text("%(name)s disputes it: %(reason)s", name=name, reason=reason)
        else:
            yield Text("%(name)s has reported %(result)s", name=name, result=_result_of(report))


def _is_end_by_turns(game: Game, entry: FeedEntry) -> bool:
    """Return True for the end of a game that is played here."""
    is_end = entry.kind == "game.confirmed" and entry.data["basis"] in PLAYED_HERE
    return is_end and game.play == Game.Play.BY_TURNS


def _end_of(game: Game, entry: FeedEntry, players: Collection[int]) -> Message:
    """Return what is said of the end of a game by turns to the side that has not entered it."""
    report: Any = game.record
    seat = next(seat for seat in Seat if entry.data[seat]["player"]["id"] in players)
    turns = turns_of(Record.parse(report.record))
    lines = about_end(game, GameOutcome.from_json(report.outcome), seat, turns)
    name = entry.data[seat.other]["player"]["name"]
    title = Text(ENDED, event=entry.rows.title, name=name)
    return Message(PLAYERS, title, game_page(game.pk), tuple(lines))


def _lines_about(tournament: Tournament, entry: FeedEntry) -> tuple[str, ...]:
    """Return who ruled a game and why, or whose applications wait."""
    if entry.kind == "entry.applied":
        waiting = tournament.entries.filter(state=Entry.State.APPLIED).select_related(
            "player__merged_into"
        )
        names = [one.player.current.name for one in waiting.order_by("ordinal")[:MOST_NAMES]]
        return (Text("Undecided: %(names)s", names=names),)
    if entry.kind == "game.confirmed" and entry.data["basis"] == Game.Basis.RULING:
        rulings = Report.objects.filter(game=entry.data["game_id"], kind=Report.Kind.RULING)
        reason = rulings.order_by("-version").values_list("reason", flat=True).first()
        return (Text("A director has ruled: %(reason)s", reason=reason or "–"),)
    return ()


def _is_so(tournament: Tournament, entry: FeedEntry) -> bool:
    """Return whether what an entry says of its event or round is so now."""
    states = Tournament.State
    if entry.kind == "entry.applied":
        return tournament.entries.filter(state=Entry.State.APPLIED).exists()
    if entry.kind == "round.unpaired":
        return entry.data["round"] not in entry.rows.rounds
    if entry.kind == "round.scheduled":
        this_round = tournament.round_set.filter(number=entry.data["round"]).first()
        day = this_round and this_round.starts_on
        return entry.data["starts_on"] == (day.isoformat() if day else None)
    if entry.kind == "tournament.finalised":
        return tournament.state in (states.FINAL, states.ARCHIVED)
    return entry.kind != "tournament.cancelled" or tournament.state == states.CANCELLED


def _is_round_in(tournament: Tournament, number: int) -> bool:
    """Return whether a round is being played, and all its games have a result."""
    rounds = list(tournament.round_set.filter(number=number, state=Round.State.PUBLISHED))
    counts = count_results(rounds).values()
    return any(count["games"] == count["results"] for count in counts)


def _other_players(entry: FeedEntry) -> list[int]:
    """Return the player of a game whose opponent has said the last of its result."""
    reports = Report.objects.filter(game=entry.data["game_id"]).exclude(seat="")
    last = reports.order_by("-version").values_list("seat", flat=True).first()
    return [
        entry.data[seat]["player"]["id"] for seat in ("first", "second") if last and seat != last
    ]


def _moved_players(tournament: Tournament, entry: FeedEntry) -> list[int]:
    """Return the players whose board, seat or opponent is not what it was before a change."""
    line = JournalLine.objects.filter(stream=entry.stream, sequence=entry.sequence)
    previous: Any = line.values_list("payload__body__previous", flat=True).first()
    pairings = Pairing.objects.filter(
        tournament=tournament, round__number=entry.data["round"], version=previous or 0
    )
    before = {*pairings.values_list("board_number", "first", "second")}
    free = pairings.filter(kind=Pairing.Kind.PAIRING_BYE).values_list("first", flat=True)
    byes = [one["player"]["id"] for one in entry.data["byes"] if one["id"] not in free]
    return byes + [
        board[seat]["player"]["id"]
        for board in entry.data["boards"]
        if (board["board"], board["first"]["id"], board["second"]["id"]) not in before
        for seat in ("first", "second")
    ]
