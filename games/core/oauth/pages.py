"""The pages of apps: which may act for an account, which it has registered, and the staff's."""

from typing import Any, Final

from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.accounts.administration import AdministerAccount, require_staff
from games.core.actions import Action, Call
from games.core.errors import Forbidden, require_found
from games.core.forms import Form, FormState, form_fields
from games.core.oauth import services
from games.core.oauth.queries import logins_of
from games.core.oauth.serializers import AppChangeSerializer, AppSerializer
from games.core.pages import PageView, just_done
from games.core.permissions import Caller, LoginNeeded
from games.models import Account, App
from games.rules.text import Text

MOST_SHOWN: Final = 200
FIELDS: Final = ("name", "homepage", "kind", "redirect_uris")


def person_of(caller: Caller) -> Account:
    """Return the account that has logged in on a page; raises LoginNeeded (401), Forbidden (403).

    Neither a token nor a personal link decides what other programs may do.
    """
    if not isinstance(caller.user, Account):
        raise LoginNeeded
    if caller.auth is not None:
        raise Forbidden("token_given_out", Text("log in with your own account for this"))
    return caller.user


def find_app(app_id: int, **of: Account) -> App:
    """Return an app by its number, or one `of` this `user`; raises NotFound."""
    app = App.objects.filter(pk=app_id, **of).select_related("user").first()
    return require_found(app, Text("there is no app %(number)s", number=app_id))


class OwnAction(Action):
    """What a person does on a page with the apps of their account."""

    def check(self, call: Call, found: Any) -> None:
        person_of(call)


class OwnAppAction(OwnAction):
    """What a person does on a page with an app that they have registered."""

    def prepare(self, call: Call, found: Any) -> App:
        return find_app(call.address["app_id"], user=call.account)


class RegisterApp(OwnAction):
    body = AppSerializer
    is_shown = True

    def perform(self, call: Call, found: None) -> dict[str, Any]:
        app, secret = services.register_app(call.account, **call.body)
        return {"app": app, "secret": secret}


class RevokeApp(OwnAction):
    done = gettext_noop("The app has no access to your account any more.")

    def prepare(self, call: Call, found: Any) -> App:
        return find_app(call.address["app_id"])

    def perform(self, call: Call, app: App) -> None:
        services.revoke_app(call.account, app)


class ChangeApp(OwnAppAction):
    body = AppChangeSerializer
    done = gettext_noop("The app is changed.")

    def perform(self, call: Call, app: App) -> None:
        services.change_app(app, by=call.account, **call.body)


class RenewSecret(OwnAppAction):
    is_shown = True

    def perform(self, call: Call, app: App) -> dict[str, Any]:
        return {"app": app, "secret": services.renew_secret(app, by=call.account)}


class DeleteApp(OwnAppAction):
    done = gettext_noop("The app is deleted.")

    def perform(self, call: Call, app: App) -> None:
        services.delete_app(app, by=call.account)


class DisableApp(AdministerAccount):
    change = staticmethod(services.disable_app)
    done = gettext_noop("The app is disabled.")

    def prepare(self, call: Call, found: Any) -> App:
        return find_app(call.address["app_id"])


class EnableApp(DisableApp):
    change = staticmethod(services.enable_app)
    done = gettext_noop("The app works again.")


class AppsPage(PageView):
    """Which apps have access to an account, and which it has registered."""

    template = "games/core/apps.html"
    actions = {
        "register": Form(RegisterApp, is_typed=True),
        "revoke": Form(RevokeApp, ("app_id",)),
    }

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        account = person_of(request)
        state = self.form if self.form.detail else FormState()  # what is registered is not typed
        return {
            "logins": logins_of(account),
            "apps": App.objects.filter(user=account).order_by("name", "pk"),
            "fields": form_fields(AppSerializer(), FIELDS, state=state, action="register"),
            "is_deleted": just_done(request) == "delete",
        }


class AppPage(PageView):
    """An app that the account has registered."""

    template = "games/core/app.html"
    actions = {
        "change": Form(ChangeApp),
        "renew-secret": Form(RenewSecret),
        "delete": Form(DeleteApp),
    }

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        app = find_app(address["app_id"], user=person_of(request))
        values = {
            "name": app.name,
            "homepage": app.homepage,
            "redirect_uris": app.redirect_uris.split(),
        }
        names = [name for name in FIELDS if name != "kind"]
        fields = form_fields(
            AppChangeSerializer(), names, values=values, state=self.form, action="change"
        )
        return {"app": app, "fields": fields}

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the page of all apps after this one is deleted."""
        if name == "delete":
            return "/account/apps?done=delete"
        return super().next_address(request, name, content, **address)


class StaffAppsPage(PageView):
    """The apps of all accounts, the newest first, for the site's staff."""

    template = "games/core/staff_apps.html"
    actions = {
        "disable": Form(DisableApp, ("app_id",)),
        "enable": Form(EnableApp, ("app_id",)),
    }

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        require_staff(request)
        apps = App.objects.select_related("user").order_by("-created", "-pk")
        return {"apps": apps[:MOST_SHOWN]}
