"""Create an event in steps; each step shows the form again with what the other steps have.

The fields of all other steps are hidden fields, so that the whole form is one request that can be
validated at every step, without stored drafts.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.http import QueryDict
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import ApiError
from games.core.forms import FormField, FormState, rejected_form, typed_values
from games.core.page_actions import PageAction, PageRequest, perform
from games.core.pages import PageView, redirect
from games.core.requests import require_account
from games.rules.registry import FIRST_GAME
from tournament.events.settings_form import (
    SECTIONS,
    section_fields,
    sections_with_errors,
    settings_body,
)
from tournament.events.views import TournamentList
from tournament.serializers.tournaments import TournamentSerializer
from tournament.standings.tiebreaks import TIEBREAKS

DAYS_AHEAD = timedelta(days=14)


class NewEventPage(PageView):
    template = "tournament/new_event.html"
    actions = {
        "create": PageAction(
            TournamentList,
            gettext_noop("The event is created."),
            body=settings_body,
            serializer=TournamentSerializer,
        )
    }
    step = 0

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the fields of the step, and those of the other steps, which are hidden."""
        require_account(request, "tournament.create")
        values = default_settings()
        fields = [section_fields(section, values, self.form) for section in SECTIONS]
        hidden = [
            field for index, others in enumerate(fields) if index != self.step
            for field in others.values()
        ]  # fmt: skip
        return {
            "sections": SECTIONS,
            "section": SECTIONS[self.step],
            "is_open": SECTIONS[self.step].has_rare_errors(self.form),
            "step": self.step,
            "tiebreaks": list(TIEBREAKS),
            "fields": fields[self.step],
            "hidden": [pair for field in hidden for pair in hidden_values(field)],
            "is_last": self.step == len(SECTIONS) - 1,
        }

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Show another step if the fields up to this one are right, or create the event."""
        assert isinstance(request, PageRequest)
        form = request._request.POST
        self.step = read_step(form.get("step", ""))
        following = form.get("go", "")
        self.form = FormState("create", typed_values(request._request))
        if following == "same":
            return self.page(self.context(request))
        if following != "create":
            request.query = QueryDict("dry_run=1")
        try:
            content = perform(self, request, self.actions["create"])
        except (ApiError, exceptions.ValidationError) as error:
            return self._rejected(request, error, following)
        if following != "create":
            self.step = read_step(following)
            return self.page(self.context(request))
        return redirect(f"/e/{content['slug']}/run/setup?done=create")

    def _rejected(
        self, request: Request, error: ApiError | exceptions.ValidationError, following: str
    ) -> Response:
        """Show the first step with an error; an error of a later step does not matter yet."""
        state = rejected_form(request._request, "create", error)
        if state.code == "slug_taken":
            detail = gettext("Another event has this name; add the year, or the place.")
            state = replace(state, detail=detail, errors={"name": (detail,)})
        wrong = sections_with_errors(SECTIONS, state)
        last = len(SECTIONS) - 1 if following == "create" else self.step
        if wrong and wrong[0] > last:
            self.step = read_step(following)
            return self.page(self.context(request))
        self.form = state
        self.step = wrong[0] if wrong else self.step
        status = error.status if isinstance(error, ApiError) else 422
        return self.page(self.context(request), status=status)


def default_settings() -> dict[str, Any]:
    """Return what most club events have."""
    first = timezone.localdate() + DAYS_AHEAD
    return {
        "starts_on": first.isoformat(),
        "ends_on": first.isoformat(),
        "time_zone": "UTC",
        "public": True,
        "game": FIRST_GAME,
        "board": "6",
        "swap": True,
        "games_per_pairing": 1,
        "increment_seconds": 0,
        "system": "dutch",
        "rounds": 5,
        "half_byes": 1,
        "missed_rounds": "zero",
        "initial_seat": "first",
        "check_in": "none",
        "forecast": "public",
        "seed_source": "given",
        "rated": False,
        "confirm_hours": 24,
        "handicaps": "none",
        "handicap_share": 100,
    }


def hidden_values(field: FormField) -> list[tuple[str, str]]:
    """Return the names and values of a field as the form sends it."""
    if field.kind == "checkboxes":
        return [(f"{field.name}[]", value) for value in field.value]
    is_flag = isinstance(field.value, bool)
    return [(field.name, str(field.value).lower() if is_flag else str(field.value))]


def read_step(text: str) -> int:
    """Return the number of a step; 0 for anything else."""
    return int(text) if text in map(str, range(len(SECTIONS))) else 0
