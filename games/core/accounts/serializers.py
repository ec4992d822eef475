"""Serializers of sign-up, passwords, roles and invitations."""

from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from rest_framework import serializers

from games.core.accounts.mail import MOST_SENDS
from games.core.permissions import OFFICIALS
from games.core.serializers import NamedSerializer, validate_text
from games.models import Role

LONGEST_TOKEN = 200
LONGEST_PASSWORD = 200
LONGEST_EMAIL = 254
TOKEN: Final[dict[str, Any]] = {
    "max_length": LONGEST_TOKEN,
    "label": _("Code from the message, or its whole link"),
    "help_text": gettext_noop("from the message"),
}
PASSWORD: Final[dict[str, Any]] = {
    "max_length": LONGEST_PASSWORD,
    "trim_whitespace": False,
    "label": _("Password"),
    "style": {"input_type": "password"},
}


class SignUpSerializer(serializers.Serializer):
    email = serializers.EmailField(max_length=LONGEST_EMAIL)
    name = serializers.CharField(max_length=120, validators=[validate_text])


class EmailSerializer(serializers.Serializer):
    email = serializers.EmailField(max_length=LONGEST_EMAIL)


class SentSerializer(serializers.Serializer):
    email = serializers.EmailField(help_text="where a message is sent, if it is needed")


class NewPasswordSerializer(serializers.Serializer):
    token = serializers.CharField(**TOKEN)
    password = serializers.CharField(**PASSWORD)


class AccountSerializer(serializers.Serializer):
    account = serializers.IntegerField(source="pk")
    email = serializers.EmailField()
    name = serializers.CharField()


class AcceptanceSerializer(serializers.Serializer):
    token = serializers.CharField(**TOKEN)
    name = serializers.CharField(
        max_length=120, required=False, default="", validators=[validate_text]
    )
    password = serializers.CharField(
        **PASSWORD,
        required=False,
        default="",
        help_text=gettext_noop("needed if the address has no account yet"),
    )


class AccountChangeSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=120, validators=[validate_text])


class RoleRequestSerializer(serializers.Serializer):
    email = serializers.EmailField(max_length=LONGEST_EMAIL)
    role = serializers.ChoiceField([(str(role), Role.Name(role).label) for role in OFFICIALS])


class HeldRoleSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    account = NamedSerializer()
    role = serializers.CharField()


class InvitationSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    email = serializers.EmailField()
    role = serializers.CharField()
    expires_at = serializers.DateTimeField()
    sends = serializers.IntegerField(help_text=f"messages requested, at most {MOST_SENDS}")
    sent_at = serializers.DateTimeField(allow_null=True, help_text="null while it is to be sent")


class NewRoleSerializer(serializers.Serializer):
    role = HeldRoleSerializer(allow_null=True)
    invitation = InvitationSerializer(allow_null=True, help_text="if the address has no account")


class AcceptedSerializer(serializers.Serializer):
    account = serializers.IntegerField(source="account_id")
    stream = serializers.CharField()
    role = serializers.CharField()
