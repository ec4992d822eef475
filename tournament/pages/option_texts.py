"""The labels of the options of pairing systems, for readers; the systems have the other texts."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OPTION_LABELS: Final[Mapping[str, str | Promise]] = {
    "absence": _("Absent players"),
    "advance": _("Players who qualify"),
    "band": _("Points of a band"),
    "bar": _("Upper limit of the bands"),
    "best_of": _("Games in a tie"),
    "cycles": _("Cycles"),
    "floor": _("Lower limit of the bands"),
    "groups": _("Groups"),
    "level": _("Ties that end level"),
    "numbers": _("Places in the table"),
    "pairing_method": _("Pairing of a score group"),
    "schedule": _("Open rounds"),
    "third_place": _("Game for third place"),
    "withdrawn": _("Withdrawn players"),
}
