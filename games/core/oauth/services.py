"""Register and change apps, and what they may do for an account; the site's journal has each.

The lines name accounts and apps by their numbers, so that they need no erasure.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from django.db import transaction
from django.utils import timezone
from oauth2_provider.generators import generate_client_secret

from games.core.accounts.tokens import end_app_tokens
from games.core.errors import Conflict, Unprocessable
from games.core.journal.lines import SITE, append_line, lock_head
from games.core.limits import check_quota, lock_account
from games.core.oauth.queries import count_logins
from games.models import Account, App
from games.rules.text import Text

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
"""The hosts of addresses on the device of the person, where nothing needs to be encrypted."""


def check_redirect_uris(uris: Sequence[str], kind: str) -> None:
    """Raise Unprocessable for addresses to which an app of this kind sends nobody back."""
    errors = [
        {"code": "wrong_redirect", "detail": fault, "pointer": f"/redirect_uris/{place}"}
        for place, uri in enumerate(uris)
        for fault in _faults(uri, kind)
    ]
    if errors:
        raise Unprocessable("wrong_redirect", Text("an address is not possible"), errors)


def _faults(uri: str, kind: str) -> Iterator[Text]:
    """Yield what is wrong with an address to which an app sends people back."""
    try:
        parts = urlsplit(uri)
        host, _ = parts.hostname, parts.port
    except ValueError:
        yield Text("this is no address")
        return
    if not (uri.isascii() and uri.isprintable()) or " " in uri or "\\" in uri:
        yield Text("an address has only ASCII characters, and no spaces")
    elif "#" in uri or "@" in parts.netloc or "*" in uri:
        yield Text("an address has no #, no name before the host and no *")
    elif parts.scheme in ("https", "http"):
        if not host:
            yield Text("this is no address")
        elif parts.scheme == "http" and host not in LOOPBACK:
            yield Text("begin the address with https://; http:// is for 127.0.0.1 only")
    elif kind != App.Kind.NATIVE:
        yield Text("begin the address with https://")
    elif "." not in parts.scheme:
        # RFC 8252, 7.1; so it is none that browsers know, such as javascript.
        yield Text("a scheme of your own has the form of your domain, as org.example.app:/back")


def register_app(
    account: Account, *, name: str, homepage: str, kind: str, redirect_uris: Sequence[str]
) -> tuple[App, str]:
    """Register an app; return it with its secret, of which the hash is stored, if it keeps one."""
    check_redirect_uris(redirect_uris, kind)
    is_server = kind == App.Kind.SERVER
    secret = generate_client_secret()
    app = App(
        user=account,
        name=name,
        homepage=homepage,
        kind=kind,
        redirect_uris=" ".join(redirect_uris),
        client_type=App.CLIENT_CONFIDENTIAL if is_server else App.CLIENT_PUBLIC,
        authorization_grant_type=App.GRANT_AUTHORIZATION_CODE,
        client_secret=secret,
    )
    with transaction.atomic():
        lock_head(SITE)  # before the account, as changes of accounts do
        lock_account(account)
        check_quota("apps", App.objects.filter(user=account).count() + 1, by=account)
        app.save()
        _note("registered", app, by=account)
    return app, secret if is_server else ""


def change_app(
    app: App, *, name: str, homepage: str, redirect_uris: Sequence[str], by: Account
) -> None:
    """Change an app; its tokens stay valid."""
    check_redirect_uris(redirect_uris, app.kind)
    new = {"name": name, "homepage": homepage, "redirect_uris": " ".join(redirect_uris)}
    changed = [column for column in new if new[column] != getattr(app, column)]
    if not changed:
        raise Conflict("nothing_to_do", Text("the app has these values already"))
    with transaction.atomic():
        lock_head(SITE)
        App.objects.filter(pk=app.pk).update(**new, updated=timezone.now())
        _note("changed", app, by=by, changed=changed)


def renew_secret(app: App, *, by: Account) -> str:
    """Give an app on a server another secret; the one before ends."""
    if app.kind != App.Kind.SERVER:
        raise Conflict("nothing_to_do", Text("only an app on a server has a secret"))
    app.client_secret = secret = generate_client_secret()
    with transaction.atomic():
        lock_head(SITE)
        app.save(update_fields=["client_secret", "updated"])
        _note("secret_renewed", app, by=by)
    return secret


def delete_app(app: App, *, by: Account) -> None:
    """Delete an app with all its tokens."""
    with transaction.atomic():
        lock_head(SITE)
        _note("deleted", app, by=by)
        app.delete()


def disable_app(app: App, *, by: Account) -> None:
    """Let an app do nothing until it is enabled; its tokens stay."""
    _switch(app, "disabled", by=by)


def enable_app(app: App, *, by: Account) -> None:
    """Let a disabled app work again."""
    _switch(app, "enabled", by=by)


def _switch(app: App, kind: str, *, by: Account) -> None:
    is_disabled = kind == "disabled"
    with transaction.atomic():
        lock_head(SITE)
        rows = App.objects.filter(pk=app.pk, disabled_at__isnull=is_disabled)
        if not rows.update(disabled_at=timezone.now() if is_disabled else None):
            raise Conflict("nothing_to_do", Text("the app is in this state already"))
        _note(kind, app, by=by)


def allow_app(app: App, scopes: Iterable[str], *, by: Account) -> None:
    """Note that an account allows an app to act for it; in the transaction of its code."""
    lock_head(SITE)
    lock_account(by)
    check_quota("app_logins", count_logins(by) + 1, by=by)
    payload = {"account": by.pk, "app": app.pk, "scopes": sorted(scopes)}
    append_line(SITE, "app.allowed", payload, by=by)


def revoke_app(account: Account, app: App) -> None:
    """Revoke all that an app may do for an account."""
    with transaction.atomic():
        lock_head(SITE)
        if not end_app_tokens(account, app):
            raise Conflict("nothing_to_do", Text("the app has no access to your account"))
        append_line(SITE, "app.revoked", {"account": account.pk, "app": app.pk}, by=account)


def _note(kind: str, app: App, *, by: Account, **payload: Any) -> None:
    """Append a line about an app, which is one about its author's account too."""
    append_line(SITE, f"app.{kind}", {"account": app.user_id, "app": app.pk, **payload}, by=by)
