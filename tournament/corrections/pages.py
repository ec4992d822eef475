"""The corrections of an event: preview and commit one, read what each did, undo it.

A form names games by round and board, players by number. A line of results is the round, the board
and the right result, as in `2 5 0-1`; `2 5r 7-14` is the return game, and `2 5 annulled` annuls a
game. A score is the count of the board: the points of a handicap are counted afterwards.
`entry.clear` names values of an entry that become empty; one that is given as well counts.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import Unprocessable
from games.core.forms import Form, FormState, form_fields, typed_members
from games.core.namesakes import tell_apart
from games.core.tables.text import printable
from games.models import Account, Game
from games.play.outcomes import final_result, full_result
from games.rules.records.json_form import handicap_text
from games.rules.text import Text
from ratings.core.serializers import ReasonSerializer
from tournament.core.pages import (
    EventPage,
    RunPage,
    entry_of_number,
    event_action,
    public_reason,
    with_errors_by_line,
)
from tournament.core.queries import find_tournament, numbered_entries, numbered_names
from tournament.corrections.changes import CORRECTED_BYES, CORRECTED_ENTRY_FIELDS
from tournament.corrections.queries import (
    Place,
    correction_as_json,
    correction_with_effect,
    describe_corrections,
    games_at,
    load_corrections,
)
from tournament.corrections.serializers import (
    MOST_CHANGES,
    CorrectedItemSerializer,
    CorrectionRequestSerializer,
)
from tournament.corrections.views import CommitCorrection, UndoCorrection, correction_of
from tournament.entries.queries import namesakes_in
from tournament.models import Correction, Tournament
from tournament.results.lines import RETURN, Errors
from tournament.results.queries import examples_of_results

FormValues = dict[str, Any]
ANNULLED: Final = Game.State.ANNULLED.value
CORRECTION_LINE: Final = re.compile(
    r"(\d{1,3})[\s;,:/]+(\d{1,5})(r?)[\s;,:]+(\S.{0,39})", re.ASCII | re.I
)
CLEARED: Final[Mapping[str, Any]] = {
    name: None if field.allow_null else ""
    for name, field in CorrectedItemSerializer().fields.items()
    if name in CORRECTED_ENTRY_FIELDS and (field.allow_null or getattr(field, "allow_blank", False))
}
"""The values of an entry that can be cleared, and what they are then."""


def correction_body(form: FormValues, address: Mapping[str, Any]) -> FormValues:
    """Return the body; raises Unprocessable for what names no game or player of the event."""
    tournament = find_tournament(f"tournament/{address['slug']}")
    changes, errors = _results(tournament, str(form.get("results", "")))
    for name in ("bye", "entry"):
        try:
            if change := _change_of_entry(tournament, form.get(name), name):
                changes.append(change)
        except Unprocessable as error:
            errors += error.errors
    if errors:
        raise Unprocessable(errors[0]["code"], errors[0]["detail"], errors)
    if not changes:
        raise Unprocessable("missing", Text("correct at least one result, bye or entry"))
    names = ("scope", "reason", "digest", "accept")
    sent = {name: form[name] for name in names if name in form}
    return {"changes": changes, **sent}


def _results(tournament: Tournament, text: str) -> tuple[list[FormValues], Errors]:
    """Return the change of each line that names a game, and the errors of the others."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    found = [(number, CORRECTION_LINE.fullmatch(line)) for number, line in lines if line]
    if len(found) > MOST_CHANGES:
        detail = Text("a correction has at most %(most)s changes", most=MOST_CHANGES)
        return [], [{"code": "too_many", "pointer": "/results", "detail": detail}]
    places: dict[int, Place] = {
        number: (int(read[1]), int(read[2]), read[3].lower() == RETURN)
        for number, read in found
        if read
    }
    games = games_at(tournament, places.values())
    of_places = Game.objects.in_bulk(games.values())
    changes: list[FormValues] = []
    errors: Errors = []
    for number, read in found:
        if read and places[number] in games:
            game = of_places[games[places[number]]]
            is_annulled = read[4].casefold() == str(Game.State.ANNULLED.label).casefold()
            typed = ANNULLED if is_annulled else full_result(printable(read[4]))
            result = final_result(game, typed)
            changes.append({"game_id": game.pk, "result": result})
            continue
        detail = (
            Text(
                "round %(number)s has no game at board %(board)s%(letter)s",
                number=read[1],
                board=read[2],
                letter=read[3],
            )
            if read
            else Text("this is not a round, a board and a result, such as 2 5 1")
        )
        error = {"code": "unreadable", "pointer": "/results", "line": number, "detail": detail}
        errors.append(error)
    return changes, errors


def _change_of_entry(tournament: Tournament, sent: Any, name: str) -> FormValues | None:
    """Return the change of the player with a pairing number; None if the form names none."""
    values = dict(sent) if isinstance(sent, dict) else {}
    number = str(values.pop("number", "")).strip()
    if not number:
        return None
    entry = entry_of_number(tournament, number, at=f"/{name}/number")
    cleared = values.pop("clear", ())
    values = {str(value): CLEARED.get(value, "") for value in cleared} | values
    return {**typed_members(CorrectedItemSerializer(), values), "entry_id": entry}


class PreviewPage(RunPage):
    """A page that previews a correction, in which namesakes are told apart."""

    def page(self, context: Mapping[str, Any], *, status: int = 200) -> Response:
        """Return the page of a context."""
        if "preview" in context:
            preview = tell_apart(context["preview"], namesakes_in(context["event"]))
            context = {**context, "preview": preview}
        return super().page(context, status=status)


class CorrectionsPage(PreviewPage):
    template = "tournament/corrections/run_corrections.html"
    section = "corrections"
    actions = {
        "commit": Form(CommitCorrection, body=correction_body),
    }

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the corrections so far, the fields of a new one, and what a preview resends."""
        self.form = with_field_names(self.form)
        if self.form.code == "advance_changes":
            detail = gettext(
                "Other players should have advanced; preview the effect again and accept this, or"
                " unpair the later rounds first."
            )
            self.form = replace(self.form, detail=detail)
        typed = self.form.typed
        fields = form_fields(CorrectedItemSerializer(), CORRECTED_ENTRY_FIELDS)
        corrections = load_corrections(tournament).select_related("undoes", "undone_by", "by")
        return {
            "allowed": {"correct": event_action(request, tournament, "correct")},
            "corrections": [
                {
                    **correction_as_json(tournament, row),
                    "name": name_of(row.by),
                    "counts_for": row.get_scope_display(),
                }
                for row in corrections
            ][::-1],
            "results": typed.get("results") or _first_line(request),
            "numbered_names": numbered_names(
                numbered_entries(tournament), namesakes_in(tournament)
            ),
            "byes": CORRECTED_BYES,
            "values": [(field, typed.get(f"entry.{name}", "")) for name, field in fields.items()],
            "typed_bye": {
                name: typed.get(f"bye.{name}", "") for name in ("number", "round", "bye")
            },
            "typed_number": typed.get("entry.number") or _digits(request, "entry"),
            "clearable": [
                (name, fields[name].label, name in typed.get("entry.clear[]", ()))
                for name in CLEARED
            ],
            "fields": form_fields(
                CorrectionRequestSerializer(), ["scope", "reason"], state=self.form
            ),
            "scopes": Correction.Scope.choices,
            "resent": resent(self.form),
            "handicaps": handicaps_of_games(tournament),
            **examples_of_results(tournament),
        }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the correction that was committed."""
        return f"{request.path}/{content['number']}?done=commit"


class PublicCorrectionsPage(EventPage):
    """The corrections for everybody, the last one first: what they changed, when and why."""

    template = "tournament/corrections/corrections.html"
    public_read = "slug"
    tab = "corrections"

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the corrections with their changes, without personal values."""
        found = describe_corrections(tournament, load_corrections(tournament))
        found = tell_apart(found, namesakes_in(tournament))
        return {"corrections": found[::-1]}


class CorrectionPage(PreviewPage):
    template = "tournament/corrections/run_correction.html"
    section = "corrections"
    actions = {
        "undo": Form(UndoCorrection),
        "commit": Form(CommitCorrection),
    }

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return a correction, what it did, and the form that undoes it."""
        correction = correction_of(tournament, address["correction"])
        return {
            "allowed": {"correct": event_action(request, tournament, "correct")},
            "correction": tell_apart(
                correction_with_effect(tournament, correction, is_official=True),
                namesakes_in(tournament),
            ),
            "name": name_of(correction.by),
            "counts_for": correction.get_scope_display(),
            "fields": public_reason(form_fields(ReasonSerializer(), ["reason"], state=self.form)),
            "resent": resent(self.form),
            "handicaps": handicaps_of_games(tournament),
            **examples_of_results(tournament),
        }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the correction that undoes this one."""
        number = content["number"]
        return f"/e/{address['slug']}/run/corrections/{number}?done={name}"


def handicaps_of_games(tournament: Tournament) -> dict[int, str]:
    """Return the handicaps of the games that have one; one query."""
    if tournament.handicaps == Tournament.Handicaps.NONE:
        return {}
    games = Game.objects.filter(stream=tournament.stream).exclude(handicap=None)
    return {game: handicap_text(found) for game, found in games.values_list("pk", "handicap")}


def name_of(account: Account | None) -> str:
    """Return the name of an account for its event's officials."""
    return account.name if account else ""


def resent(form: FormState) -> list[tuple[str, str]]:
    """Return what the form that commits a preview sends again."""
    names = [name for name in form.typed if name not in ("action", "digest", "accept[]")]
    return [
        (name, value)
        for name in names
        for value in (form.typed[name] if name.endswith("[]") else [form.typed[name]])
    ]


def with_field_names(form: FormState) -> FormState:
    """Return a rejected form with its errors by the fields of the page, which has one for all."""
    form = with_errors_by_line(form, items="changes", lines="results")
    errors: dict[str, tuple[str, ...]] = {}
    for name, messages in form.errors.items():
        field = "results" if name.startswith("changes") else name
        errors[field] = (*errors.get(field, ()), *messages)
    return replace(form, errors=errors)


def _first_line(request: Request) -> str:
    """Return the begin of a line, if a link names the round and the board."""
    parts = [_digits(request, name) for name in ("round", "board")]
    return " ".join(part for part in parts if part) + " "


def _digits(request: Request, name: str) -> str:
    """Return the number that a link has for a parameter; an empty text for anything else."""
    text = request.query_params.get(name, "")
    return text if text.isascii() and text.isdigit() else ""
