"""Change the settings of an event, section by section."""

from dataclasses import replace
from functools import partial
from typing import Any

from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.forms import FormState
from games.core.page_actions import PageAction
from tournament.core.locking import tournament_target
from tournament.core.pages import RunPage, event_action, quoted_tag
from tournament.events.serializers import TournamentChangeSerializer
from tournament.events.settings_form import SECTIONS, section_fields, settings_body
from tournament.events.views import TournamentView
from tournament.models import Round, Tournament
from tournament.standings.tiebreaks import TIEBREAKS


class SetupPage(RunPage):
    template = "tournament/run/setup.html"
    section = "setup"
    actions = {
        "edit": PageAction(
            TournamentView,
            gettext_noop("The settings are stored."),
            method="patch",
            body=settings_body,
            serializer=partial(TournamentChangeSerializer, partial=True),
        ),
        "create": PageAction(TournamentView, gettext_noop("The event is created."), method="get"),
    }

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return the sections with their fields, and whether the settings can change."""
        values = TournamentChangeSerializer(tournament).data
        sent = self.form.typed.get("section")
        sections = []
        for section in SECTIONS:
            state = self.form if section.key == sent else FormState()
            fields = section_fields(section, values, state)
            prefix = "" if section.key == sent else f"{section.key}-"
            controls = [replace(field, prefix=prefix) for field in fields.values()]
            is_open = section.has_rare_errors(state)
            sections.append({"section": section, "fields": controls, "is_open": is_open})
        return {
            "sections": sections,
            "sent": sent,
            "tiebreaks": list(TIEBREAKS),
            "allowed": event_action(request, tournament, "edit"),
            "if_match": quoted_tag(tournament_target(tournament)),
        }
