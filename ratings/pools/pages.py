"""Create a pool; for site staff."""

from dataclasses import replace
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from games.core.forms import Form, form_fields
from games.core.pages import PageView
from games.core.permissions import require_account
from games.rules.registry import GAMES
from ratings.models import Pool
from ratings.pools.serializers import NewPoolSerializer
from ratings.pools.views import CreatePool
from ratings.systems.presets import ELO_PARAMETERS, FIDE_PARAMETERS, Preset

FIELDS: Final = (
    "code", "name", "preset", "policy", "rated_rulesets", "least_expected", "time_classes",
)  # fmt: skip
PROPOSED_SETTINGS: Final = {name: getattr(Pool(), name) for name in ("policy", "least_expected")}
PARAMETERS: Final[tuple[tuple[str, range, str | Promise], ...]] = tuple(
    (name, {**ELO_PARAMETERS, **FIDE_PARAMETERS}[name], label)
    for name, label in (
        ("k0", _("Of decay and fixed: K of a new player. Usual: 100, and 24 of fixed.")),
        ("kmin", _("Of decay and fixed: the lowest K. Usual: 12, and 24 of fixed.")),
        ("n0", _("Of decay: the number of games at which K is halfway. Usual: 10.")),
        ("start", _("Of decay and fixed: the rating of a new player. Usual: 1500.")),
        (
            "limit_400",
            _("Of fide-2024: differences above 400 count as 400 (1), or for nobody (0). Usual: 1."),
        ),
    )
)
"""The parameters of the systems, with their valid values and what they mean."""


class NewPoolPage(PageView):
    template = "ratings/pools/new_pool.html"
    actions = {"create": Form(CreatePool)}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        require_account(request, "pool.officers")
        typed = self.form.typed
        fields = form_fields(NewPoolSerializer(), FIELDS, values=PROPOSED_SETTINGS, state=self.form)
        systems = tuple((preset.value, gettext(preset.label)) for preset in Preset)
        fields["preset"] = replace(fields["preset"], kind="select", choices=systems)
        return {
            "fields": fields,
            "parameters": [
                (name, values[0], values[-1], label, typed.get(f"parameters.{name}", ""))
                for name, values, label in PARAMETERS
            ],
            "parameter_errors": self.form.errors.get("parameters", ()),
            "games": [(code, rules.name) for code, rules in GAMES.items() if rules.players == 2],
            "casual_games": typed.get("casual_rulesets[]", ()),
            "casual_errors": self.form.errors.get("casual_rulesets", ()),
        }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the officers of the new pool, where they are appointed."""
        return f"/officers/pools/{content['code']}"
