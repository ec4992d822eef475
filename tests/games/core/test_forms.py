"""The controls and the bodies of forms, by the class of the serializer's field."""

from typing import Any

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from rest_framework import serializers

from games.core.forms import FormState, form_body, form_fields


class Clock(serializers.Serializer):
    minutes = serializers.IntegerField(min_value=0, max_value=600)
    words = serializers.CharField(required=False, allow_blank=True)


class Everything(serializers.Serializer):
    codes = serializers.ListField(child=serializers.CharField(max_length=16), max_length=12)
    usual = serializers.ListField(child=serializers.CharField(), min_length=1, required=False)
    numbers = serializers.ListField(child=serializers.IntegerField(min_value=1), max_length=3)
    kinds = serializers.ListField(
        child=serializers.ChoiceField([("a", "Apple"), ("b", "Pear")]), max_length=2
    )
    day = serializers.DateField(allow_null=True)
    at = serializers.DateTimeField()
    time = serializers.TimeField()
    places = serializers.IntegerField(min_value=1, max_value=99, required=False, allow_null=True)
    share = serializers.FloatField(min_value=0, max_value=1)
    name = serializers.CharField(max_length=80)
    note = serializers.CharField(allow_blank=True, style={"base_template": "textarea.html"})
    secret = serializers.CharField(style={"input_type": "password", "help": "Eight letters."})
    email = serializers.EmailField()
    site = serializers.URLField()
    open = serializers.BooleanField(label="Open to all", help_text="`true`: to all")
    sure = serializers.BooleanField(allow_null=True)
    color = serializers.ChoiceField([("r", "Red"), ("g", "Green")], default="g")
    size = serializers.ChoiceField([("s", "Small")], required=False, allow_blank=True)
    clock = Clock()
    extra = serializers.DictField(child=serializers.JSONField())
    last = serializers.IntegerField(read_only=True)


def control(name: str, value: Any = None, **state: Any) -> str:
    values = {} if value is None else {name: value}
    fields = form_fields(Everything(), [name], values=values, state=FormState(**state))
    return render_to_string("games/field.html", {"field": fields[name]})


@pytest.mark.parametrize(
    ("name", "value", "parts"),
    [
        ("codes", ["PTS", "BH"], ['type="text"', 'value="PTS BH"']),
        ("numbers", [5, 7], ['type="text"', 'value="5 7"']),
        ("kinds", ["b"], ["<fieldset", 'type="checkbox" name="kinds[]" value="b" checked', "Pear"]),
        ("day", "2026-05-01", ['type="date"', 'value="2026-05-01"']),
        ("at", "2026-05-01T10:30:00Z", ['type="datetime-local"', 'value="2026-05-01T10:30"']),
        ("time", "10:30:00", ['type="time"', 'value="10:30"']),
        ("places", 20, ['type="number"', 'name="places" value="20"']),
        ("share", 0.5, ['type="number"', 'step="any"', 'value="0.5"']),
        ("name", "A", ['maxlength="80"', " required"]),
        ("note", "a\nb", ["<textarea", "a\nb</textarea>"]),
        ("secret", None, ['type="password"', "Eight letters."]),
        ("email", None, ['type="email"']),
        ("site", None, ['type="url"']),
        ("open", True, ['value="false"', 'type="checkbox"', " checked", "Open to all"]),
        ("color", None, ['<option value="g" selected>Green']),
    ],
)
def test_the_control_follows_from_the_class_of_the_field(
    name: str, value: Any, parts: list[str]
) -> None:
    page = control(name, value)
    assert [part for part in parts if part not in page] == []


@pytest.mark.parametrize("name", ["codes", "numbers"])
def test_a_list_is_not_limited_to_the_number_of_its_items(name: str) -> None:
    assert "maxlength" not in control(name)


@pytest.mark.parametrize(
    ("sent", "body"),
    [
        ("codes=PTS,BH/C1+DE%0D%0ASB;WIN", {"codes": ["PTS", "BH/C1", "DE", "SB", "WIN"]}),
        ("codes[]=PTS&codes[]=BH", {"codes": ["PTS", "BH"]}),
        ("codes=", {"codes": []}),
        ("usual=", {}),
        ("numbers=5,+7+x", {"numbers": [5, 7, "x"]}),
        ("kinds[]=&kinds[]=a", {"kinds": ["a"]}),
        ("kinds[]=", {"kinds": []}),
        ("day=2026-05-01", {"day": "2026-05-01"}),
        ("day=", {"day": None}),
        ("places=20&share=0,25", {"places": 20, "share": 0.25}),
        ("places=&share=", {"places": None}),
        ("places=many&share=half", {"places": "many", "share": "half"}),
        ("name=", {}),
        ("note=a%0D%0Ab", {"note": "a\nb"}),
        ("note=", {"note": ""}),
        ("open=false&open=true", {"open": True}),
        ("open=false", {"open": False}),
        ("open=perhaps", {"open": "perhaps"}),
        ("sure=", {"sure": None}),
        ("color=", {"color": "g"}),
        ("clock.minutes=25&clock.words=", {"clock": {"minutes": 25, "words": ""}}),
        (
            "extra.k=20&extra.flag=true&extra.word=win&extra.none=",
            {"extra": {"k": 20, "flag": True, "word": "win"}},
        ),
        ("last=4&komi=7&clock.komi=&rows.1=2", {"last": "4", "komi": "7", "rows": {"1": "2"}}),
        ("action=edit&csrfmiddlewaretoken=x&if_match=y&next=z", {}),
    ],
)
def test_a_form_gives_the_json_of_its_serializer(sent: str, body: dict[str, Any]) -> None:
    assert form_body(QueryDict(sent), Everything()) == body


def test_a_change_cannot_empty_a_value_that_is_needed() -> None:
    form = QueryDict("name=&numbers=&places=")
    body = {"name": "", "numbers": [], "places": None}
    assert form_body(form, Everything(partial=True)) == body


def test_a_form_without_a_serializer_gives_its_texts() -> None:
    form = QueryDict("a=1&b.c=true&d[]=x&d[]=y&e=")
    assert form_body(form) == {"a": "1", "b": {"c": "true"}, "d": ["x", "y"]}


def test_a_clearable_choice_has_an_empty_option_and_another_has_none() -> None:
    assert '<option value=""></option>' in control("size", "s")
    assert '<option value=""></option>' not in control("color", "r")


def test_a_rejected_form_shows_what_was_typed() -> None:
    assert 'value="PTS,, XX"' in control("codes", ["PTS"], typed={"codes": "PTS,, XX"})
    page = control("kinds", ["a"], typed={"kinds[]": ["", "b"]})
    assert 'value="a">' in page
    assert 'value="b" checked>' in page
