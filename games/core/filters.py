"""Filters of lists, beside those of django-filter."""

import re
from datetime import UTC, datetime
from typing import Any, Final

import django_filters
from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django_filters.fields import BaseCSVField
from django_filters.widgets import BaseCSVWidget

from games.core.places import is_country, no_country
from games.core.requests import BOOLEANS, DAY, WHOLE_NUMBER
from games.core.text import translated
from games.rules.registry import GAMES
from games.rules.text import Text

LARGEST_ID = 2**63 - 1
MOMENT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?"
    r"(Z|[+-][0-9]{2}:[0-9]{2})",
    re.ASCII,
)
MOST_VALUES = 100
"""Values that a filter takes at most."""
RULESETS = [(code, rules.name) for code, rules in GAMES.items()]


class FlagField(forms.Field):
    """One of the words of `BOOLEANS`, in any case."""

    choices = [(word, word) for word in BOOLEANS]

    def to_python(self, value: Any) -> bool | None:
        if value is None:
            return None
        if str(value).lower() not in BOOLEANS:
            raise ValidationError("unknown")
        return BOOLEANS[str(value).lower()]


class FlagFilter(django_filters.BooleanFilter):
    field_class = FlagField


class WholeNumberField(forms.IntegerField):
    """A whole number in ASCII digits, without a sign, a space or an underscore."""

    default_error_messages = {"invalid": _("this must be a whole number, as 12")}

    def to_python(self, value: Any) -> int | None:
        if value and not WHOLE_NUMBER.fullmatch(str(value)):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(value)


class WholeNumberFilter(django_filters.NumberFilter):
    field_class = WholeNumberField


class DayField(forms.DateField):
    """A day as 2026-05-01, and in no other form."""

    default_error_messages = {"invalid": _("this must be a day, as 2026-05-01")}

    def to_python(self, value: Any) -> Any:
        if value and not DAY.fullmatch(str(value)):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(value)


class DayFilter(django_filters.DateFilter):
    field_class = DayField


class MomentField(forms.DateTimeField):
    """A time with its offset, as 2026-05-01T08:00:00Z, and in no other form."""

    default_error_messages = {
        "invalid": _(
            "this must be a time with its offset, as 2026-05-01T08:00:00Z (an address writes + as"
            " %2B)"
        )
    }

    def to_python(self, value: Any) -> datetime | None:
        if not value:
            return None
        try:
            if MOMENT.fullmatch(str(value)):
                return datetime.fromisoformat(value).astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        raise ValidationError(self.error_messages["invalid"], code="invalid")


class MomentFilter(django_filters.IsoDateTimeFilter):
    field_class = MomentField


class IdFilter(WholeNumberFilter):
    """Filter by an id, a whole number that the database can hold."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=LARGEST_ID, **options)


class ListWidget(BaseCSVWidget):
    """Several values, separated by commas, or in as many parameters."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        if isinstance(data, QueryDict) and name in data:
            data = {name: ",".join(data.getlist(name))}
        return super().value_from_datadict(data, files, name)


class ListField(BaseCSVField):
    base_widget_class = ListWidget

    def clean(self, value: Any) -> Any:
        if value and len(value) > MOST_VALUES:
            detail = Text("there are at most %(most)s values", most=MOST_VALUES)
            raise ValidationError(translated(detail))
        return super().clean(value)


class WordsFilter(django_filters.BaseInFilter, django_filters.ChoiceFilter):
    """Filter by one or several words of a choice: `running,review`."""

    base_field_class = ListField


class IdsFilter(django_filters.BaseInFilter, IdFilter):
    """Filter by one or several ids: `17,4`; those that do not exist are left out."""

    base_field_class = ListField


class SlugsFilter(django_filters.BaseInFilter, django_filters.CharFilter):
    """Filter by one or several slugs: `spring,autumn`; those that do not exist are left out."""

    base_field_class = ListField


class CountryFilter(django_filters.CharFilter):
    """Filter by a country, as FIDE's code in any case."""

    def __init__(self, **options: Any) -> None:
        super().__init__(lookup_expr="iexact", validators=[validate_country], **options)


def validate_country(text: str) -> None:
    """Reject what is no code of FIDE, with the one that was probably meant."""
    if not is_country(text.upper()):
        raise ValidationError(translated(no_country(text)))


class BoardSizeFilter(django_filters.CharFilter):
    """Filter by a board, as the tag `Board` of a record writes it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(field_name="board", validators=[validate_board], **options)


def validate_board(text: str) -> None:
    """Reject a board that no game is played on."""
    if all(rules.find_board(text) is None for rules in GAMES.values()):
        raise ValidationError(translated(Text("no ruleset has this board")))
