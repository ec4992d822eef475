"""The page of a pool's rating officers: approvals, batches, lists, analyses, settings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.http.preconditions import Target
from games.pages.actions import PageAction
from games.pages.forms import form_fields
from games.pages.views import PageView
from games.time_controls import TimeClass
from ratings.queries.analyses import pool_analyses, summary_as_json
from ratings.queries.batches import batches_as_json, load_batches
from ratings.queries.decisions import decision_as_json, load_officers, load_organisers
from ratings.queries.published_lists import load_lists
from ratings.serializers.pools import PoolChangeSerializer
from ratings.views.analyses import AnalysisList
from ratings.views.batches import BatchActionView
from ratings.views.lookup import pool_target, require_pool
from ratings.views.officers import OfficerList, OfficerView, OrganiserActionView
from ratings.views.pools import PoolView
from ratings.views.published_lists import PublishedLists
from tournament import queries
from tournament.pages.field_texts import field_labels
from tournament.views.rating import PoolEventActionView

MOST = 30
"""Events, batches and analyses that the page shows, the newest first."""

FIELDS = ("policy", "rated_games", "least_expected", "handicap_table")

HELP = {
    "policy": _(
        "All events: a game only if both players agreed beforehand. Approved events: those that an"
        " officer approves, or whose organiser is approved."
    ),
    "rated_games": _(
        "One game a line: its code and its boards, such as “hex 11 13”; without boards all of them."
        " Empty: every game. It applies to games that are filed later."
    ),
    "least_expected": _(
        "In percent. A game is not rated if a player's expected score, by the ratings at the"
        " pairing and the handicap, is smaller; 0: all are rated."
    ),
    "handicap_table": _("The version of the handicap values, as v1."),
}

POLICIES = {
    "open": _("all events"),
    "approved": _("approved events"),
    "closed": _("events that an officer files"),
}


def pool_body(content: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes of a pool; no games and no time classes mean that all are rated."""
    games: dict[str, list[str]] = {}
    for line in str(content.get("rated_games", "")).splitlines():
        code, *boards = line.replace(":", " ").replace(",", " ").split() or [""]
        if code:
            games[code] = games.get(code, []) + boards
    return content | {"rated_games": games, "time_classes": content.get("time_classes", [])}


def games_text(games: Mapping[str, Sequence[str]]) -> str:
    """Return the games that a pool rates as lines, each with its boards; `pool_body` reads them."""
    return "\n".join(" ".join((code, *boards)) for code, boards in games.items())


class OfficersPage(PageView):
    template = "tournament/officers.html"
    actions = {
        "approve": PageAction(
            PoolEventActionView,
            gettext_noop("The event is approved."),
            options={"action_name": "approve"},
            words=("slug",),
        ),
        "refuse": PageAction(
            PoolEventActionView,
            gettext_noop("The event is refused."),
            options={"action_name": "refuse"},
            words=("slug",),
        ),
        "approve-organiser": PageAction(
            OrganiserActionView,
            gettext_noop("The organiser is approved."),
            options={"action_name": "approve"},
            parameters=("account_id",),
        ),
        "refuse-organiser": PageAction(
            OrganiserActionView,
            gettext_noop("The organiser is refused."),
            options={"action_name": "refuse"},
            parameters=("account_id",),
        ),
        "withdraw": PageAction(
            BatchActionView,
            gettext_noop("The batch is withdrawn; a new run rates the later ones again."),
            options={"action_name": "withdraw"},
            parameters=("batch_id",),
        ),
        "restore": PageAction(
            BatchActionView,
            gettext_noop("The batch is rated again."),
            options={"action_name": "restore"},
            parameters=("batch_id",),
        ),
        "publish": PageAction(PublishedLists, gettext_noop("The list of today is published.")),
        "analyse": PageAction(AnalysisList, gettext_noop("The analysis is requested.")),
        "edit": PageAction(
            PoolView, gettext_noop("The pool is changed."), method="patch", body=pool_body
        ),
        "add-officer": PageAction(OfficerList, gettext_noop("The officer is appointed.")),
        "remove-officer": PageAction(
            OfficerView,
            gettext_noop("The officer is removed."),
            method="delete",
            parameters=("account_id",),
        ),
    }

    def context(self, request: Request, code: str = "", **address: Any) -> dict[str, Any]:
        """Return what waits for the officers, and what they have decided."""
        pool, account = require_pool(request, code)
        events = queries.requesting_tournaments(pool).order_by("-id")[:MOST]
        batches = load_batches(pool).order_by("-id")[:MOST]
        analyses = pool_analyses(pool).defer("result").order_by("-id")[:MOST]
        values = {name: getattr(pool, name) for name in FIELDS}
        values["rated_games"] = games_text(pool.rated_games)
        target: Target = pool_target(pool)
        fields = form_fields(
            PoolChangeSerializer(),
            FIELDS,
            values=values,
            state=self.form,
            action="edit",
            labels=field_labels(),
        )
        fields |= {name: replace(fields[name], help=str(text)) for name, text in HELP.items()}
        policies = tuple((key, str(text)) for key, text in POLICIES.items())
        return {
            "pool": pool,
            "events": queries.requests_as_json(pool, list(events)),
            "batches": batches_as_json(pool, batches),
            "organisers": [decision_as_json(row) for row in load_organisers(pool)[:MOST]],
            "analyses": [summary_as_json(pool, row) for row in analyses],
            "published": load_lists(pool).order_by("-published_on").first(),
            "officers": load_officers(pool),
            "is_staff": account.is_staff,
            "if_match": f'"{target.current_tag(locked=False)}"',
            "time_classes": self.form.typed.get("time_classes[]", ())
            if self.form.action == "edit"
            else pool.time_classes,
            "all_time_classes": [*TimeClass],
            "time_class_errors": self.errors_in("time_classes"),
            "fields": fields
            | {
                "policy": replace(fields["policy"], choices=policies),
                "rated_games": replace(
                    fields["rated_games"],
                    kind="textarea",
                    errors=self.errors_in("rated_games"),
                ),
            },
        }

    def errors_in(self, member: str) -> tuple[str, ...]:
        """Return the errors of a member of the form, or of the values in it."""
        return tuple(
            message
            for name, messages in self.form.errors.items()
            if name.startswith(member)
            for message in messages
        )
