"""Create an event from a file, a TRF or a bundle; and the files and the calendar of an event.

The preview of a TRF keeps its text in the form, so that the file is selected once; a bundle is not
text and is selected again. A large file is imported by a task, which the page then shows.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.conf import settings
from django.db.models import F
from django.http import QueryDict
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from games.core.errors import ApiError
from games.core.formats import BodyTooLarge
from games.core.forms import Form, FormField, form_fields
from games.core.pages import PageView
from games.core.permissions import require_account
from games.core.requests import is_flag_set
from games.core.uploads.pages import (
    TextForm,
    chosen_by_place,
    find_own_task,
    query_of_form,
    sent_text,
)
from games.rules.registry import FIRST_GAME
from games.rules.text import Text
from ratings.models import Pool
from tournament.core.pages import EventPage
from tournament.events.settings_form import game_choices, setting_labels, system_choices
from tournament.exchange.serializers import TrfSettingsSerializer
from tournament.exchange.views import ImportBundle, ImportTrf
from tournament.models import Tournament

IMPORT_FIELDS: Final = ("ruleset", "board_size", "system", "system_options", "name", "slug",
                        "starts_on", "ends_on", "tiebreaks", "pool", "rated", "public",
                        "players")  # fmt: skip


class ImportPage(TextForm, PageView):
    template = "tournament/exchange/import.html"
    actions = {
        "trf": Form(ImportTrf, text="file"),
        "bundle": Form(ImportBundle, text="bundle"),
    }
    chosen = ""

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Import or preview a file, with the settings of the form as those of the address."""
        name = request.POST.get("action", "")
        if name == "trf":
            try:
                self.sent_text = sent_text(request)
            except ApiError as error:
                self.form = self.refused_text(request, name, error)
                return self.page(self.context(request, **address), status=error.status)
            content = self.sent_text.encode()
            self.chosen = chosen_players(request.POST)
            self.query = query_of_form(request, IMPORT_FIELDS)
            if self.chosen:
                self.query["players"] = self.chosen
        else:
            sent = request.FILES.get(name)
            if sent and (sent.size or 0) > settings.LARGEST_BUNDLE:
                raise BodyTooLarge(
                    Text("a file has at most %(most)s bytes", most=settings.LARGEST_BUNDLE)
                )
            content = sent.read() if sent else b""
            self.query = {}
        if content.strip():
            self.sent = content
        return super().post(request, **address)

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the settings of a TRF, and the progress of an import that the address names."""
        account = require_account(request, "tournament.create")
        return {
            "fields": self._fields(),
            "text": self.sent_text,
            "encodings": self.encodings,
            "task": find_own_task(request),
            "is_preview": is_flag_set(request, "dry_run"),
            "can_import_bundle": account.acts_as_staff,
            "problems": [
                {**problem, "number": str(problem["pointer"]).rpartition("/")[2]}
                for problem in self.form.problems
                if problem.get("candidates")
            ],
        }

    def _fields(self) -> list[FormField]:
        fields = form_fields(
            TrfSettingsSerializer(),
            IMPORT_FIELDS,
            values={"ruleset": FIRST_GAME, "rated": True, "public": True},
            state=self.form,
            action="trf",
        )
        pools = tuple(Pool.objects.order_by("code").values_list("code", "name"))
        choices: Mapping[str, Any] = {
            "ruleset": game_choices(),
            "system": system_choices(),
            "pool": pools,
        }
        labels = setting_labels()
        shown = []
        for name, field in fields.items():
            field = replace(field, label=labels.get(name, field.label))
            if name in choices:
                field = replace(field, kind="select", choices=choices[name])
            if name == "players":
                field = replace(field, value=self.chosen, longest=None)
            if name != "players" or self.chosen:
                shown.append(field)
        return shown


def chosen_players(form: QueryDict) -> str:
    """Return who the ambiguous players are, as the API's parameter: those typed, those chosen."""
    chosen = dict(
        part.strip().partition(":")[::2] for part in form.get("players", "").split(",") if part
    )
    chosen |= chosen_by_place(form)
    return ",".join(f"{number}:{player}" for number, player in chosen.items())


class ExportsPage(EventPage):
    """All files that anyone who sees the event can save or print."""

    template = "tournament/exchange/exports.html"
    public_read = "slug"
    tab = "exports"

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the numbers of the rounds that have a certificate."""
        certified = tournament.certificates.filter(version=F("round__version"))
        return {"certified": set(certified.values_list("round__number", flat=True))}


class CalendarPage(EventPage):
    """The days of the event, and the address to subscribe to."""

    template = "tournament/exchange/calendar.html"
    public_read = "slug"
    tab = "calendar"

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the rounds that have a date."""
        dated = [this_round for this_round in self.event_frame["rounds"] if this_round.starts_on]
        return {
            "dated": dated,
            "file": request.build_absolute_uri(
                f"/api/v1/tournaments/{tournament.slug}/calendar.ics"
            ),
        }
