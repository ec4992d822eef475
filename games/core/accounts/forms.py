"""The forms of allauth's pages, with addresses in their normal form (games/models/addresses.py).

Whose address it is, `Account.email` says alone: one to which somebody wants to change, and has not
confirmed, is nobody's.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter as account_adapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as mfa
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from allauth.socialaccount import forms as sign_on
from django import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from fido2.webauthn import AuthenticationResponse

from games.core.accounts.adapter import invited_address
from games.core.accounts.guesses import counted_guess
from games.core.accounts.queries import names_of_logins
from games.core.accounts.tokens import has_own_tokens
from games.core.errors import Unprocessable
from games.core.pages import RejectedPage
from games.models import Account
from games.models.addresses import LONGEST_ADDRESS, normal_address
from games.rules.text import Text

COUNTER: Final = "counter"
"""The member of a passkey's data with the counter of its last use."""


class AddressField(forms.EmailField):
    """An address for email, in its normal form."""

    def __init__(self, autocomplete: str = "email", **options: Any) -> None:
        options.setdefault("label", _("Email"))
        options.setdefault("max_length", LONGEST_ADDRESS)
        widget = forms.EmailInput(attrs={"autocomplete": autocomplete})
        super().__init__(widget=widget, **options)

    def to_python(self, value: Any) -> str:
        text = super().to_python(value)
        return normal_address(text) if text else ""


class LoginForm(allauth.LoginForm):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["login"] = AddressField("username")
        self.order_fields(["login", "password"])


class NewAccount(forms.Form):
    """A form that creates an account, and whose answer says nothing about the address."""

    email = AddressField()

    def validate_unique_email(self, value: str) -> str:
        """Return the address, and note whether it has an account.

        Raises ValidationError for another one than that of the invitation, where it needs one.
        """
        is_invited = value == invited_address(account_adapter().request)
        if settings.SIGN_UP == "closed" and not is_invited:
            raise forms.ValidationError(_("Use the address to which the invitation was sent."))
        self.account_already_exists = Account.objects.filter(email=value).exists()
        return value

    def try_save(self, request: HttpRequest) -> Any:
        """Create the account; for an address that has one, send a message."""
        own: Any = super()
        if not self.account_already_exists:
            try:
                with transaction.atomic():
                    return own.try_save(request)
            except IntegrityError:  # another one with this address, at the same time
                self.account_already_exists = True
        return own.try_save(request)


class SignUpForm(NewAccount, allauth.SignupForm):
    """The sign-up, whose time says nothing about the address either.

    Who signs up again with an address that nobody has confirmed gets another message for the same
    account: the links of earlier messages stay valid, and who follows one in another browser
    than that of the first sign-up chooses the password (`AccountAdapter.confirm_email`).
    """

    def try_save(self, request: HttpRequest) -> Any:
        """Create the account; for an address that has one, do as much."""
        if self.account_already_exists:
            make_password(self.cleaned_data["password1"])
        return super().try_save(request)


class SignOnForm(NewAccount, sign_on.SignupForm):
    """The sign-up of a person for whom the provider has named no address that can be used."""


class AddEmailForm(allauth.AddEmailForm):
    email = AddressField(label=_("New address"))


class CredentialField(forms.JSONField):
    """What a browser says of a passkey."""

    def to_python(self, value: Any) -> Any:
        """Return it as Python's values; what no browser sends is answered with 422 at once."""
        try:
            return super().to_python(value)
        except (ValueError, RecursionError) as error:  # a number, or a nesting, without end
            detail = Text("no browser has sent this of a passkey; load the page again")
            page = RejectedPage.as_view(error=Unprocessable("invalid", detail))
            raise ImmediateHttpResponse(page(account_adapter().request)) from error


class Credential(forms.Form):
    """A form with what a passkey has answered; allauth does not expect every wrong one."""

    credential = CredentialField(widget=forms.HiddenInput)

    def clean_credential(self) -> Any:
        answer = self.cleaned_data["credential"]
        with _wrong_ones_rejected():
            own: Any = super()
            if not hasattr(own, "clean_credential"):
                return answer
            passkey = own.clean_credential()
            counter = AuthenticationResponse.from_dict(answer).response.authenticator_data.counter
            count_use(passkey, counter)
            return passkey

    def clean(self) -> Any:
        with _wrong_ones_rejected():
            return super().clean()


def count_use(passkey: Authenticator, counter: int) -> None:
    """Store the counter of a passkey; raise ValueError if it does not grow, as that of a copy.

    Web Authentication Level 3, 7.2, step 22: a passkey that does not count sends 0.
    """
    with transaction.atomic():
        stored = Authenticator.objects.select_for_update().get(pk=passkey.pk)
        last = stored.data.get(COUNTER, stored.wrap().authenticator_data.counter)
        if counter <= last and (counter or last):
            raise ValueError(f"the counter of a passkey is {counter}, after {last}")
        stored.data[COUNTER] = counter
        stored.save(update_fields=["data"])


@contextmanager
def _wrong_ones_rejected() -> Iterator[None]:
    try:
        yield
    except (LookupError, AttributeError, TypeError, ValueError, ArithmeticError) as error:
        raise get_adapter().validation_error("incorrect_code") from error


KEEP_TOKENS: Final = "keep_tokens"


class FirstFactor(forms.Form):
    """A form that adds a second factor, and asks about the tokens if it is the first."""

    user: Account

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if has_own_tokens(self.user) and not self.user.has_second_factor:
            label = _("Keep my tokens and apps, for which the password alone was enough")
            self.fields[KEEP_TOKENS] = forms.BooleanField(label=label, required=False)


class AddAppForm(FirstFactor, totp.ActivateTOTPForm):
    pass


class AddPasskeyForm(FirstFactor, Credential, webauthn.AddWebAuthnForm):
    name = forms.CharField(label=_("Name"), max_length=120)
    passwordless = forms.BooleanField(
        label=_("A passkey, which logs in without the password"), required=False
    )


class CountedCode(mfa.BaseAuthenticateForm):
    """A form with a code of the second factor, which is guessed so many times a day."""

    def clean_code(self) -> str:
        with counted_guess(self.user):
            return str(super().clean_code())


class CodeForm(CountedCode, mfa.AuthenticateForm):
    pass


class ConfirmByCodeForm(CountedCode, mfa.ReauthenticateForm):
    pass


class PasskeyForm(Credential, webauthn.AuthenticateWebAuthnForm):
    def clean_credential(self) -> Any:
        with counted_guess(self.user):
            return super().clean_credential()


class PasskeyLoginForm(Credential, webauthn.LoginWebAuthnForm):
    pass


class ConfirmByPasskeyForm(Credential, webauthn.ReauthenticateWebAuthnForm):
    pass


class ResetPasswordForm(allauth.ResetPasswordForm):
    email = AddressField()

    def clean_email(self) -> str:
        """Return the address, and note the account that has it."""
        email: str = self.cleaned_data["email"]
        self.users = list(Account.objects.filter(email=email, is_active=True))
        return email


NEW_PASSWORD: Final = "new_password"
"""The key of the session with the account of a new password, its time, and what it has ended."""


class NewPasswordForm(allauth.ResetPasswordKeyForm):
    def save(self) -> None:
        """Set the password; the page after it (`PasswordChanged`) names what that has ended."""
        ended = names_of_logins(self.user)
        super().save()
        reset = {"account": self.user.pk, "at": time.time(), "ended": ended}
        account_adapter().request.session[NEW_PASSWORD] = reset
