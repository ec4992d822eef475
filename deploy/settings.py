"""The settings; everything that differs between installations is read from the environment.

The defaults are those of the embedded service of `manage.py up`: SQLite and Valkey in `var/`,
reachable from this machine only. `PERIHELION_ENV=production` requires what must not be left to a
default. deploy/docs/reference/settings.md lists the variables; `manage.py doctor` checks them.
"""

import os
import re
from contextlib import suppress
from datetime import timedelta
from email.utils import parseaddr
from ipaddress import ip_network
from pathlib import Path
from typing import Any, ClassVar, Final
from urllib.parse import quote, urlsplit
from zoneinfo import ZoneInfoNotFoundError, available_timezones

import environ
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key
from tzlocal import get_localzone_name

from deploy import __version__
from deploy.logs import logging_settings
from deploy.openapi import OPENAPI
from deploy.schedule import CELERY_BEAT_SCHEDULE as CELERY_BEAT_SCHEDULE
from deploy.schedule import CELERY_TASK_ANNOTATIONS as CELERY_TASK_ANNOTATIONS
from deploy.schedule import CELERY_TASK_QUEUES as CELERY_TASK_QUEUES
from deploy.schedule import CELERY_TASK_ROUTES as CELERY_TASK_ROUTES
from deploy.valkey import celery_address, socket_address

for _name in [name for name, value in os.environ.items() if not value.strip()]:
    del os.environ[_name]  # an empty variable counts as not set


YES: Final = ("1", "true", "yes", "on")


class Env(environ.Env):
    """django-environ, whose errors name the variable; `known` are the variables that were asked."""

    known: ClassVar[set[str]] = {
        "SECRET_KEY", "SECRET_KEY_FALLBACKS", "OIDC_CLIENT_SECRET", "SENTRY_DSN",
    }  # fmt: skip

    def get_value(self, var: str, *args: Any, **kwargs: Any) -> Any:
        """Return a variable; raise ImproperlyConfigured for a wrong one."""
        self.known.add(var)
        try:
            return super().get_value(var, *args, **kwargs)
        except (ValueError, ImproperlyConfigured) as error:
            raise ImproperlyConfigured(f"{var}: {error}.") from error

    def number(self, var: str, default: int) -> int:
        """Return a variable as an integer that is not negative."""
        return int(self.get_value(var, cast=_number, default=default))

    def choice(self, var: str, *choices: str) -> str:
        """Return a variable as one of the choices; the first is the default."""

        def cast(text: str) -> str:
            if text.lower() not in choices:
                raise ValueError(f"{text!r} is not one of: {', '.join(choices)}")
            return text.lower()

        return str(self.get_value(var, cast=cast, default=choices[0]))

    def flag(self, var: str) -> bool:
        """Return a variable as true or false, which is the default."""
        return self.choice(var, "0", "1", "false", "true", "no", "yes", "off", "on") in YES

    def words(self, var: str, default: list[str]) -> list[str]:
        """Return a variable as a list of words separated by commas."""
        return list(self.list(var, cast=str.strip, default=default))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"{text!r} is not a whole number, 0 or more")
    return int(text)


def _zone(text: str) -> str:
    if text not in available_timezones():
        raise ValueError(f"{text!r} is no time zone, such as Europe/Warsaw")
    return text


def _machine_zone() -> str:
    """Return the time zone of this machine; UTC if its configuration names none."""
    try:
        name = get_localzone_name()
    except ZoneInfoNotFoundError:  # its files name different ones
        return "UTC"
    return name if name in available_timezones() else "UTC"


def _address(text: str) -> str:
    with suppress(ValueError):  # a bracket is missing, or the port is no number
        parts = urlsplit(text)
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return text.rstrip("/")
    raise ValueError(f"{text!r} is no address; write https://host or http://host:8000")


def _origin(text: str) -> str:
    """Return the address of the service, whose pages begin at `/`."""
    address = _address(text)
    parts = urlsplit(address)
    if parts.path or parts.query or parts.fragment or "@" in parts.netloc or "," in parts.netloc:
        raise ValueError(
            f"{text!r} is more than scheme, host and port; write https://host or http://host:8000"
        )
    return address


def _sender(text: str) -> str:
    if "@" not in parseaddr(text)[1]:
        raise ValueError(f"{text!r} is no address; write ratings@example.org or Club <club@...>")
    return text


def _mail_server(text: str) -> dict[str, Any]:
    """Return EMAIL_BACKEND, EMAIL_HOST, and what else the address of a mail server contains."""
    try:
        config = environ.Env.email_url_config(text)
    except (ValueError, ImproperlyConfigured):
        config = {}
    if not config or (text.startswith("smtp") and not config["EMAIL_HOST"]):
        raise ValueError("write smtp+tls://name:secret@host:587 or consolemail://")
    return config


def _issuer(text: str) -> str:
    """Return an address as it is written: that of an issuer may end with a slash."""
    _address(text)
    return text


def _push_key(text: str) -> str:
    """Return a private key of Web Push: 32 bytes in the Base64 of addresses."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{43}", text):
        raise ValueError("write what `manage.py push_key` prints")
    return text


def _contact(text: str) -> str:
    """Return where weaknesses are reported, as a URI."""
    uri = text if text.startswith(("https://", "mailto:")) else f"mailto:{text}"
    address = uri.removeprefix("mailto:").removeprefix("https://")
    lacks_host = uri.startswith("mailto:") and "@" not in address
    if lacks_host or not (text.isascii() and text.isprintable()) or " " in text:
        raise ValueError(f"{text!r} is no address; write security@example.org or https://...")
    return uri


env = Env()

# --- Installation -----------------------------------------------------------------------------
BASE_DIR = Path(__file__).resolve().parent.parent
FOLDER = BASE_DIR  # relative paths begin here
if not (BASE_DIR / "manage.py").is_file():  # installed as a package
    FOLDER = Path.home() / ".local" / "share" / "perihelion"
STATE_DIR = (FOLDER / env.str("STATE_DIR", default="var")).resolve()
PRODUCTION = env.choice("PERIHELION_ENV", "embedded", "production") == "production"
DEBUG = env.flag("DEBUG")
if PRODUCTION and DEBUG:
    raise ImproperlyConfigured(
        "DEBUG is set; in production it shows program internals to visitors."
    )
PORT = env.number("PORT", 8000)
HOST = env.str("HOST", default="127.0.0.1")
PUBLIC_URL = env.get_value("PUBLIC_URL", cast=_origin, default=f"http://localhost:{PORT}")
DOCS_ROOT = BASE_DIR / "deploy" / "site"  # the documentation, once `make docs` has built it
DOCS_URL = env.get_value(
    "DOCS_URL", cast=_address, default=f"{PUBLIC_URL}/docs/" if DOCS_ROOT.is_dir() else ""
)  # to which the pages link
# The texts of the site's terms and of its privacy notice (deploy/legal).
LEGAL_DIR = (BASE_DIR / env.str("LEGAL_DIR")).resolve() if env.str("LEGAL_DIR", "") else None
LEGAL_PAGES = [
    name for name in ("terms", "privacy") if LEGAL_DIR and (LEGAL_DIR / f"{name}.txt").is_file()
]
SECURITY_CONTACT = env.get_value("SECURITY_CONTACT", cast=_contact, default="")
HTTPS = PUBLIC_URL.startswith("https://")
WEB_PROCESSES = env.number("WEB_PROCESSES", 1)
WEB_THREADS = env.number("WEB_THREADS", 8)
# Of a process. Each holds a thread, and at most half of those that its client may have.
MAX_WAITING_REQUESTS = WEB_THREADS // 8
DRAIN_SECONDS = env.number("DRAIN_SECONDS", 0)  # from SIGTERM until a web server stops
WORKER_THREADS = env.number("WORKER_THREADS", 4)
ANALYSIS_MIB = env.number("ANALYSIS_MIB", 1_500)  # memory of a task of `imports`, `analyses`
SIMULATION_PROCESSES = env.number("SIMULATION_PROCESSES", min(2, os.cpu_count() or 1))
VERSION = __version__

# --- Secrets and hosts ------------------------------------------------------------------------
SECRET_KEY_FILE = STATE_DIR / "secret-key"
"""Where `manage.py up` stores a generated key if SECRET_KEY is not set."""

# Not by django-environ, for which a dollar sign begins the name of another variable.
SECRET_KEY = os.environ.get("SECRET_KEY", "")
if PRODUCTION and not SECRET_KEY:
    raise ImproperlyConfigured(
        "SECRET_KEY is not set; in production it has no default. `openssl rand -base64 48` prints a"
        " good one."
    )
if not SECRET_KEY and SECRET_KEY_FILE.exists():
    SECRET_KEY = SECRET_KEY_FILE.read_text().strip()
SECRET_KEY = SECRET_KEY or get_random_secret_key()
_fallbacks = os.environ.get("SECRET_KEY_FALLBACKS", "").split(",")
SECRET_KEY_FALLBACKS = [key.strip() for key in _fallbacks if key.strip()]

_own_hosts = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = env.words(
    "ALLOWED_HOSTS", [*_own_hosts, urlsplit(PUBLIC_URL).hostname or "localhost"]
)
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
# Scripts of any site may use the API, and never send cookies: a token is known to the script.
CORS_ALLOW_ALL_ORIGINS = True
CORS_URLS_REGEX = r"^/(api(/|$)|oauth/(token|revoke)$|\.well-known/oauth-authorization-server$)"
CORS_PREFLIGHT_MAX_AGE = 7200
CORS_ALLOW_HEADERS = (
    "accept", "accept-language", "authorization", "content-language", "content-type",
    "idempotency-key", "if-match", "if-none-match", "last-event-id", "prefer", "x-request-id",
)  # fmt: skip
CORS_EXPOSE_HEADERS = (
    "Content-Disposition", "Deprecation", "ETag", "Idempotent-Replayed", "Link", "Location",
    "Preference-Applied", "RateLimit", "RateLimit-Policy", "Retry-After", "Sunset",
    "WWW-Authenticate", "X-Request-ID",
)  # fmt: skip
BEHIND_PROXY = env.flag("BEHIND_PROXY")
LISTENERS_PER_ADDRESS = env.number("LISTENERS_PER_ADDRESS", 512)  # of the event stream
if BEHIND_PROXY:  # the proxy always sets this header
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

SESSION_DAYS = env.number("SESSION_DAYS", 14)  # until a login of a browser ends
SESSION_COOKIE_AGE = SESSION_DAYS * 86_400
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "games.core.pages.old_form"
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)

# --- Django -----------------------------------------------------------------------------------
INSTALLED_APPS = [
    "games",  # before auth, whose command createsuperuser it extends
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "ratings",
    "tournament",
    "deploy",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "corsheaders",
    "rest_framework",
    "django_filters",
    "django_htmx",
    "knox",
    "oauth2_provider",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "deploy.middleware.log_requests",
    "deploy.middleware.store_nothing_private",
    "corsheaders.middleware.CorsMiddleware",
    "deploy.middleware.describe_errors",
    "deploy.middleware.limit_bodies",
    "deploy.public_reads.answer_public_reads",
    "deploy.middleware.CompressReads",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "deploy.middleware.RefuseRepetitions",
    "django.contrib.messages.middleware.MessageMiddleware",
    "deploy.middleware.translate_account_pages",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "deploy.middleware.set_content_policy",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]
ROOT_URLCONF = "deploy.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.messages.context_processors.messages",
                "games.core.pages.account_frame",
                "ratings.core.pools.pool_names",
            ]
        },
    }
]
APPEND_SLASH = False
STATIC_URL = "/static/"
STATIC_ROOT = (FOLDER / env.str("STATIC_ROOT", default=str(STATE_DIR / "static"))).resolve()
FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o600, 0o700  # of STATIC_ROOT
DATA_UPLOAD_MAX_MEMORY_SIZE = 1 << 20
LARGEST_BUNDLE = env.number("LARGEST_BUNDLE_MIB", 32) << 20  # bytes
LARGEST_UNPACKED_BUNDLE = env.number("LARGEST_UNPACKED_BUNDLE_MIB", 128) << 20  # bytes
LARGEST_BUNDLE_RATIO = env.number("LARGEST_BUNDLE_RATIO", 20)  # events have 4 to 6
LOW_DISK = env.number("LOW_DISK_MIB", 1024) << 20  # bytes
RATING_GRACE_DAYS = env.number("RATING_GRACE_DAYS", 30)
CASUAL_GAMES_PER_DAY = env.number("CASUAL_GAMES_PER_DAY", 3)
CASUAL_GAMES_PER_MONTH = env.number("CASUAL_GAMES_PER_MONTH", 6)
PROPOSAL_DAYS = env.number("PROPOSAL_DAYS", 7)  # of a casual game
CASUAL_GAME_DAYS = env.number("CASUAL_GAME_DAYS", 90)  # for an accepted game without a report
# Not public, but webhooks may go there.
WEBHOOK_NETWORKS = env.list("WEBHOOK_NETWORKS", cast=ip_network, default=[])
ANALYSIS_DAYS = env.number("ANALYSIS_DAYS", 180)  # until an analysis of a pool is deleted
UNUSED_PLAYER_DAYS = env.number("UNUSED_PLAYER_DAYS", 180)  # until it is deleted
LINK_DAYS = env.number("LINK_DAYS", 30)  # until an expired link is deleted, with its address
UPLOAD_DAYS = env.number("UPLOAD_DAYS", 1)  # until the result of an import is deleted
RESPONSE_DAYS = env.number("RESPONSE_DAYS", 1)  # until a response to a keyed request is deleted
DELIVERY_DAYS = env.number("DELIVERY_DAYS", 30)  # until the log of a webhook forgets a delivery
CLOSED_ACCOUNT_DAYS = env.number("CLOSED_ACCOUNT_DAYS", 30)  # until a closed account is erased
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
MIGRATION_MODULES = {"knox": None}  # games.Token replaces its table
LANGUAGE_CODE = "en-gb"
LOCALE_PATHS = [BASE_DIR / "deploy" / "locale"]
LANGUAGES = [("en-gb", "English"), ("de", "Deutsch"), ("fr", "Français")]  # of the pages
TIME_ZONE = "UTC"  # of the API and of what is stored
SITE_TIME_ZONE = env.get_value("SITE_TIME_ZONE", cast=_zone, default=_machine_zone())
os.environ["SITE_TIME_ZONE"] = SITE_TIME_ZONE  # for child processes, whose TZ Django sets to UTC

PASSWORD_HASHERS = ["deploy.hashers.Argon2", "django.contrib.auth.hashers.PBKDF2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# --- Accounts and email ------------------------------------------------------------------------
SIGN_UP = env.choice("SIGN_UP", "open", "closed")
if PRODUCTION and "EMAIL_URL" not in os.environ:
    raise ImproperlyConfigured(
        "EMAIL_URL is not set; in production it has no default, with which secret links would be"
        " written to the log. Set EMAIL_URL=smtp+tls://name:secret@host:587."
    )
vars().update(
    env.get_value("EMAIL_URL", cast=_mail_server, default="consolemail://", parse_default=True)
)
EMAIL_TIMEOUT = 10
PUSH_KEY = env.get_value("PUSH_KEY", cast=_push_key, default="")  # manage.py push_key
MAIL_RATE = max(1, env.number("MAIL_RATE", 10))  # mails a second with messages of events
DEFAULT_FROM_EMAIL = env.get_value(
    "EMAIL_FROM", cast=_sender, default=f"perihelion@{urlsplit(PUBLIC_URL).hostname or 'localhost'}"
)

AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "/"
PASSWORD_RESET_TIMEOUT = 3600
EVEN_TIME = 0.2  # seconds: no answer to a sign-up or a reset is sent before
ACCOUNT_ADAPTER = "games.core.accounts.adapter.AccountAdapter"
USERSESSIONS_ADAPTER = "games.core.accounts.adapter.SessionsAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_SIGNUP_FORM_CLASS = "games.core.accounts.sign_up.NameForm"
ACCOUNT_FORMS = {
    "login": "games.core.accounts.forms.LoginForm",
    "signup": "games.core.accounts.forms.SignUpForm",
    "add_email": "games.core.accounts.forms.AddEmailForm",
    "reset_password": "games.core.accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "games.core.accounts.forms.NewPasswordForm",
}
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 1
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_CHANGE_EMAIL = True  # an account has one address
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True  # in the browser that has signed up
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # to change the address
# Single sign-on at a provider of OpenID Connect, such as that of the club or the university.
OIDC_URL = env.get_value("OIDC_URL", cast=_issuer, default="")
OIDC_APP = {
    "provider_id": "sign-on",
    "name": env.str("OIDC_NAME", default="OpenID Connect"),
    "client_id": env.str("OIDC_CLIENT_ID", default=""),
    # Not by django-environ, for which a dollar sign begins the name of another variable.
    "secret": os.environ.get("OIDC_CLIENT_SECRET", ""),
    "settings": {
        "server_url": OIDC_URL,
        "oauth_pkce_enabled": True,
        # Whom the provider names by a confirmed address gets the account that has it.
        "email_authentication": env.flag("OIDC_LINK_BY_EMAIL"),
    },
}
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "APPS": [OIDC_APP] if OIDC_URL else [],
        "provider_class": "games.core.accounts.single_sign_on.Provider",
    }
}
SOCIALACCOUNT_ADAPTER = "games.core.accounts.adapter.SignOnAdapter"
SOCIALACCOUNT_FORMS = {"signup": "games.core.accounts.forms.SignOnForm"}
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_LOGIN_ON_GET = True  # the policy of contents lets no form lead to another site
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS  # browsers allow it for localhost alone
MFA_TOTP_ISSUER = "Perihelion"
MFA_FORMS = {
    "authenticate": "games.core.accounts.forms.CodeForm",
    "reauthenticate": "games.core.accounts.forms.ConfirmByCodeForm",
    "activate_totp": "games.core.accounts.forms.AddAppForm",
    "add_webauthn": "games.core.accounts.forms.AddPasskeyForm",
    "authenticate_webauthn": "games.core.accounts.forms.PasskeyForm",
    "login_webauthn": "games.core.accounts.forms.PasskeyLoginForm",
    "reauthenticate_webauthn": "games.core.accounts.forms.ConfirmByPasskeyForm",
}

# --- Database ---------------------------------------------------------------------------------
DATABASE_WAIT = env.number("DATABASE_WAIT", 20)  # seconds, for a lock or a connection
_SQLITE: Final = {
    # Without IMMEDIATE, two requests that read and then write fail with "database is locked".
    "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=wal; PRAGMA synchronous=normal;",
    "timeout": DATABASE_WAIT,
}
_POOL: Final = {
    "min_size": 1,
    # Each thread has a connection; event streams have four threads, and the health has one.
    "max_size": max(WEB_THREADS + 5, WORKER_THREADS + 1),
    "timeout": DATABASE_WAIT / 5,  # then deploy/postgresql looks why there is none
    # By default, the pool tries ever more rarely to connect again, for five minutes. A thread that
    # needs a connection lets it begin anew.
    "reconnect_timeout": 1,
}


def _database(text: str) -> dict[str, Any]:
    """Return the entry of DATABASES for a URL."""
    form = "write sqlite:///folder/file or postgresql://name:secret@host:5432/database"
    if not text.startswith(("sqlite:///", "postgresql://", "postgres://")):
        raise ValueError(form)
    try:
        config = environ.Env.db_url_config(text)
    except ValueError as error:
        raise ValueError(f"{error}; {form}") from error
    if not config["NAME"] or config["NAME"] == ":memory:":
        raise ValueError("the name of the database is missing at the end")
    options = config.setdefault("OPTIONS", {})
    if config["ENGINE"].endswith("sqlite3"):
        options.update(_SQLITE)
        return {**config, "NAME": FOLDER / config["NAME"], "CONN_MAX_AGE": None}
    for key in {"host", "port", "user", "password"} & options.keys():
        config[key.upper()] = options.pop(key)
    milliseconds = DATABASE_WAIT * 1000
    lock_timeout = f"{options.get('options', '')} -c lock_timeout={milliseconds}".strip()
    # A server that has left the network without a word is given up after the same time.
    network = {"connect_timeout": 5, "keepalives_idle": 10, "tcp_user_timeout": milliseconds}
    config["OPTIONS"] = {**network, **options, "options": lock_timeout, "pool": _POOL}
    return {**config, "ENGINE": "deploy.postgresql", "CONN_HEALTH_CHECKS": True}


DATABASES: dict[str, dict[str, Any]] = {
    "default": env.get_value(
        "DATABASE_URL",
        cast=_database,
        default=f"sqlite:///{quote(str(STATE_DIR))}/perihelion.sqlite3",
        parse_default=True,
    )
}

# --- Broker and tasks -------------------------------------------------------------------------
REDIS_EMBEDDED = "REDIS_URL" not in os.environ
REDIS_URL = env.str("REDIS_URL", default=socket_address(STATE_DIR))
CELERY_BROKER_URL = celery_address(REDIS_URL)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Seconds until the message of a killed worker is delivered again: longer than any task takes.
    # The sweeps find what it has not done before that.
    "visibility_timeout": 3600,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    # Without these, sending over a half-open connection never returns.
    "socket_timeout": 2,
    "socket_connect_timeout": 2,
    "max_retries": 0,  # a request must not wait for an unavailable broker
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CHANNEL_ERROR_RETRY = True  # a broker with a full disk refuses commands
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True  # the result of a task is in the database
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0}
CELERY_TASK_DEFAULT_QUEUE = "results"
JOURNAL_TASK = "tournament.tasks.send_webhooks"  # it follows new lines of journals
CELERY_TIMEZONE = "UTC"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULER = "deploy.celery:Scheduler"  # all intervals are short: no state to save

# --- Cache ------------------------------------------------------------------------------------
STORED_RESPONSES = env.number("STORED_RESPONSES", 400)  # of a process, each up to 128 KiB
CACHES = {
    # Of all processes: the limits of requests, and which codes of a second factor are used.
    "default": {"BACKEND": "games.core.cache.SharedCache"},
    "memory": {  # instead of "default" while the broker does not respond (games/core/cache.py)
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    },
    "large_responses": {  # of a process, each up to 12 MiB (deploy/public_reads.py)
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "large_responses",
        "TIMEOUT": 600,
        "OPTIONS": {"MAX_ENTRIES": 12},
    },
    "responses": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "responses",
        "TIMEOUT": 600,
        "OPTIONS": {"MAX_ENTRIES": STORED_RESPONSES},
    },
}

# --- Limits -----------------------------------------------------------------------------------
RATE_LIMITS = {  # requests a minute by scope, and failed logins (games/core/limits.py)
    "anonymous": env.number("RATE_LIMIT_ANONYMOUS", 3_000),
    "account": env.number("RATE_LIMIT_ACCOUNT", 6_000),
    "token": env.number("RATE_LIMIT_TOKEN", 3_000),
    "dear": env.number("RATE_LIMIT_DEAR", 120),
    "login": env.number("RATE_LIMIT_LOGIN", 20),
}
_logins = RATE_LIMITS["login"]
ACCOUNT_RATE_LIMITS = {  # of allauth's pages; "ip" is an address, "key" an account or its email
    "login_failed": f"{_logins}/m/ip,{_logins}/5m/key",
    "reset_password": f"{_logins}/m/ip,5/h/key",
    "signup": f"{_logins}/m/ip,{10 * _logins}/d/ip",
    "confirm_email": "1/3m/key,10/d/key",  # messages to one address
    "manage_email": "10/m/user,20/d/user",  # messages to the addresses that an account names
}
QUOTAS = {  # how much may be stored for each purpose, in numbers and bytes (games/core/limits.py)
    "reports": env.number("QUOTA_REPORTS", 30),
    "record_bytes": env.number("QUOTA_RECORD_BYTES", 2 << 20),
    "rejected_records": env.number("QUOTA_REJECTED_RECORDS", 50),
    "entries": env.number("QUOTA_ENTRIES", 10_000),
    "responses": env.number("QUOTA_RESPONSES", 5_000),
    "response_bytes": env.number("QUOTA_RESPONSE_BYTES", 16 << 20),
    "proposals": env.number("QUOTA_PROPOSALS", 20),
    "players_per_day": env.number("QUOTA_PLAYERS_PER_DAY", 5_000),
    "applications_by_account": env.number("QUOTA_APPLICATIONS_BY_ACCOUNT", 50),
    "applications_by_link": env.number("QUOTA_APPLICATIONS_BY_LINK", 500),
    "applications_to_event": env.number("QUOTA_APPLICATIONS_TO_EVENT", 1_000),
    "claims": env.number("QUOTA_CLAIMS", 5),
    "name_reports": env.number("QUOTA_NAME_REPORTS", 20),
    "tokens": env.number("QUOTA_TOKENS", 50),
    "apps": env.number("QUOTA_APPS", 10),
    "app_logins": env.number("QUOTA_APP_LOGINS", 100),
    "waiting_jobs": env.number("QUOTA_WAITING_JOBS", 3),
    "events_per_day": env.number("QUOTA_EVENTS_PER_DAY", 50),
    "invitations": env.number("QUOTA_INVITATIONS", 50),
    "invitations_by_sender": env.number("QUOTA_INVITATIONS_BY_SENDER", 20),
    "invitations_to_recipient": env.number("QUOTA_INVITATIONS_TO_RECIPIENT", 5),
    "game_mails_by_sender": env.number("QUOTA_GAME_MAILS_BY_SENDER", 30),
    "game_mails_to_recipient": env.number("QUOTA_GAME_MAILS_TO_RECIPIENT", 10),
    "webhooks": env.number("QUOTA_WEBHOOKS", 20),
}

# --- Logs -------------------------------------------------------------------------------------
LOGGING = logging_settings(
    env.choice("LOG_FORMAT", *(("json", "plain") if PRODUCTION else ("plain", "json"))),
    env.choice("LOG_LEVEL", "info", "debug", "warning", "error", "critical").upper(),
)

SENTRY_DSN = os.environ.get("SENTRY_DSN", "")  # where errors are reported

SPECTACULAR_SETTINGS = OPENAPI | {
    "SERVERS": [{"url": PUBLIC_URL}],
    "CONTACT": {"name": "Perihelion", "url": PUBLIC_URL},
}
# --- REST API ---------------------------------------------------------------------------------
AUTH_USER_MODEL = "games.Account"
KNOX_TOKEN_MODEL = "games.Token"
LONGEST_TOKEN_LIFETIME = timedelta(days=366)
TOKEN_LIFETIME = timedelta(days=min(env.number("TOKEN_DAYS", 90), 10**6))
REST_KNOX = {"TOKEN_PREFIX": "peri_", "TOKEN_TTL": None, "AUTH_HEADER_PREFIX": "Bearer"}
OAUTH2_PROVIDER_APPLICATION_MODEL = "games.App"
OAUTH2_PROVIDER = {  # apps of others (games/core/oauth)
    "OAUTH2_SERVER_CLASS": "oauthlib.oauth2.WebApplicationServer",  # codes and refresh tokens
    "OIDC_ISS_ENDPOINT": PUBLIC_URL,  # the issuer, whatever host a request has named
    "OAUTH2_VALIDATOR_CLASS": "games.core.oauth.validator.Validator",
    "SCOPES_BACKEND_CLASS": "games.core.oauth.scopes.Scopes",
    "ACCESS_TOKEN_GENERATOR": "games.core.oauth.secrets.access_token",
    "REFRESH_TOKEN_GENERATOR": "games.core.oauth.secrets.refresh_token",
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": 60,
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    "REFRESH_TOKEN_EXPIRE_SECONDS": int(TOKEN_LIFETIME.total_seconds()),  # since the last use
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https"],
    "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token"],
    "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
    "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": [
        "client_secret_basic",
        "client_secret_post",
        "none",
    ],
    # What RFC 9700 (OAuth 2.0 Security Best Current Practice) recommends.
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
    "COMPLIANT_BCP_RFC9700_REFRESH_TOKEN": True,
    "COMPLIANT_BCP_RFC9700_REDIRECT_URI_SCHEME": True,
    "COMPLIANT_BCP_RFC9700_REDIRECT_URI_MATCHING": True,
    "COMPLIANT_BCP_RFC9700_PKCE_REQUIRED": True,
}
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.core.authentication.BearerAuthentication",
        "games.core.authentication.SessionReads",
    ],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "games.core.formats.ByQuality",
    "DEFAULT_PARSER_CLASSES": ["games.core.formats.StrictJSONParser"],
    "DEFAULT_PAGINATION_CLASS": "games.core.pagination.CursorPages",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "games.core.openapi.schema.ApiSchema",
    "EXCEPTION_HANDLER": "games.core.problems.exception_handler",
    "DEFAULT_THROTTLE_CLASSES": [
        f"games.core.limits.{scope}Throttle" for scope in ("Anonymous", "Token", "Account", "Dear")
    ],
    "NUM_PROXIES": 1 if BEHIND_PROXY else 0,  # else X-Forwarded-For may be forged
    "URL_FORMAT_OVERRIDE": None,  # a format is chosen by suffix or Accept, not by ?format=
}

# Names of variables, among which misspelled ones and those that nothing reads are looked for.
VARIABLES = frozenset(env.known)
