"""The pages that set up an event: create it, change its settings and points.

A new event is created in steps. The fields of all other steps are hidden fields, so that the whole
form is one request that can be validated at every step. The session keeps what was typed: each step
redirects to the next one, so that a reader may go back to it from any other page.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from games.core.errors import ApiError
from games.core.forms import Form, FormField, FormState, form_fields, rejected_form, typed_values
from games.core.pages import PageView, redirect, redirect_done
from games.core.permissions import DIRECTORS, current_account, find_refusals, require_account
from games.core.text import decimal_text
from games.models import Account
from games.models.streams import TOURNAMENT_STREAM
from games.rules.registry import FIRST_GAME, GAMES
from games.rules.text import restored, storable
from tournament.core.crosstable import point_system
from tournament.core.pages import RunPage, event_action, quoted_tag
from tournament.core.states import BEFORE_START
from tournament.core.targets import tournament_target
from tournament.events.round_numbers import find_round_numbers
from tournament.events.serializers import CopySerializer, TournamentChangeSerializer
from tournament.events.settings_form import (
    ANNOUNCEMENT,
    FIRST_ROUNDS,
    NEW_SECTIONS,
    SECTIONS,
    RankingField,
    Section,
    choices_that_follow,
    is_fixed,
    new_settings_body,
    pools_for,
    proposed_rating,
    section_fields,
    sections_with_errors,
    settings_body,
)
from tournament.events.views import (
    CopyTournament,
    CreateTournament,
    DeleteTournament,
    EditTournament,
)
from tournament.models import Entry, Tournament
from tournament.rounds.cautions import find_cautions

DAYS_AHEAD = timedelta(days=14)

MOST_TO_COPY: Final = 8
KEPT_EVENT: Final = "new_event"
"""The key of the session for a new event that is not created yet."""


class NewEventPage(PageView):
    template = "tournament/events/new_event.html"
    actions = {
        "create": Form(CreateTournament, body=new_settings_body, is_typed=True),
    }
    step = 0
    cautions: Sequence[Mapping[str, Any]] = ()

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Show a step, with what was typed so far."""
        if not self.form.action and (kept := request.session.get(KEPT_EVENT)):
            self.form = FormState("create", kept["typed"])
            self.cautions = restored(kept["cautions"])
        self.step = read_step(request.query_params.get("step", ""))
        return super().get(request, **address)

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the fields of the step, and those of the other steps, which are hidden."""
        account = require_account(request, "tournament.create")
        values = default_settings()
        if self.form.typed:  # it has the proposed pool, or another one
            values["pool"] = None
        fields = [section_fields(section, values, self.form) for section in NEW_SECTIONS]
        hidden = [
            field for index, others in enumerate(fields) if index != self.step
            for field in others.values()
        ]  # fmt: skip
        return {
            "sections": NEW_SECTIONS,
            "section": NEW_SECTIONS[self.step],
            "is_open": NEW_SECTIONS[self.step].has_rare_errors(self.form),
            "step": self.step,
            "cautions": self.cautions,
            "fields": fields[self.step],
            "round_numbers": find_round_numbers(self.form.typed or values),
            "hidden": [pair for field in hidden for pair in hidden_values(field)],
            "is_last": self.step == len(NEW_SECTIONS) - 1,
            "directed": directed_events(account)[:MOST_TO_COPY] if not self.step else (),
            "is_begun": KEPT_EVENT in request.session and not request.GET and not self.form.detail,
        }

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Show another step if the fields up to this one are right, or create the event."""
        form = request.POST
        if form.get("action") == "forget":
            request.session.pop(KEPT_EVENT, None)
            return redirect("/new")
        self.step = read_step(form.get("step", ""))
        following = form.get("go", "")
        self.form = _with_choices(FormState("create", typed_values(request)))
        if following == "same":
            return self._go(request, self.step)
        is_last = following == "create"
        try:
            content = self.perform(request, self.actions["create"], {}, dry_run=not is_last)
        except ApiError as error:
            return self._rejected(request, error, following)
        if not is_last:
            return self._go(request, read_step(following), content["warnings"])
        request.session.pop(KEPT_EVENT, None)
        return redirect_done(f"/e/{content['slug']}/run/setup?done=create")

    def _go(
        self, request: Request, step: int, cautions: Sequence[Mapping[str, Any]] = ()
    ) -> HttpResponseBase:
        """Keep what was typed, and redirect to a step."""
        kept = {"typed": dict(self.form.typed), "cautions": storable(cautions)}
        request.session[KEPT_EVENT] = kept
        return redirect(f"/new?step={step}")

    def _rejected(self, request: Request, error: ApiError, following: str) -> HttpResponseBase:
        """Show the first step with an error; an error of a later step does not matter yet."""
        state = _with_choices(rejected_form(request, "create", error))
        wrong = sections_with_errors(NEW_SECTIONS, state)
        last = len(NEW_SECTIONS) - 1 if following == "create" else self.step
        if wrong and wrong[0] > last:
            return self._go(request, read_step(following))
        self.form = state
        self.step = wrong[0] if wrong else self.step
        return self.page(self.context(request), status=error.status)


def _with_choices(state: FormState) -> FormState:
    """Return a form of a new event with what follows from its other choices."""
    following = choices_that_follow(state.typed) | proposed_rating(state.typed)
    return replace(state, typed={**state.typed, **following})


def directed_events(account: Account) -> "QuerySet[Tournament]":
    """Return the events that an account directs, the latest first."""
    held = account.roles.usable().filter(role__in=DIRECTORS)
    streams = held.filter(stream__startswith=TOURNAMENT_STREAM).values_list("stream", flat=True)
    slugs = [stream.removeprefix(TOURNAMENT_STREAM) for stream in streams]
    return Tournament.objects.filter(slug__in=slugs).order_by("-starts_on", "-pk")


def can_copy(request: Request, tournament: Tournament) -> bool:
    """Return whether the reader may make another event with the settings of this one."""
    user, token = current_account(request)
    permission = CopyTournament.permission
    return not find_refusals(user, token, [permission], stream=tournament.stream)[permission]


def default_settings() -> dict[str, Any]:
    """Return what most club events have; other settings have the defaults of their columns."""
    first = timezone.localdate() + DAYS_AHEAD
    event = Tournament(
        starts_on=first,
        ends_on=first,
        game=FIRST_GAME,
        board=GAMES[FIRST_GAME].first_board,
        system="dutch",
        rounds=FIRST_ROUNDS,
        time_zone=settings.SITE_TIME_ZONE,
    )
    values = dict(TournamentChangeSerializer(event).data)
    pool = next((pool.code for pool in pools_for(values)), "")
    return values | {"rated": bool(pool), "pool": pool}


def hidden_values(field: FormField) -> list[tuple[str, str]]:
    """Return the names and values of a field as the form sends it."""
    if isinstance(field.value, list):
        typed = [(field.name, field.codes)] if isinstance(field, RankingField) else []
        return [*((f"{field.name}[]", value) for value in field.value), *typed]
    is_flag = isinstance(field.value, bool)
    return [(field.name, str(field.value).lower() if is_flag else str(field.value))]


def _sent_values(fields: Iterable[FormField]) -> list[tuple[str, str]]:
    """Return what a form sends of fields, without what is empty."""
    return [pair for field in fields for pair in hidden_values(field) if pair[1]]


def read_step(text: str) -> int:
    """Return the number of a step; 0 for anything else."""
    return int(text) if text in map(str, range(len(SECTIONS))) else 0


class SetupPage(RunPage):
    template = "tournament/events/run_setup.html"
    section = "setup"
    actions = {
        "edit": Form(EditTournament, body=settings_body, is_typed=True),
        "create": Form(CreateTournament),
        "copy": Form(CopyTournament),
        "delete": Form(DeleteTournament),
    }

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the sections with their fields, and whether the settings can change."""
        values = TournamentChangeSerializer(tournament).data
        accepted = tournament.entries.filter(state=Entry.State.ACCEPTED)
        own = {"name": tournament.name}
        copied = form_fields(
            CopySerializer(), ["name", "slug", "starts_on"], values=own, state=self.form,
            action="copy",
        )  # fmt: skip
        return {
            "copied": copied.values() if can_copy(request, tournament) else (),
            "sections": self._sections(tournament, values),
            "round_numbers": find_round_numbers(values, accepted.count()),
            "is_before_start": tournament.state in BEFORE_START,
            "cautions": find_cautions(tournament),
            "allowed": event_action(request, tournament, "edit"),
            "deletion": event_action(request, tournament, "delete"),
            "if_match": quoted_tag(tournament_target(tournament)),
        }

    def _sections(self, tournament: Tournament, values: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the sections; those are open that have errors, or not what is stored."""
        is_draft = tournament.state == Tournament.State.DRAFT
        has_started = tournament.state not in BEFORE_START
        state = self.form if self.form.action == "edit" else FormState()
        usual: Sequence[Section] = NEW_SECTIONS if is_draft else SECTIONS
        without = ("currency",) if tournament.prizes else ()  # it is on their page, with them
        names = tuple(name for name in ANNOUNCEMENT.names if name not in without)
        sections = (usual[0], replace(ANNOUNCEMENT, names=names), *usual[1:])
        if has_started:  # a change of the ranking needs a reason
            sections = tuple(
                replace(each, names=(*each.names, "reason")) if "tiebreaks" in each.names else each
                for each in sections
            )
        wrong = sections_with_errors(sections, state)
        found = []
        for index, section in enumerate(sections):
            stored, fields = (
                list(
                    section_fields(
                        section, values, each, TournamentChangeSerializer, has_started=has_started
                    ).values()
                )
                for each in (FormState(), state)
            )
            fixed = [field for field in fields if has_started and is_fixed(field.name)]
            found.append(
                {
                    "section": section,
                    "fields": [field for field in fields if field not in fixed],
                    "fixed": fixed,
                    "is_open": index in wrong or _sent_values(fields) != _sent_values(stored),
                    "has_rare_errors": section.has_rare_errors(state),
                }
            )
        if not any(item["is_open"] for item in found):
            found[0]["is_open"] = True
        return found

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page, at its new address, or the list of events after a deletion."""
        if name == "delete":
            return "/events?done=delete"
        if name in ("edit", "copy"):
            return f"/e/{content['slug']}/run/setup?done={name}"
        return super().next_address(request, name, content, **address)


POINT_LABELS: Final[Mapping[str, Promise]] = {
    "win": _("Won game"),
    "draw": _("Drawn game"),
    "loss": _("Lost game"),
    "forfeit_win": _("Win by forfeit"),
    "forfeit_loss": _("Loss by forfeit"),
    "pairing_bye": _("Pairing-allocated bye"),
    "full_bye": _("Full-point bye"),
    "half_bye": _("Half-point bye"),
    "zero_bye": _("Zero-point bye"),
}
"""The members of a point system, for readers."""


def points_body(form: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the points of the fields `points.NAME`; the others follow from the games.

    A decimal comma and the sign ½ are read as well.
    """
    sent = form.get("points", {})
    if not isinstance(sent, dict):
        return {"points": sent}
    texts = {name: str(text).strip() for name, text in sent.items()}
    return {
        "points": {
            name: "1/2" if text == "½" else text.replace(",", ".") for name, text in texts.items()
        }
    }


class PointsPage(RunPage):
    template = "tournament/events/run_points.html"
    section = "setup"
    actions = {
        "save": Form(
            EditTournament, body=points_body, sentence=gettext_noop("The points are stored.")
        )
    }

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return a field for each kind of result, and why the points are fixed, if they are."""
        allowed = event_action(request, tournament, "edit")
        if allowed["level"] != "forbidden" and tournament.state not in BEFORE_START:
            reason = gettext("The event has started, so its points are fixed.")
            allowed = allowed | {"level": "forbidden", "reason": reason}
        return {
            "allowed": allowed,
            "if_match": quoted_tag(tournament_target(tournament)),
            "fields": self._fields(tournament),
        }

    def _fields(self, tournament: Tournament) -> list[FormField]:
        system = point_system(tournament)
        stored = {f"points.{name}": value for name, value in tournament.points.items()}
        values = self.form.typed or stored
        return [
            FormField(
                name=f"points.{name}",
                label=str(label),
                value=values.get(f"points.{name}", ""),
                help=gettext("Now: %s") % decimal_text(system.format_units(getattr(system, name))),
                longest=9,
                errors=self.form.errors.get(f"points.{name}", ()),
            )
            for name, label in POINT_LABELS.items()
        ]
