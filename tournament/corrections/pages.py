"""The corrections of an event: preview and commit one, read what each did, undo it."""

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.forms import FormState, form_fields
from games.core.page_actions import Form
from games.models import Account
from ratings.core.serializers import ReasonSerializer
from tournament.core.pages import RunPage, event_action
from tournament.corrections.queries import (
    correction_as_json,
    correction_with_effect,
    load_corrections,
)
from tournament.corrections.serializers import CorrectedItemSerializer, CorrectionRequestSerializer
from tournament.corrections.views import (
    CommitCorrection,
    PreviewCorrection,
    PreviewUndo,
    UndoCorrection,
    correction_of,
)
from tournament.models import Correction, Round, Tournament
from tournament.pages.run.correction_body import CLEARED, correction_body
from tournament.pages.run.player_numbers import with_errors_by_line
from tournament.services.corrections.requests import CORRECTED_BYES, CORRECTED_ENTRY_FIELDS


class CorrectionsPage(RunPage):
    template = "tournament/run/corrections.html"
    section = "corrections"
    actions = {
        "preview": Form(PreviewCorrection, body=correction_body),
        "commit": Form(CommitCorrection, body=correction_body),
    }

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
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
                correction_as_json(row)
                | {"name": name_of(row.by), "counts_for": row.get_scope_display()}
                for row in corrections
            ][::-1],
            "results": typed.get("results") or _first_line(request),
            "byes": CORRECTED_BYES,
            "values": [(field, typed.get(f"entry.{name}", "")) for name, field in fields.items()],
            "typed_bye": {
                name: typed.get(f"bye.{name}", "") for name in ("number", "round", "bye")
            },
            "typed_number": typed.get("entry.number", ""),
            "clearable": [
                (name, fields[name].label, name in typed.get("entry.clear[]", ()))
                for name in CLEARED
            ],
            "fields": form_fields(
                CorrectionRequestSerializer(), ["scope", "reason"], state=self.form
            ),
            "scopes": Correction.Scope.choices,
            "resent": resent(self.form),
        }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the correction that was committed."""
        return f"{request.path}/{content['number']}?done=commit"


class CorrectionPage(RunPage):
    template = "tournament/run/correction.html"
    section = "corrections"
    actions = {
        "preview": Form(PreviewUndo),
        "undo": Form(UndoCorrection),
        "commit": Form(CommitCorrection),
    }

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return a correction, what it did, and the form that undoes it."""
        correction = correction_of(tournament, address["correction"])
        return {
            "allowed": {"correct": event_action(request, tournament, "correct")},
            "correction": correction_with_effect(tournament, correction, is_official=True),
            "name": name_of(correction.by),
            "counts_for": correction.get_scope_display(),
            "fields": form_fields(ReasonSerializer(), ["reason"], state=self.form),
            "resent": resent(self.form),
        }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the correction that undoes this one."""
        number = content["number"]
        return f"/e/{address['slug']}/run/corrections/{number}?done={name}"


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
    query = request.query_params
    parts = [query.get(name, "") for name in ("round", "board")]
    return " ".join(part for part in parts if part.isascii() and part.isdigit()) + " "
