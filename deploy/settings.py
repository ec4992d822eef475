"""The settings; everything that differs between installations is read from the environment.

The defaults are those of the embedded service of `manage.py up`: SQLite and Valkey in `var/`,
reachable from this machine only. `PERIHELION_ENV=production` requires what must not be left to a
default. deploy/docs/reference/settings.md lists the variables; `manage.py doctor` checks them.
"""

import os
import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

from deploy.environment import Environment, celery_address, socket_address, stored_text
from deploy.limits import quotas, rate_limits
from deploy.logs import logging_settings
from deploy.openapi import SPECTACULAR_SETTINGS as SPECTACULAR_SETTINGS
from deploy.schedule import CELERY_BEAT_SCHEDULE as CELERY_BEAT_SCHEDULE
from deploy.schedule import CELERY_TASK_QUEUES as CELERY_TASK_QUEUES
from deploy.schedule import CELERY_TASK_ROUTES as CELERY_TASK_ROUTES

env = Environment(os.environ)

# --- Installation -----------------------------------------------------------------------------
BASE_DIR = Path(__file__).resolve().parent.parent
STATE_DIR = (BASE_DIR / env.str("STATE_DIR", default="var")).resolve()
PRODUCTION = env.choice("PERIHELION_ENV", ("embedded", "production")) == "production"
DEBUG = env.flag("DEBUG")
PORT = env.number("PORT", 8000)
HOST = env.str("HOST", default="127.0.0.1")
PUBLIC_URL = env.str("PUBLIC_URL", default=f"http://localhost:{PORT}").rstrip("/")
DOCS_URL = env.str("DOCS_URL", default="")  # of the published documentation; the pages link to it
HTTPS = PUBLIC_URL.startswith("https://")
WEB_PROCESSES = env.number("WEB_PROCESSES", 1)
WEB_THREADS = env.number("WEB_THREADS", 8)
MAX_WAITING_REQUESTS = max(WEB_THREADS // 4, 1)  # of a process: each holds a thread
MAX_QUEUED_REQUESTS = env.number("MAX_QUEUED_REQUESTS", 512)  # of a process
WORKER_THREADS = env.number("WORKER_THREADS", 4)
SIMULATION_PROCESSES = env.number("SIMULATION_PROCESSES", min(2, os.cpu_count() or 1))
VERSION = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]["version"]

# --- Secrets and hosts ------------------------------------------------------------------------
SECRET_KEY_FILE = STATE_DIR / "secret-key"
"""Where `manage.py up` stores a generated key if SECRET_KEY is not set."""

SECRET_KEY = env.secret("SECRET_KEY")
if PRODUCTION and not SECRET_KEY:
    raise ImproperlyConfigured("SECRET_KEY is not set; in production it has no default.")
SECRET_KEY = SECRET_KEY or stored_text(SECRET_KEY_FILE) or get_random_secret_key()
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS", [])

_own_hosts = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = env.words(
    "ALLOWED_HOSTS", [*_own_hosts, urlsplit(PUBLIC_URL).hostname or "localhost"]
)
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
# Scripts of any site may use the API, and never send cookies: a token is known to the script.
CORS_ALLOW_ALL_ORIGINS = True
CORS_URLS_REGEX = r"^/api/"
CORS_PREFLIGHT_MAX_AGE = 7200
CORS_ALLOW_HEADERS = (
    "accept", "accept-language", "authorization", "content-language", "content-type",
    "idempotency-key", "if-match", "if-none-match", "last-event-id", "prefer", "x-request-id",
)  # fmt: skip
CORS_EXPOSE_HEADERS = (
    "Content-Disposition", "ETag", "Idempotent-Replayed", "Link", "Location", "RateLimit",
    "RateLimit-Policy", "Retry-After", "X-Request-ID",
)  # fmt: skip
BEHIND_PROXY = env.flag("BEHIND_PROXY")
LISTENERS_PER_ADDRESS = env.number("LISTENERS_PER_ADDRESS", 512)  # of the event stream
if BEHIND_PROXY:  # the proxy always sets this header
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "games.pages.unknown.old_form"
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

# --- Django -----------------------------------------------------------------------------------
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "games",
    "ratings",
    "tournament",
    "deploy",
    "corsheaders",
    "rest_framework",
    "django_filters",
    "django_htmx",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "deploy.middleware.log_requests",
    "corsheaders.middleware.CorsMiddleware",
    "deploy.middleware.describe_errors",
    "deploy.middleware.limit_bodies",
    "deploy.public_reads.answer_public_reads",
    "deploy.compression.compress_reads",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "deploy.middleware.set_content_policy",
]
ROOT_URLCONF = "deploy.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }
]
APPEND_SLASH = False
STATIC_URL = "/static/"
STATIC_ROOT = STATE_DIR / "static"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1 << 20
LARGEST_BUNDLE = env.number("LARGEST_BUNDLE_MIB", 32) << 20  # bytes
LARGEST_UNPACKED_BUNDLE = env.number("LARGEST_UNPACKED_BUNDLE_MIB", 128) << 20  # bytes
LARGEST_BUNDLE_RATIO = env.number("LARGEST_BUNDLE_RATIO", 20)  # events have 4 to 6
LOW_DISK = env.number("LOW_DISK_MIB", 1024) << 20  # bytes
RATING_GRACE_DAYS = env.number("RATING_GRACE_DAYS", 30)
CASUAL_GAMES_PER_DAY = env.number("CASUAL_GAMES_PER_DAY", 3)
PROPOSAL_DAYS = env.number("PROPOSAL_DAYS", 7)  # of a casual game
CASUAL_GAME_DAYS = env.number("CASUAL_GAME_DAYS", 90)  # for an accepted game without a report
WEBHOOK_NETWORKS = env.networks("WEBHOOK_NETWORKS")  # not public, but webhooks may go there
ANALYSIS_DAYS = env.number("ANALYSIS_DAYS", 180)  # until an analysis of a pool is deleted
PLAN_DAYS = env.number("PLAN_DAYS", 7)  # until a plan of an event is deleted
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
MIGRATION_MODULES = {"knox": None}  # games.Token replaces its table
LANGUAGE_CODE = "en-gb"
LOCALE_PATHS = [BASE_DIR / "deploy" / "locale"]
LANGUAGES = [("en-gb", "English"), ("de", "Deutsch"), ("fr", "Français")]  # of the pages
USE_TZ = True
TIME_ZONE = "UTC"

PASSWORD_HASHERS = ["deploy.hashers.Argon2", "django.contrib.auth.hashers.PBKDF2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# --- Accounts and email ------------------------------------------------------------------------
SIGN_UP = env.choice("SIGN_UP", ("open", "closed"))
# EMAIL_BACKEND, EMAIL_HOST, and what else the address contains.
globals().update(env.mail_server("EMAIL_URL", default="consolemail://"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str(
    "EMAIL_FROM", default=f"perihelion@{urlsplit(PUBLIC_URL).hostname or 'localhost'}"
)

# --- Database ---------------------------------------------------------------------------------
DATABASES: dict[str, dict[str, Any]] = {
    "default": env.database(
        "DATABASE_URL",
        f"sqlite:///{quote(str(STATE_DIR))}/perihelion.sqlite3",
        folder=BASE_DIR,
        threads=max(WEB_THREADS + 4, 2 * WORKER_THREADS + 1),  # event streams have four
        wait=env.number("DATABASE_WAIT", 20),
    )
}

# --- Broker and tasks -------------------------------------------------------------------------
REDIS_EMBEDDED = not env.str("REDIS_URL", default="")
REDIS_URL = env.broker("REDIS_URL", socket_address(STATE_DIR))
CELERY_BROKER_URL = celery_address(REDIS_URL)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Seconds until the message of a killed worker is delivered again. Longer than any task takes,
    # except large imports, and those are not started twice.
    "visibility_timeout": 60,
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
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # all intervals are short: no state to save

# --- Cache ------------------------------------------------------------------------------------
# On the broker, so that rate limits count across processes.
CACHES = {"default": {"BACKEND": "deploy.cache.BrokerCache", "KEY_PREFIX": "perihelion"}}
RESPONSE_CACHE = env.number("RESPONSE_CACHE_MIB", 32, least=0) << 20  # bytes, of a process

# --- Limits -----------------------------------------------------------------------------------
RATE_LIMITS = rate_limits(env)
QUOTAS = quotas(env)

# --- Logs -------------------------------------------------------------------------------------
LOGGING = logging_settings(
    env.choice("LOG_FORMAT", ("json", "plain") if PRODUCTION else ("plain", "json")),
    env.choice("LOG_LEVEL", ("INFO", "DEBUG", "WARNING", "ERROR", "CRITICAL")),
)

# --- REST API ---------------------------------------------------------------------------------
AUTH_USER_MODEL = "games.Account"
KNOX_TOKEN_MODEL = "games.Token"
LONGEST_TOKEN_LIFETIME = timedelta(days=366)
TOKEN_LIFETIME = timedelta(days=env.number("TOKEN_DAYS", 90, most=LONGEST_TOKEN_LIFETIME.days))
REST_KNOX = {"TOKEN_PREFIX": "peri_", "TOKEN_TTL": None, "AUTH_HEADER_PREFIX": "Bearer"}
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.accounts.authentication.BearerAuthentication",
        "games.pages.session.SessionReads",
    ],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "games.http.negotiation.LenientNegotiation",
    "DEFAULT_PARSER_CLASSES": ["games.http.parsers.StrictJSONParser"],
    "DEFAULT_PAGINATION_CLASS": "games.http.pagination.CursorPages",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "deploy.schema.ApiSchema",
    "EXCEPTION_HANDLER": "deploy.api.exception_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "DEFAULT_THROTTLE_CLASSES": ["games.http.rate_limits.RateThrottle"],
    "NUM_PROXIES": 1 if BEHIND_PROXY else 0,  # else X-Forwarded-For may be forged
    "DATETIME_FORMAT": "iso-8601",
    "URL_FORMAT_OVERRIDE": None,  # a format is chosen by suffix or Accept, not by ?format=
}
