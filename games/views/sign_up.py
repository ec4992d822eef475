"""Sign-up, passwords and invitations, each by a message to an email address.

No response states whether an address has an account. The limits of logins apply.
"""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts.logins import begin_login
from games.core.accounts.serializers import (
    AcceptanceSerializer,
    AcceptedSerializer,
    AccountSerializer,
    EmailSerializer,
    NewPasswordSerializer,
    SentSerializer,
    SignUpSerializer,
)
from games.core.accounts.services import accept_invitation
from games.core.requests import maybe_dry_run, validated_body
from games.core.views import ApiView
from games.services import accounts


class SignUp(ApiView):
    is_public = True
    problems = {"POST": (403,)}

    @extend_schema(operation_id="sign_up", request=SignUpSerializer, responses=SentSerializer)
    def post(self, request: Request) -> Response:
        """Request an account; a message with a token for `accounts/confirm` is sent.

        An address with an account gets a token to set its password instead.
        """
        content = validated_body(SignUpSerializer, request)
        begin_login(request, content["email"])
        with maybe_dry_run(request):
            accounts.request_sign_up(**content)
        return Response({"email": content["email"]})


class ConfirmSignUp(ApiView):
    is_public = True

    @extend_schema(
        operation_id="confirm_sign_up",
        request=NewPasswordSerializer,
        responses={201: AccountSerializer},
    )
    def post(self, request: Request) -> Response:
        """Create the account with a password; log in to create a token (`POST tokens`)."""
        content = validated_body(NewPasswordSerializer, request)
        with maybe_dry_run(request):
            account = accounts.confirm_sign_up(**content)
        return Response(AccountSerializer(account).data, status=201)


class RequestPassword(ApiView):
    is_public = True

    @extend_schema(
        operation_id="request_password", request=EmailSerializer, responses=SentSerializer
    )
    def post(self, request: Request) -> Response:
        """Request a message with a token for `accounts/password/confirm`."""
        content = validated_body(EmailSerializer, request)
        begin_login(request, content["email"])
        with maybe_dry_run(request):
            accounts.request_password(**content)
        return Response(content)


class ResetPassword(ApiView):
    is_public = True

    @extend_schema(
        operation_id="reset_password", request=NewPasswordSerializer, responses=AccountSerializer
    )
    def post(self, request: Request) -> Response:
        """Set a new password; the account's own tokens are revoked."""
        content = validated_body(NewPasswordSerializer, request)
        with maybe_dry_run(request):
            account = accounts.reset_password(**content)
        return Response(AccountSerializer(account).data)


class AcceptInvitation(ApiView):
    is_public = True

    @extend_schema(
        operation_id="accept_invitation",
        request=AcceptanceSerializer,
        responses={201: AcceptedSerializer},
    )
    def post(self, request: Request) -> Response:
        """Take the role of an invitation; an address without an account gets one."""
        content = validated_body(AcceptanceSerializer, request)
        with maybe_dry_run(request):
            role = accept_invitation(**content)
        return Response(AcceptedSerializer(role).data, status=201)
