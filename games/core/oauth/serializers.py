"""Serializers of apps."""

import re
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.core.serializers import NameField
from games.models import App
from games.names import skeleton_of

LONGEST_NAME: Final = 60
LONGEST_URI: Final = 500
MOST_URIS: Final = 10
STAFF: Final = {
    skeleton_of(word)
    for word in (
        "staff", "admin", "admins", "administrator", "administrators", "moderator", "moderators",
        "moderation", "support", "security", "official", "verwaltung", "administratoren",
        "moderatoren", "sicherheit", "offiziell", "administrateur", "administrateurs",
        "moderateur", "moderateurs", "securite", "officiel",
    )
}  # fmt: skip
"""Words by which a name says that the app is the staff's, as they look, in three languages."""
BETWEEN_WORDS: Final = re.compile(r"[\W\d_]+|(?<=[^\W\d_A-Z])(?=[A-Z])")
"""What separates words: `SiteAdmin 2` has two."""


def joined_skeleton(text: str) -> str:
    """Return how a text looks, without what is between its letters and digits."""
    return re.sub(r"[\W_]", "", skeleton_of(text))


class UriListField(serializers.ListField):
    """Addresses, one on each line of a text box."""

    def __init__(self, **options: Any) -> None:
        child = serializers.CharField(max_length=LONGEST_URI)
        super().__init__(child=child, allow_empty=False, max_length=MOST_URIS, **options)

    def read_text(self, text: str) -> list[str]:
        return text.split()

    def shown_text(self, value: str) -> str:
        return value.replace(" ", "\n")


class AppChangeSerializer(serializers.Serializer):
    name = NameField(max_length=LONGEST_NAME, label=_("Name of the app"))
    homepage = serializers.URLField(
        max_length=200,
        label=_("Homepage"),
        style={"help": _("Who is asked to allow the app can look there.")},
    )
    redirect_uris = UriListField(
        label=_("Addresses to return to"),
        style={
            "base_template": "textarea.html",
            "help": _(
                "One on each line, to the letter: https://..., on this device "
                "http://127.0.0.1/..., or a scheme of an installed app, as org.example.app:/back."
            ),
        },
    )

    def validate_name(self, value: str) -> str:
        """Refuse what looks like the name of the service or of its staff."""
        words = BETWEEN_WORDS.split(value)
        host = urlsplit(settings.PUBLIC_URL).hostname or ""
        own = [joined_skeleton(name) for name in ("perihelion", host)]
        # In capitals an I looks like an l, and not like an i.
        looks = [joined_skeleton(text) for text in (value, value.lower())]
        alone = {
            skeleton_of(text) for word in (*words, "".join(words)) for text in (word, word.lower())
        }
        if any(name in text for name in own for text in looks) or STAFF & alone:
            detail = _("an app is not called like this site or its staff; choose another name")
            raise serializers.ValidationError(detail)
        return value

    def validate_homepage(self, value: str) -> str:
        if not value.startswith(("https://", "http://")):
            raise serializers.ValidationError(_("begin the address with https://"))
        return value


class AppSerializer(AppChangeSerializer):
    kind = serializers.ChoiceField(App.Kind.choices, label=_("Where it runs"))
