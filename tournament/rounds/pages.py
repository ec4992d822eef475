"""The pages of a round: its pairings, a board of it, and all that its directors do with it."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import Conflict, NotFound
from games.core.forms import Form, FormField, Undo, form_fields
from games.core.namesakes import tell_apart
from games.core.requests import is_flag_set, requested_choice
from games.core.tables.html import Dress, FindLink, Links, table_context
from games.models import Game
from games.models.streams import tournament_of
from games.play.boards import describe_least
from games.play.pages import GamePage, PageOfGame, ReportsPage
from games.play.queries import rows_as_dicts
from games.rules.records.handicaps import with_handicap
from games.rules.text import Text
from tournament.core.dress import with_rating
from tournament.core.lookup import UNPUBLISHED
from tournament.core.pages import (
    EventPage,
    RunPage,
    actions_of_page,
    event_action,
    findings_with_names,
    quoted_tag,
    with_errors_by_line,
)
from tournament.core.queries import (
    event_conditions,
    names_by_number,
    numbered_entries,
    numbered_names,
)
from tournament.core.states import BEFORE_START
from tournament.core.violations import find_violations
from tournament.entries.byes import possible_byes
from tournament.entries.queries import absent_entries, namesakes_in
from tournament.entries.views import CancelBye, GrantBye
from tournament.models import Correction, Entry, Pairing, Round, Tournament
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.bracket import BEST_OF, THIRD_PLACE
from tournament.rounds.acceptance import codes_of
from tournament.rounds.explanations import add_reasons, read_explanation
from tournament.rounds.forms import (
    CELLS,
    bye_body,
    explain_body,
    give_byes,
    hand_body,
    hand_lines,
    hand_rows,
    named_player,
    pair_players,
    pick_of,
    set_handicap,
    start_body,
    swap_boards,
    swap_players,
    times_body,
)
from tournament.rounds.games import boards_with_turns
from tournament.rounds.lookup import allowed_round_actions, round_of, visible_round
from tournament.rounds.queries import (
    RoundPairing,
    RoundPairings,
    corrections_of,
    count_games_by_round,
    load_pairings,
    load_versions,
    pairings_as_json,
    pairings_of_version,
    told_apart,
)
from tournament.rounds.serializers import (
    BoardChangesSerializer,
    BoardRequestSerializer,
    ByHandRequestSerializer,
    ExplainRequestSerializer,
    RestoreRequestSerializer,
    RoundActionSerializer,
    RoundRequestSerializer,
)
from tournament.rounds.tables import pairings_by_name_document, pairings_document, points_before
from tournament.rounds.targets import round_target
from tournament.rounds.views import (
    ChangeBoards,
    CheckRound,
    CompleteRound,
    ExplainRound,
    ExplainTwo,
    PairRound,
    PublishRound,
    ReopenRound,
    RestoreVersion,
    ScheduleRound,
    ScheduleRounds,
    SetPairings,
    UnpairRound,
    explain_refusal,
)


class RoundPage(EventPage):
    """The pairings; a form asks why two players do not meet."""

    template = "tournament/rounds/round.html"
    public_read = "slug"
    query_names = ("by",)
    tab = "rounds"
    actions = {"explain": Form(ExplainTwo, body=explain_body)}

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the table of the pairings, and the reader's own one."""
        this_round = visible_round(request, tournament, address["number"])
        namesakes = namesakes_in(tournament)
        pairings = told_apart(load_pairings(this_round), namesakes)
        order = requested_choice(request, "by", ("board", "name"))
        build = pairings_document if order == "board" else pairings_by_name_document
        points = points_before(this_round)
        document = build(this_round, pairings, points)
        own = self.event_frame["own_entry"].pk if self.event_frame["own_entry"] else None
        base = f"/e/{tournament.slug}"
        here = f"{base}/rounds/{this_round.number}"

        def is_own(record: Mapping[str, Any]) -> bool:
            player = record.get("player")
            players = [player] if player else [record["first"], record["second"]]
            return own in [found["id"] for found in players if found]

        group: list[tuple[str, ...]] = []

        def row_class(record: Mapping[str, Any]) -> str:
            """Mark the own row, and the first row of each score group."""
            names = ["own"] if own and is_own(record) else []
            if order == "board" and points and record["second"]:
                seats = record["first"], record["second"]
                scores = tuple(sorted((points.get(s["number"], "") for s in seats), reverse=True))
                names += ["group"] if group and group[-1] != scores else []
                group.append(scores)
            return " ".join(names)

        def board(record: Mapping[str, Any]) -> str:
            return f"{here}/boards/{record['board']}"

        def other(record: Mapping[str, Any]) -> str:
            player = record["opponent"] if "player" in record else record["second"]
            bye = f"{here}/byes/{record['first']['number']}"
            return card_address(base, player) if player else bye

        links: Links = {
            "marked_board": board,
            "board": board,
            "first_named": lambda record: card_address(base, record["first"]),
            "name": lambda record: card_address(base, record["player"]),
            "second_named": other,
            "opponent": other,
            "result_or_dash": game_address,
        }
        may_ask = explain_refusal(request, tournament) is None
        results = [(p.result, p.adjourned) for p in pairings if p.second]
        returns = [found for pairing in pairings if (found := pairing.return_game)]
        results += [(found["result"], found["adjourned"]) for found in returns]
        return {
            "this_round": this_round,
            "order": order,
            "document": document,
            "unpaired": unpaired_names(this_round, namesakes),
            "final": describe_final(this_round, sum(bool(p.second) for p in pairings)),
            "missing": sum(not result and not adjourned for result, adjourned in results),
            "results": len(results),
            "own_pairing": next((p for p in pairings if own and is_own(p.as_json())), None),
            "compares_alternatives": PAIRING_SYSTEMS[tournament.system].compares_alternatives,
            "may_ask": may_ask,
            "fields": self._fields(pairings, has_choices=may_ask),
            **table_context(
                document, links=links, dress=dress_of_pairings(tournament), row_class=row_class
            ),
        }

    def _fields(
        self, pairings: Sequence[RoundPairing], *, has_choices: bool
    ) -> dict[str, FormField]:
        """Return the fields of the question, with the players to choose from."""
        names = "first_number", "second_number"
        fields = form_fields(ExplainRequestSerializer(), names, state=self.form)
        seated = [found for row in pairings for found in (row.first, row.second) if found]
        players = sorted(seated, key=lambda player: player["number"] or 0) if has_choices else ()
        choices = tuple((named_player(player), "") for player in players)
        labels = dict(zip(names, (gettext("One player"), gettext("The other player")), strict=True))
        return {
            name: replace(field, label=labels[name], kind="text", choices=choices)
            for name, field in fields.items()
        }


class BoardPage(EventPage):
    """A pairing by its board, or a bye by the pairing number of its player."""

    template = "tournament/rounds/board.html"
    public_read = "slug"
    tab = "rounds"
    actions = {"explain-round": Form(ExplainRound)}

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the pairing with the reasons of the engine, as far as there are any."""
        number = address["number"]
        this_round = visible_round(request, tournament, number)
        namesakes = namesakes_in(tournament)
        body = tell_apart(pairings_as_json(this_round), namesakes)
        body, explained = with_reasons(this_round, body, request, namesakes)
        self.is_final = explained["unexplained"] not in (UNASKED, COMPUTED)
        if "board" in address:
            found = [p for p in body["rows"] if p["board"] == address["board"]]
        else:
            player = address["player"]
            byes = [p for p in body["rows"] if p["second"] is None]
            found = [p for p in byes if p["first"]["number"] == player]
        if not found:
            raise NotFound(
                "not_found", Text("round %(number)s has no such board or bye", number=number)
            )
        returned, applied = found[0]["return_game"], found[0]["applied"]
        games = [
            game for game in (found[0]["game_id"], returned and returned["id"]) if game is not None
        ]
        boards = [p["board"] for p in body["rows"] if p["board"]]
        handicap = (applied and applied["handicap_text"]) or ""
        conditions = with_handicap(event_conditions(tournament), handicap)
        return {
            "this_round": this_round,
            "pairing": found[0],
            "least_to_win": describe_least(conditions),
            "corrections": corrections_of_games(tournament.slug, games),
            **explained,
            "previous": max((b for b in boards if b < (found[0]["board"] or 0)), default=None),
            "following": min((b for b in boards if b > (found[0]["board"] or 0)), default=None),
        }


def corrections_of_games(slug: str, games: Collection[int]) -> list[Correction]:
    """Return the corrections in force that changed any of these games of an event."""
    by_game = Correction.objects.filter(tournament__slug=slug).by_game() if games else {}
    return corrections_of(games, by_game)


class OfEvent(PageOfGame):
    """A page of a game that knows the event of the game, if it has one."""

    event: Tournament | None = None

    def names_in_event(self, game: Game) -> Mapping[int, str] | None:
        """Return the names of those who share theirs in the event, as its other pages have them.

        The event is kept for the rest of the page.
        """
        slug = tournament_of(game.stream)
        events = Tournament.objects.only("slug", "time_zone")
        self.event = events.filter(slug=slug).first() if slug else None
        return namesakes_in(self.event) if self.event else None


class EventGamePage(OfEvent, GamePage):
    """The page of a game; one of an event says when and why its result was corrected."""

    template = "tournament/rounds/game.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the game, and the corrections in force that changed it."""
        context = super().context(request, **address)
        event, number = self.event, context["game"]["id"]
        corrections = corrections_of_games(event.slug, [number]) if event else []
        return context | {"event": event, "corrections": corrections}


class EventReportsPage(OfEvent, ReportsPage):
    """The reports of a game; their times are those at the place of its event."""

    def context(self, request: Request, game_id: int = 0, **address: Any) -> dict[str, Any]:
        """Return the reports, and the event of the game if it has one, for its time zone."""
        return super().context(request, game_id, **address) | {"event": self.event}


CHANGES = {
    "swap": swap_players,
    "swap-boards": swap_boards,
    "bye": give_byes,
    "seat": pair_players,
    "handicap": set_handicap,
}
BY_HAND: Final = "by-hand"
HAND_CELL: Final = re.compile(rf"row\.([1-9][0-9]{{0,3}})\.(?:{'|'.join(CELLS)})", re.ASCII)
CHANGE_LABELS: Final = {
    "swap": _("Swap the two players"),
    "swap-boards": _("Swap the two boards"),
    "bye": _("Give them this bye"),
    "seat": _("Pair the two at a new board"),
}


class SchedulePage(RunPage):
    """The day and the time of each round, before the start plans them."""

    template = "tournament/rounds/run_schedule.html"
    section = "setup"
    actions = {"schedule": Form(ScheduleRounds, body=times_body, is_typed=True)}

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return a row for each round, with its fields, and why they are fixed, if they are."""
        allowed = event_action(request, tournament, "edit")
        if allowed["level"] != "forbidden" and tournament.state not in BEFORE_START:
            reason = gettext("The event has started: each round has its times on its own page.")
            allowed = allowed | {"level": "forbidden", "reason": reason}
        stored = {this_round.number: this_round for this_round in self.rounds}
        numbers = range(1, tournament.rounds + 1)
        return {
            "allowed": allowed,
            "rows": [(number, self._fields(number, stored.get(number))) for number in numbers],
        }

    def _fields(self, number: int, this_round: Round | None) -> list[FormField]:
        """Return the day and the time of a round as they were sent, or are stored."""
        day, time = (this_round.starts_on, this_round.start_time) if this_round else (None, None)
        stored = {"starts_on": day and day.isoformat(), "starts_at": time and f"{time:%H:%M}"}
        labels = {"starts_on": ("date", gettext("Day")), "starts_at": ("time", gettext("Start"))}
        place = gettext("Round %(number)s") % {"number": number}
        return [
            FormField(
                at := f"rounds.{number}.{name}",
                f"{place}, {label}",
                kind=kind,
                value=self.form.typed.get(at, stored[name] or ""),
                errors=self.form.errors.get(at, ()),
            )
            for name, (kind, label) in labels.items()
        ]


class RoundBoardPage(RunPage):
    template = "tournament/rounds/run_round.html"
    section = "rounds"
    actions = {
        "check": Form(CheckRound),
        "pair": Form(PairRound),
        "publish": Form(PublishRound),
        "complete": Form(CompleteRound),
        "unpair": Form(UnpairRound),
        "reopen": Form(ReopenRound),
        "restore": Form(RestoreVersion),
        "schedule": Form(ScheduleRound, body=start_body, is_typed=True),
        "explain": Form(ExplainTwo, body=explain_body),
        "explain-round": Form(ExplainRound),
        "grant-bye": Form(GrantBye, body=bye_body),
        "cancel-bye": Form(CancelBye, ("bye_id",)),
        **{name: Form(ChangeBoards, body=body) for name, body in CHANGES.items()},
        BY_HAND: Form(SetPairings, body=hand_body),
    }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page; after the end of a round, that of the next one, if there is one."""
        if name == "complete":
            following = address["number"] + 1
            rounds = Round.objects.filter(tournament__slug=address["slug"], number=following)
            if rounds.filter(state=Round.State.PLANNED).exists():
                return f"/e/{address['slug']}/run/rounds/{following}?done={name}"
        if name == "explain-round":
            return f"{request.path}?explain=1"
        following_page = super().next_address(request, name, content, **address)
        return f"{following_page}&bye={content['id']}" if name == "grant-bye" else following_page

    def undo(self, name: str, context: Mapping[str, Any]) -> Undo | None:
        """Return how a bye is cancelled, or how changed boards become what they were."""
        bye = self.request.query_params.get("bye", "")
        is_there = any(str(row["pk"]) == bye for row in context["requested_byes"])
        if name == "grant-bye" and is_there and context["round"].state == Round.State.PLANNED:
            return Undo("cancel-bye", {"bye_id": bye})
        if name not in CHANGES or context["allowed"]["restore"]["level"] == "forbidden":
            return None
        latest, *earlier = context["versions"] or [None]
        fields = {"if_match": context["if_match"], "reason": gettext("undone")}
        if not earlier or latest is None or not latest.is_current:
            return None
        return Undo("restore", {"version": earlier[0].version, **fields})

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the round, its boards, what can be done with it, and its versions."""
        this_round = round_of(tournament, address["number"])
        if self.form.action == BY_HAND:
            self.form = with_errors_by_line(self.form, items="pairings", lines="lines")
        if self.form.accept:
            detail = gettext("The round breaks rules; accept this below, or change the boards.")
            self.form = replace(self.form, detail=detail)
        violations = find_violations(this_round)
        namesakes = namesakes_in(tournament)
        body = tell_apart(pairings_as_json(this_round), namesakes)
        explained: dict[str, Any] = {}
        if is_flag_set(request, "explain"):
            body, explained = with_reasons(this_round, body, request, namesakes)
        version = request.query_params.get("version", "")
        is_version = version.isascii() and version.isdigit() and len(version) < 6
        shown_version = pairings_of_version(this_round, int(version)) if is_version else None
        rows = [_with_picks(row) for row in body["rows"]]
        byes = requested_byes(tournament, this_round.number, namesakes)
        boards = [row for row in rows if row["second"]]
        return {
            "round": this_round,
            "following": self._following(this_round, self.rounds),
            "allowed": actions_of_page(allowed_round_actions(request, this_round)),
            "if_match": quoted_tag(round_target(this_round)),
            "namesakes": namesakes,
            "rows": rows,
            "boards": boards,
            "final": describe_final(this_round, len(boards)),
            "next_board": len(boards) + 1,
            "count": count_games_by_round(tournament).get(this_round.number),
            "requested_byes": byes,
            "numbered_names": numbered_names(numbered_entries(tournament), namesakes),
            "bye_kinds": possible_byes(tournament, this_round.number),
            "shown_version": shown_version,
            "violations": findings_with_names(tournament, violations, namesakes),
            "violation_codes": codes_of(violations),
            "versions": load_versions(this_round)[::-1],
            **explained,
            "turns_lost": _turns_lost(boards_with_turns(this_round)),
            "missing_players": count_missing_players(this_round),
            "unpaired": unpaired_names(this_round, namesakes),
            "change_labels": CHANGE_LABELS,
            "hand_lines": self.form.typed.get("lines") or hand_lines(body["rows"]),
            "hand_rows": self._hand_rows(request, tournament, rows, byes),
            "fields": self._fields(this_round),
        }

    def _hand_rows(
        self,
        request: Request,
        tournament: Tournament,
        rows: Sequence[Mapping[str, Any]],
        byes: Sequence[Mapping[str, Any]],
    ) -> list[dict[str, str]]:
        """Return the rows in which the players of a round are chosen, if the reader wants them.

        A round that is not paired has a row for each requested bye, and enough empty ones.
        """
        typed = self.form.typed if self.form.action == BY_HAND else {}
        numbers = [int(cell[1]) for name in typed if (cell := HAND_CELL.fullmatch(name))]
        if numbers:
            return [
                {name: typed.get(f"row.{number}.{name}", "") for name in CELLS}
                for number in range(1, max(numbers) + 1)
            ]
        if not is_flag_set(request, BY_HAND):
            return []
        found = hand_rows(rows) or [
            {"first": bye["name"], "second": gettext(str(Pairing.Kind(bye["kind"]).label))}
            for bye in byes
        ]
        accepted = tournament.entries.filter(state=Entry.State.ACCEPTED).count()
        boards = 0 if rows else (max(0, accepted - len(byes)) + 1) // 2
        return [*found, *[{}] * (boards + 1)]

    def _following(self, this_round: Round, rounds: Sequence[Round]) -> int | None:
        """Return the round that follows the last complete one, 0 for none; else None."""
        tournament = this_round.tournament
        later = [other for other in rounds if other.number > this_round.number]
        is_last = all(other.state in UNPUBLISHED for other in later)
        is_going_on = tournament.state in (Tournament.State.RUNNING, Tournament.State.REVIEW)
        if this_round.completed_at is None or not is_last or not is_going_on:
            return None
        is_over = event_action(self.request, tournament, "review")["level"] != "forbidden"
        return 0 if is_over or not later else later[0].number

    def _fields(self, this_round: Round) -> dict[str, Any]:
        """Return the fields of the forms, by action and name."""
        state = self.form
        reason = RoundActionSerializer()
        start: dict[str, Any] = {
            "starts_on": this_round.starts_on if this_round.start_time is None else None
        }
        if this_round.starts_at:
            start["starts_at"] = this_round.starts_at.strftime("%Y-%m-%dT%H:%M")
        if this_round.ends_at:
            zone = ZoneInfo(this_round.tournament.time_zone)
            start["ends_at"] = this_round.ends_at.astimezone(zone).strftime("%Y-%m-%dT%H:%M")
        return {
            **{
                name: {
                    "reason": replace(
                        form_fields(reason, ["reason"], state=state, action=name)["reason"],
                        required=is_needed,
                    )
                }
                for name, is_needed in {
                    "unpair": this_round.state not in UNPUBLISHED,
                    "reopen": True,
                    "pair": False,
                }.items()
            },
            "change": form_fields(
                BoardChangesSerializer(),
                ["reason"],
                state=state,
                action=state.action if state.action in CHANGE_LABELS else "swap",
            ),
            "by_hand": form_fields(
                ByHandRequestSerializer(), ["reason"], state=state, action=BY_HAND
            ),
            "restore": form_fields(
                RestoreRequestSerializer(), ["reason"], state=state, action="restore"
            ),
            "schedule": {
                name: replace(field, help="")  # how programs write a time
                for name, field in form_fields(
                    RoundRequestSerializer(),
                    ["starts_at", "starts_on", "ends_at"],
                    values=start,
                    state=state,
                    action="schedule",
                ).items()
            },
            "handicap": form_fields(
                BoardRequestSerializer(), ["handicap"], state=state, action="handicap"
            ),
            "byes": [kind for kind in Pairing.Kind.values if kind not in ("game", "free")],
        }

    def page(self, context: Mapping[str, Any], *, status: int = 200) -> Response:
        """Return the page; the preview of a change lists the boards that would change.

        Its button is then the main one, else that of the next step.
        """
        preview = context.get("preview")
        is_asked = bool(preview) and self.form.action != "check"
        context = {**context, "main": "" if is_asked else "main"}
        if preview and "rows" in preview:
            before = {_place(row): row for row in context["rows"]}
            preview = tell_apart(preview, context["namesakes"])
            changed = [row for row in preview["rows"] if _place(row) not in before]
            context = {**context, "preview": preview, "changed_boards": changed}
        if preview and self.form.action == "check":
            items = with_names(context["event"], preview["items"], preview["bye"])
            context = {**context, "preview": {**preview, "items": items}}
        context = {**context, **self._resent()}
        return super().page(context, status=status)

    def _resent(self) -> dict[str, Any]:
        """Return what the form of a change has sent: to confirm it, or to try again."""
        names = ("pick[]", "reason", "bye", "board", "accept[]", "lines")
        sent = self.form.typed if self.form.action in {*CHANGES, BY_HAND} else {}
        cells = (name for name in sent if HAND_CELL.fullmatch(name))
        lists = {name: sent[name] for name in (*names, *cells) if name in sent}
        values = {
            name: value if isinstance(value, list) else [value] for name, value in lists.items()
        }
        return {
            "picks": values.get("pick[]", []),
            "resent": [(name, value) for name, several in values.items() for value in several],
        }


def card_address(base: str, player: Mapping[str, Any]) -> str:
    """Return the address of a player's card below that of their event."""
    return f"{base}/players/{player['number']}" if player["number"] else ""


def card_link(tournament: Tournament) -> FindLink:
    """Return the link from a record with a pairing number to the card of its player."""
    return lambda record: f"/e/{tournament.slug}/players/{record['number']}"


def dress_of_pairings(tournament: Tournament) -> Dress:
    """Return what pairings by board show beside: the ratings; one query."""
    ratings = dict(tournament.entries.values_list("pk", "seed_rating"))
    return {f"{seat}_named": with_rating(ratings, seat) for seat in ("first", "second")}


def game_address(record: Mapping[str, Any]) -> str:
    """Return the address of the game of a pairing, empty without one."""
    return f"/games/{record['game_id']}" if record["game_id"] else ""


UNASKED, COMPUTED = "unasked", "computed"
"""Why a large round has no reasons: nobody has asked for them, or a task computes them."""


def with_reasons(
    this_round: Round, body: RoundPairings, request: Request, namesakes: Mapping[int, str]
) -> tuple[RoundPairings, dict[str, Any]]:
    """Return the pairings with their reasons, and what the page says where there are none."""
    try:
        explanation = read_explanation(this_round, by=request.user)
    except NotFound:
        may_ask = explain_refusal(request, this_round.tournament) is None
        return body, {"unexplained": UNASKED, "may_ask": may_ask}
    except Conflict as error:
        return body, {"unexplained": error.detail}
    unexplained = "" if explanation.body else COMPUTED
    return add_reasons(body, explanation, namesakes), {"unexplained": unexplained}


def requested_byes(
    tournament: Tournament, number: int, namesakes: Mapping[int, str]
) -> list[dict[str, Any]]:
    """Return the requested byes of a round by pairing number; one query."""
    byes = tournament.byes.filter(round=number).order_by("entry__pairing_number")
    player = ("entry__pairing_number", "entry__player_id", "entry__player__name")
    rows = rows_as_dicts(byes, "pk", "kind", "reason", *player)
    for row in rows:
        name = namesakes.get(row["entry__player_id"], row["entry__player__name"])
        row["name"] = f"{row['entry__pairing_number'] or '–'} {name}"
    return rows


def count_missing_players(this_round: Round) -> int:
    """Return how many players have not checked in for a round that is not published."""
    if this_round.state not in UNPUBLISHED:
        return 0
    return absent_entries(this_round.tournament, this_round.number).count()


def describe_final(this_round: Round, boards: int) -> str:
    """Return what the boards of the last stage of a knockout are; empty in other rounds."""
    tournament = this_round.tournament
    options = tournament.system_options
    if PAIRING_SYSTEMS[tournament.system].draw_bracket is None or not boards:
        return ""
    if this_round.number <= tournament.rounds - BEST_OF.read_number(options):
        return ""
    if not THIRD_PLACE.read(options):
        return gettext("This is the final.")
    two = gettext("Board 1 is the final, board 2 the game for third place.")
    return two if boards == 2 else ""  # when one of them is decided, the other has board 1


def _turns_lost(boards: Sequence[int]) -> str:
    """Return what becomes of the turns on these boards when their pairings are withdrawn."""
    if not boards:
        return ""
    pattern = ngettext(
        "Turns are entered in %(games)s game, on board %(boards)s. It cannot go on then; it goes on"
        " from its turns if these pairings are restored.",
        "Turns are entered in %(games)s games, on boards %(boards)s. They cannot go on then; they"
        " go on from their turns if these pairings are restored.",
        len(boards),
    )
    return pattern % {"games": len(boards), "boards": ", ".join(map(str, boards))}


def unpaired_names(this_round: Round, namesakes: Mapping[int, str]) -> list[str]:
    """Return who has neither a board nor a bye in a round, by number; one query.

    Nobody in a knockout, whose losers are out. The names are those of accepted entries.
    """
    tournament = this_round.tournament
    if PAIRING_SYSTEMS[tournament.system].draw_bracket or this_round.state == Round.State.PLANNED:
        return []
    paired = this_round.pairings.filter(version=this_round.version)
    expected = numbered_entries(tournament).filter(
        state=Entry.State.ACCEPTED, first_round__lte=this_round.number
    )
    without_first = expected.exclude(pk__in=paired.values("first"))
    unpaired = without_first.exclude(pk__in=paired.filter(second__isnull=False).values("second"))
    return numbered_names(unpaired, namesakes)


def with_names(
    tournament: Tournament, items: Sequence[Mapping[str, Any]], bye: Mapping[str, Any] | None
) -> list[dict[str, Any]]:
    """Return what a check has found, with the numbers and names of its players; two queries."""
    players = [
        item.get("numbers", ()) or ([bye["number"]] if bye and item["code"] == "odd_number" else ())
        for item in items
    ]
    numbers = {number for row in players for number in row}
    names = names_by_number(tournament, numbers, namesakes_in(tournament) if numbers else {})
    return [
        {**item, "names": [names.get(number, str(number)) for number in row]}
        for item, row in zip(items, players, strict=True)
    ]


def _place(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return who plays where, and with which handicap; the first value is the first entry."""
    second, applied = row["second"], row["applied"]
    return (
        row["first"]["id"],
        second and second["id"],
        row["board"],
        row["kind"],
        applied and applied["handicap_text"],
    )


def _with_picks(row: dict[str, Any]) -> dict[str, Any]:
    """Return a pairing with what a form sends for each of its players."""
    return row | {"picks": {seat: pick_of(row, seat) for seat in ("first", "second")}}
