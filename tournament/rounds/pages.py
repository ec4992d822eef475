"""The pages of a round: its pairings, a board of it, and all that its directors do with it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import Conflict, NotFound
from games.core.forms import Form, Undo, form_fields
from games.core.requests import is_flag_set, requested_choice
from games.core.tables.html import FindLink, Links, table_context
from games.play.pages import GamePage, ReportsPage
from games.play.queries import rows_as_dicts
from games.rules.text import Text
from tournament.core.lookup import UNPUBLISHED, allowed_round_actions, round_of, visible_round
from tournament.core.pages import (
    EventPage,
    RunPage,
    actions_by_name,
    findings_with_names,
    names_by_number,
    quoted_tag,
    with_errors_by_line,
)
from tournament.core.targets import round_target
from tournament.core.violations import codes_of, find_violations
from tournament.entries.byes import possible_byes
from tournament.entries.queries import absent_entries
from tournament.entries.views import CancelBye, GrantBye
from tournament.models import Correction, Pairing, Round, Tournament
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.rounds.explanations import add_reasons, explain_pairings
from tournament.rounds.forms import (
    bye_body,
    give_byes,
    hand_body,
    hand_lines,
    pair_players,
    pick_of,
    set_handicap,
    swap_boards,
    swap_players,
)
from tournament.rounds.queries import (
    count_games_by_round,
    load_pairings,
    load_versions,
    pairings_as_json,
    pairings_of_version,
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
from tournament.rounds.views import (
    ChangeBoards,
    CheckRound,
    CompleteRound,
    ExplainTwo,
    PairRound,
    PublishRound,
    ReopenRound,
    RestoreVersion,
    ScheduleRound,
    SetPairings,
    UnpairRound,
)


class RoundPage(EventPage):
    """The pairings; a form asks why two players do not meet."""

    template = "tournament/rounds/round.html"
    public_read = "slug"
    tab = "rounds"
    actions = {"explain": Form(ExplainTwo)}

    def content(
        self, request: Request, tournament: Tournament, frame: dict[str, Any], **address: Any
    ) -> dict[str, Any]:
        """Return the table of the pairings, and the reader's own one."""
        this_round = visible_round(request, tournament, address["number"])
        pairings = load_pairings(this_round)
        order = requested_choice(request, "by", ("board", "name"))
        build = pairings_document if order == "board" else pairings_by_name_document
        document = build(this_round, pairings, points_before(this_round))
        own = frame["own_entry"].pk if frame["own_entry"] else None
        base = f"/e/{tournament.slug}"
        here = f"{base}/rounds/{this_round.number}"

        def is_own(record: Mapping[str, Any]) -> bool:
            player = record.get("player")
            players = [player] if player else [record["first"], record["second"]]
            return own in [found["entry"] for found in players if found]

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
        results = [(p.result, p.adjourned) for p in pairings if p.second]
        returns = [found for pairing in pairings if (found := pairing.return_game)]
        results += [(found["result"], found["adjourned"]) for found in returns]
        return {
            "this_round": this_round,
            "order": order,
            "document": document,
            "missing": sum(not result and not adjourned for result, adjourned in results),
            "results": len(results),
            "own_pairing": next((p for p in pairings if own and is_own(p.as_json())), None),
            "compares_alternatives": PAIRING_SYSTEMS[tournament.system].compares_alternatives,
            "fields": form_fields(ExplainRequestSerializer(), ("first", "second"), state=self.form),
            **table_context(document, links=links, is_marked=is_own if own else None),
        }


class BoardPage(EventPage):
    """A pairing by its board, or a bye by the pairing number of its player."""

    template = "tournament/rounds/board.html"
    public_read = "slug"
    tab = "rounds"

    def content(
        self, request: Request, tournament: Tournament, frame: dict[str, Any], **address: Any
    ) -> dict[str, Any]:
        """Return the pairing with the reasons of the engine, as far as there are any."""
        number = address["number"]
        this_round = visible_round(request, tournament, number)
        body = pairings_as_json(this_round)
        body, unexplained = with_reasons(this_round, body, request)
        self.is_final = unexplained != "computed"
        if "board" in address:
            found = [p for p in body["pairings"] if p["board"] == address["board"]]
        else:
            player = address["player"]
            byes = [p for p in body["pairings"] if p["second"] is None]
            found = [p for p in byes if p["first"]["number"] == player]
        if not found:
            raise NotFound(
                "not_found", Text("round %(number)s has no such board or bye", number=number)
            )
        boards = [p["board"] for p in body["pairings"] if p["board"]]
        return {
            "this_round": this_round,
            "pairing": found[0],
            "corrections": corrections_of(tournament, found[0]),
            "unexplained": unexplained,
            "previous": max((b for b in boards if b < (found[0]["board"] or 0)), default=None),
            "following": min((b for b in boards if b > (found[0]["board"] or 0)), default=None),
        }


def corrections_of(tournament: Tournament, pairing: Mapping[str, Any]) -> list[Correction]:
    """Return the corrections in force that changed the games of a pairing."""
    games = [pairing["game"], (pairing["return_game"] or {}).get("game")]
    return corrections_of_games(tournament.slug, [game for game in games if game is not None])


def corrections_of_games(slug: str, games: Collection[int]) -> list[Correction]:
    """Return the corrections in force that changed any of these games of an event, each once."""
    by_game = Correction.objects.filter(tournament__slug=slug).by_game() if games else {}
    found = {row.pk: row for game in games for row in by_game.get(game, ())}
    return sorted(found.values(), key=lambda row: row.number)


class EventGamePage(GamePage):
    """The page of a game; one of an event says when and why its result was corrected."""

    template = "tournament/rounds/game.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the game, and the corrections in force that changed it."""
        context = super().context(request, **address)
        game = context["game"]
        event = event_of(game)
        corrections = corrections_of_games(event.slug, [game["id"]]) if event else []
        return context | {"event": event, "corrections": corrections}


class EventReportsPage(ReportsPage):
    """The reports of a game; their times are those at the place of its event."""

    def context(self, request: Request, game_id: int = 0, **address: Any) -> dict[str, Any]:
        """Return the reports, and the event of the game if it has one."""
        context = super().context(request, game_id, **address)
        return context | {"event": event_of(context["game"])}


def event_of(game: Mapping[str, Any]) -> Tournament | None:
    """Return the event of a game, as JSON, for the time zone of its times; None without one."""
    place = game["tournament"]
    events = Tournament.objects.only("slug", "time_zone")
    return events.filter(slug=place["slug"]).first() if place else None


CHANGES = {
    "swap": swap_players,
    "swap-boards": swap_boards,
    "bye": give_byes,
    "seat": pair_players,
    "handicap": set_handicap,
}
BY_HAND: Final = "by-hand"
CHANGE_LABELS: Final = {
    "swap": _("Swap the two players"),
    "swap-boards": _("Swap the two boards"),
    "bye": _("Give them this bye"),
    "seat": _("Pair the two at a new board"),
}


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
        "schedule": Form(ScheduleRound),
        "explain": Form(ExplainTwo),
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

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return the round, its boards, what can be done with it, and its versions."""
        this_round = round_of(tournament, address["number"])
        if self.form.action == BY_HAND:
            self.form = with_errors_by_line(self.form, items="pairings", lines="lines")
        if self.form.accept:
            detail = gettext("The round breaks rules; accept this below, or change the boards.")
            self.form = replace(self.form, detail=detail)
        violations = find_violations(this_round)
        body = pairings_as_json(this_round)
        unexplained = ""
        if is_flag_set(request, "explain"):
            body, unexplained = with_reasons(this_round, body, request)
        version = request.query_params.get("version", "")
        is_version = version.isascii() and version.isdigit() and len(version) < 6
        shown_version = pairings_of_version(this_round, int(version)) if is_version else None
        rows = [_with_picks(row) for row in body["pairings"]]
        boards = [row for row in rows if row["second"]]
        return {
            "round": this_round,
            "allowed": actions_by_name(allowed_round_actions(request, this_round)),
            "if_match": quoted_tag(round_target(this_round)),
            "rows": rows,
            "boards": boards,
            "next_board": len(boards) + 1,
            "count": count_games_by_round(tournament).get(this_round.number),
            "requested_byes": requested_byes(tournament, this_round.number),
            "bye_kinds": possible_byes(tournament, this_round.number),
            "shown_version": shown_version,
            "violations": findings_with_names(tournament, violations),
            "violation_codes": codes_of(violations),
            "versions": load_versions(this_round)[::-1],
            "unexplained": unexplained,
            "missing_players": count_missing_players(this_round),
            "change_labels": CHANGE_LABELS,
            "hand_lines": self.form.typed.get("lines") or hand_lines(body["pairings"]),
            "fields": self._fields(this_round),
        }

    def _fields(self, this_round: Round) -> dict[str, Any]:
        """Return the fields of the forms, by action and name."""
        state = self.form
        reason = RoundActionSerializer()
        start: dict[str, Any] = {
            "starts_on": this_round.starts_on if this_round.start_time is None else None
        }
        if this_round.starts_at:
            start["starts_at"] = this_round.starts_at.strftime("%Y-%m-%dT%H:%M")
        return {
            **{
                name: form_fields(reason, ["reason"], state=state, action=name)
                for name in ("unpair", "reopen", "pair")
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
            "schedule": form_fields(
                RoundRequestSerializer(),
                ["starts_at", "starts_on"],
                values=start,
                state=state,
                action="schedule",
            ),
            "handicap": form_fields(
                BoardRequestSerializer(), ["handicap"], state=state, action="handicap"
            ),
            "byes": [kind for kind in Pairing.Kind.values if kind not in ("game", "free")],
        }

    def page(self, context: Mapping[str, Any], *, status: int = 200) -> Response:
        """Return the page; the preview of a change lists the boards that would change."""
        preview = context.get("preview")
        if preview and "pairings" in preview:
            before = {_place(row): row for row in context["rows"]}
            changed = [row for row in preview["pairings"] if _place(row) not in before]
            context = {**context, "changed_boards": changed}
        if preview and self.form.action == "check":
            items = with_names(context["event"], preview["items"], preview["bye"])
            context = {**context, "preview": {**preview, "items": items}}
        context = {**context, **self._resent()}
        return super().page(context, status=status)

    def _resent(self) -> dict[str, Any]:
        """Return what the form of a change has sent: to confirm it, or to try again."""
        names = ("pick[]", "reason", "bye", "board", "accept[]", "lines")
        sent = self.form.typed if self.form.action in {*CHANGES, BY_HAND} else {}
        lists = {name: sent[name] for name in names if name in sent}
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


def game_address(record: Mapping[str, Any]) -> str:
    """Return the address of the game of a pairing, empty without one."""
    return f"/games/{record['game']}" if record["game"] else ""


def with_reasons(
    this_round: Round, body: dict[str, Any], request: Request
) -> tuple[dict[str, Any], str]:
    """Return the pairings with their reasons, or why there are none."""
    try:
        explanation = explain_pairings(this_round, by=request.user)
    except Conflict as error:
        return body, error.detail
    return add_reasons(body, explanation), "" if explanation.body else "computed"


def requested_byes(tournament: Tournament, number: int) -> list[dict[str, Any]]:
    """Return the requested byes of a round by pairing number; one query."""
    byes = tournament.byes.filter(round=number).order_by("entry__pairing_number")
    columns = ("pk", "kind", "reason", "entry__pairing_number", "entry__player__name")
    return rows_as_dicts(byes, *columns)


def count_missing_players(this_round: Round) -> int:
    """Return how many players have not checked in for a round that is not published."""
    if this_round.state not in UNPUBLISHED:
        return 0
    return absent_entries(this_round.tournament, this_round.number).count()


def with_names(
    tournament: Tournament,
    items: Sequence[Mapping[str, Any]],
    bye: Mapping[str, Any] | None,
) -> list[dict[str, Any]]:
    """Return what a check has found, with the numbers and names of its players; one query."""
    players = [
        item.get("numbers", ()) or ([bye["number"]] if bye and item["code"] == "odd_number" else ())
        for item in items
    ]
    names = names_by_number(tournament, {number for row in players for number in row})
    return [
        {**item, "names": [names.get(number, str(number)) for number in row]}
        for item, row in zip(items, players, strict=True)
    ]


def _place(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return who plays where, and with which handicap; the first value is the first entry."""
    second, applied = row["second"], row["applied"]
    return (
        row["first"]["entry"],
        second and second["entry"],
        row["board"],
        row["kind"],
        applied and applied["handicap"],
    )


def _with_picks(row: dict[str, Any]) -> dict[str, Any]:
    """Return a pairing with what a form sends for each of its players."""
    return row | {"picks": {seat: pick_of(row, seat) for seat in ("first", "second")}}
