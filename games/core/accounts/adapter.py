"""How allauth's account pages fit this service: addresses, messages, sessions, the journal."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount, SocialLogin
from allauth.socialaccount.providers.base import AuthProcess, ProviderException
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from requests import RequestException

from games.core.accounts.guesses import KnownLoginThrottle, is_known, remember_browser
from games.core.accounts.mail import Kind, find_account, links_of, store_message
from games.core.accounts.queries import confirmed_accounts, unconfirmed_accounts
from games.core.accounts.sign_up import SIGNED_UP
from games.core.accounts.tokens import end_tokens
from games.core.authentication import drop_token, remember_language
from games.core.journal.lines import SITE, append_line
from games.core.requests import client_address
from games.core.text import language_of
from games.models import Account
from games.models.addresses import normal_address

log = logging.getLogger(__name__)

UNWANTED: Final = "account/email/unknown_account"
"""The message to an address without an account, which nobody gets."""
LONGEST_SUBJECT: Final = 200


def is_own_page(address: str) -> bool:
    """Return True for an address on this site that a redirect may lead to."""
    return address.isprintable() and url_has_allowed_host_and_scheme(address, allowed_hosts=None)


ASKED: Final = "identity_to_link"
"""The key of the session with the identity about which a person is asked whether it is theirs."""


class SignOnAdapter(DefaultSocialAccountAdapter):
    """How a login at a provider (games/core/accounts/single_sign_on.py) becomes one here."""

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: Any) -> Any:
        """Take the name from the provider."""
        user = super().populate_user(request, sociallogin, data)
        user.name = data.get("name", "")
        return user

    def get_signup_form_initial_data(self, sociallogin: SocialLogin) -> dict[str, str]:
        """Return what the form of a sign-up begins with, for whom no address is known."""
        initial = super().get_signup_form_initial_data(sociallogin)
        return {**initial, "name": sociallogin.user.name}

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Ask before a new identity is linked: another site can send a browser here."""
        is_linking = sociallogin.state.get("process") == AuthProcess.CONNECT
        if is_linking and sociallogin.account.pk is None and request.user.is_authenticated:
            names = ("provider", "uid", "extra_data")
            request.session[ASKED] = {name: getattr(sociallogin.account, name) for name in names}
            raise ImmediateHttpResponse(HttpResponseRedirect("/account/logins/link"))

    def authenticate_by_email(self, sociallogin: SocialLogin) -> tuple[Any, str] | None:
        """Return the account with the confirmed address that the provider has sent, if any.

        allauth looks for it also among those that an account is going to have.
        """
        for email in confirmed_addresses(sociallogin):
            account = confirmed_accounts(email).first()
            if account and self.can_authenticate_by_email(sociallogin, email):
                return account, email
        return None

    def is_auto_signup_allowed(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Give the address that the provider has confirmed to this person.

        Anybody can sign up with it, or begin to change theirs to it; that ends.
        """
        for email in confirmed_addresses(sociallogin):
            unconfirmed_accounts(email).delete()
            begun = EmailAddress.objects.filter(email=email, verified=False)
            begun.exclude(user__email=email).delete()
        return bool(super().is_auto_signup_allowed(request, sociallogin))

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> Any:
        """Store a new account; of two first logins at once, the second has the same account."""
        new = sociallogin.account
        try:
            with transaction.atomic():
                return super().save_user(request, sociallogin, form)
        except IntegrityError:
            first = SocialAccount.objects.filter(provider=new.provider, uid=new.uid).first()
            if first is None:
                raise
            sociallogin.account, sociallogin.user = first, first.user
            return first.user

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: Any = None,
        exception: Exception | None = None,
        extra_context: Any = None,
    ) -> None:
        """Write to the log why a login has failed, which the page does not say."""
        if isinstance(exception, IntegrityError | ProviderException | RequestException):
            log.warning("a single sign-on has failed: %s", exception)


def confirmed_addresses(sociallogin: SocialLogin) -> list[str]:
    """Return the addresses that the provider has confirmed."""
    return [each.email for each in sociallogin.email_addresses if each.verified]


class SessionsAdapter(DefaultUserSessionsAdapter):
    def end_sessions(self, sessions: Sequence[UserSession]) -> None:
        """End the sessions that a person has chosen on their page; the journal says so."""
        with transaction.atomic():
            super().end_sessions(sessions)
            for account in {session.user for session in sessions}:
                payload = {"account": account.pk, "count": len(sessions)}
                append_line(SITE, "account.sessions_ended", payload, by=account)


INVITED: Final = "invitation"
"""The key of the session with the token of the invitation whose page a visitor has opened."""


def invited_address(request: HttpRequest) -> str:
    """Return the address of the open invitation whose page a visitor has opened; empty for none."""
    link = links_of(request.session.get(INVITED, ""), Kind.INVITATION).first()
    return link.email if link else ""


class AccountAdapter(DefaultAccountAdapter):
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": _("The email address or the password is wrong."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether the installation lets anyone, or this visitor, create an account."""
        return settings.SIGN_UP == "open" or bool(invited_address(request))

    def is_safe_url(self, url: str) -> bool:
        """Return whether `next` stays on this site."""
        return is_own_page(url)

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address of the client, behind as many proxies as the settings say."""
        return client_address(request) or "0.0.0.0"

    def clean_email(self, email: str) -> str:
        """Return the normal form, also of the address that a provider sends."""
        return normal_address(email)

    def send_mail(self, template_prefix: str, email: str, context: Mapping[str, Any]) -> None:
        """Store a message, which a task sends."""
        context = {"email": email, "site_url": settings.PUBLIC_URL, **context}
        with timezone.override(settings.SITE_TIME_ZONE):
            message = self.render_mail(template_prefix, email, context)
        is_wanted = template_prefix != UNWANTED
        subject = message.subject[:LONGEST_SUBJECT]
        store_message(email, subject, str(message.body), is_wanted=is_wanted)

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Return the link of a message, whatever host the request has named."""
        account, _, secret = key.partition("-")
        names = {"uidb36": account, "key": secret}
        return settings.PUBLIC_URL + reverse("account_reset_password_from_key", kwargs=names)

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """Return the link of a message, whatever host the request has named."""
        key = emailconfirmation.key
        return settings.PUBLIC_URL + reverse("account_confirm_email", args=[key])

    def send_password_reset_mail(self, user: Any, email: str, context: dict[str, Any]) -> None:
        """Send the link to the address of the account, whatever somebody has typed."""
        super().send_password_reset_mail(user, user.email, context)

    def send_account_already_exists_mail(self, email: str) -> None:
        """Send the link of a sign-up that nobody has confirmed once more."""
        sign_ups = EmailAddress.objects.filter(user__in=unconfirmed_accounts(email))
        if address := sign_ups.first():
            address.send_confirmation(self.request, signup=True)
        else:
            super().send_account_already_exists_mail(email)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Give the account the address, unless another one has confirmed it meanwhile.

        Anybody can sign up with the address of somebody else. So in another browser than that of
        the sign-up, the account loses the password and the logins of the sign-up.
        """
        account = email_address.user
        is_sign_up = unconfirmed_accounts(account.email or "").filter(pk=account.pk).exists()
        try:
            with transaction.atomic():
                others = unconfirmed_accounts(email_address.email)
                others.exclude(pk=account.pk).delete()
                if not super().confirm_email(request, email_address):
                    return False
                if is_sign_up and request.session.get(SIGNED_UP) != account.pk:
                    account.set_unusable_password()
                    account.save(update_fields=["password"])
                    SocialAccount.objects.filter(user=account).delete()
        except IntegrityError:
            return False
        return True

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        """Return the page to set a password for an account that nobody can log in to."""
        account = email_address.user
        if account.has_usable_password() or SocialAccount.objects.filter(user=account).exists():
            return str(super().get_email_verification_redirect_url(email_address))
        key = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(account)
        names = {"uidb36": user_pk_to_url_str(account), "key": key}
        return reverse("account_reset_password_from_key", kwargs=names)

    def set_password(self, user: Any, password: str) -> None:
        """Set a password; the tokens that the account has made end, as the sessions do."""
        with transaction.atomic():
            super().set_password(user, password)
            end_tokens(user, only_own=True)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Return whose password it is; who guesses elsewhere locks out no browser that is known."""
        try:
            return super().authenticate(request, **credentials)
        except ValidationError:
            account = find_account(credentials.get("email", ""))
            if account is None or not is_known(request, account):
                raise
            if KnownLoginThrottle().count(f"known-{account.pk}").wait:
                raise
            return authenticate(request, **credentials)

    def post_login(self, request: HttpRequest, user: Any, **options: Any) -> HttpResponse:
        """Return the answer to a login, which the browser can show when it logs in again."""
        response: HttpResponse = super().post_login(request, user, **options)
        remember_browser(request, response, user)
        return response

    def login(self, request: HttpRequest, user: Any) -> None:
        """Begin the session of an account; that of a personal link ends."""
        drop_token(request)
        super().login(request, user)
        assert isinstance(user, Account)
        remember_language(user, language_of(request))
