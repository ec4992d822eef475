"""How much one reader or account may ask of the service; each limit is a variable of its own."""

from deploy.environment import Environment


def rate_limits(env: Environment) -> dict[str, int]:
    """Return the units a minute of an address, a token and a login (games/http/rate_limits.py)."""
    return {
        "anonymous": env.number("RATE_LIMIT_ANONYMOUS", 3_000),
        "token": env.number("RATE_LIMIT_TOKEN", 6_000),
        "login": env.number("RATE_LIMIT_LOGIN", 20),
    }


def quotas(env: Environment) -> dict[str, int]:
    """Return how much may be stored, in numbers and bytes, for each purpose (games/quotas.py)."""
    return {
        "reports": env.number("QUOTA_REPORTS", 30),
        "record_bytes": env.number("QUOTA_RECORD_BYTES", 2 << 20),
        "rejected_records": env.number("QUOTA_REJECTED_RECORDS", 50),
        "entries": env.number("QUOTA_ENTRIES", 10_000),
        "responses": env.number("QUOTA_RESPONSES", 5_000),
        "response_bytes": env.number("QUOTA_RESPONSE_BYTES", 16 << 20),
        "proposals": env.number("QUOTA_PROPOSALS", 20),
        "tokens": env.number("QUOTA_TOKENS", 50),
        "events_per_day": env.number("QUOTA_EVENTS_PER_DAY", 50),
        "invitations": env.number("QUOTA_INVITATIONS", 50),
        "webhooks": env.number("QUOTA_WEBHOOKS", 20),
        "plans_per_day": env.number("QUOTA_PLANS_PER_DAY", 50),
    }
