"""Create a pool; for site staff."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import fields as fields_of
from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from games.core.forms import Form, FormField, FormState, form_fields
from games.core.pages import PageView
from games.core.permissions import require_account
from games.rules.registry import GAMES
from ratings.models import Pool
from ratings.pools.serializers import NewPoolSerializer
from ratings.pools.views import CreatePool
from ratings.systems.presets import Preset

FIELDS: Final = (
    "code", "name", "preset", "policy", "rated_rulesets", "least_expected", "time_classes",
)  # fmt: skip
PROPOSED_SETTINGS: Final = {name: getattr(Pool(), name) for name in ("policy", "least_expected")}
TICKED_GAMES: Final = "rated_games"
"""The field of the games that are ticked; `rated_rulesets.CODE` has the boards of each."""
PARAMETERS: Final = (
    (
        "k0",
        _("K of a new player"),
        _("Not of fide-2024. Usual: 180 of floor, 200 of settling, 100 of decay, 24 of fixed."),
    ),
    (
        "kmin",
        _("Lowest K"),
        _("Not of fide-2024. Usual: 10 of floor, 1 of settling, 12 of decay, 24 of fixed."),
    ),
    (
        "n0",
        _("Games at half the way"),
        _(
            "The number of games at which K is halfway. Not of fixed and fide-2024. Usual: 5 of"
            " floor, 6 of settling, 10 of decay."
        ),
    ),
    (
        "start",
        _("Rating of a new player"),
        _("Not of fide-2024. Usual: 1500."),
    ),
    (
        "limit_400",
        _("Limit of 400"),
        _("Of fide-2024: differences above 400 count as 400 (1), or for nobody (0). Usual: 1."),
    ),
)
"""The parameters of the systems: their names, labels and what they mean."""


def rated_games_body(content: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings, in which a game that is ticked, or has boards, is rated."""
    if TICKED_GAMES not in content and "rated_rulesets" not in content:
        return content
    ticked, boards = content.pop(TICKED_GAMES, []), content.get("rated_rulesets", {})
    if not isinstance(boards, dict):
        return content
    codes = dict.fromkeys([*ticked, *(code for code, sizes in boards.items() if sizes)])
    return {**content, "rated_rulesets": {code: boards.get(code, []) for code in codes}}


@dataclass(frozen=True, slots=True)
class RatedGamesField(FormField):
    """The games that a pool rates: each with its name, whether it is ticked, and its boards."""

    rows: tuple[dict[str, Any], ...] = ()


def rated_games_field(field: FormField, stored: Mapping[str, Any], state: FormState) -> FormField:
    """Return the control of the games that are rated, with what a rejected form has typed."""
    typed = state.typed
    ticked = typed.get(f"{TICKED_GAMES}[]", ()) if typed else stored
    rows = [
        {
            "code": code,
            "name": rules.name,
            "is_ticked": code in ticked,
            "boards": typed.get(f"{field.name}.{code}", "")
            if typed
            else " ".join(stored.get(code, ())),
            "example": rules.first_board,
            "errors": state.errors.get(f"{field.name}.{code}", ()),
        }
        for code, rules in GAMES.items()
        if rules.players == 2
    ]
    shared = {item.name: getattr(field, item.name) for item in fields_of(field)}
    return RatedGamesField(**shared | {"kind": "games", "value": list(ticked)}, rows=tuple(rows))


class NewPoolPage(PageView):
    template = "ratings/pools/new_pool.html"
    actions = {"create": Form(CreatePool, body=rated_games_body, is_typed=True)}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        require_account(request, "pool.officers")
        typed = self.form.typed
        fields = form_fields(NewPoolSerializer(), FIELDS, values=PROPOSED_SETTINGS, state=self.form)
        systems = tuple((preset.value, gettext(preset.label)) for preset in Preset)
        fields["rated_rulesets"] = rated_games_field(fields["rated_rulesets"], {}, self.form)
        fields["preset"] = replace(fields["preset"], kind="select", choices=systems)
        return {
            "fields": fields,
            "parameters": [
                FormField(
                    f"parameters.{name}",
                    str(label),
                    kind="number",
                    value=typed.get(f"parameters.{name}", ""),
                    help=str(about),
                    errors=self.form.errors.get(f"parameters.{name}", ()),
                )
                for name, label, about in PARAMETERS
            ],
            "games": [(code, rules.name) for code, rules in GAMES.items() if rules.players == 2],
            "casual_games": typed.get("casual_rulesets[]", ()),
            "casual_errors": self.form.errors.get("casual_rulesets", ()),
        }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the officers of the new pool, where they are appointed."""
        return f"/officers/pools/{content['code']}"
