"""The queues of the tasks, and the schedule of the periodic ones, in seconds.

A periodic task finds work whose message was lost, or that is due at this time.
"""

from typing import Any

# A worker serves all queues; its option -Q selects some.
CELERY_TASK_QUEUES: dict[str, dict[str, str]] = {
    "results": {},
    "ratings": {},
    "mail": {},
    "webhooks": {},
    "analyses": {},  # what computes for long: its worker runs a task in a process with a time limit
}
CELERY_TASK_ROUTES = {
    "tournament.tasks.send_webhooks": {"queue": "webhooks"},
    "tournament.tasks.send_webhook_notices": {"queue": "mail"},
    "ratings.tasks.analyse*": {"queue": "analyses"},
    "ratings.*": {"queue": "ratings"},
    "tournament.*": {"queue": "ratings"},  # long tasks must not delay results
    "games.tasks.import_*": {"queue": "ratings"},
    "games.tasks.index_*": {"queue": "ratings"},
    "games.tasks.send_*": {"queue": "mail"},
}
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    # `expires` prevents a backlog while no worker runs.
    "tick": {"task": "deploy.tasks.tick", "schedule": 10, "options": {"expires": 10}},
    "settle": {"task": "games.tasks.settle_due", "schedule": 10, "options": {"expires": 10}},
    "retry": {"task": "games.tasks.retry_failed", "schedule": 3600, "options": {"expires": 3600}},
    "expire": {
        "task": "games.tasks.expire_casual_games",
        "schedule": 60,
        "options": {"expires": 60},
    },
    "forget": {
        "task": "games.tasks.delete_old_responses",
        "schedule": 600,
        "options": {"expires": 600},
    },
    "sessions": {
        "task": "games.tasks.delete_old_sessions",
        "schedule": 3600,
        "options": {"expires": 3600},
    },
    "index": {"task": "games.tasks.index_games", "schedule": 60, "options": {"expires": 60}},
    "import": {"task": "games.tasks.import_due", "schedule": 10, "options": {"expires": 10}},
    "mail": {"task": "games.tasks.send_due_links", "schedule": 60, "options": {"expires": 60}},
    "analyse": {"task": "ratings.tasks.analyse_due", "schedule": 60, "options": {"expires": 60}},
    "rate": {"task": "ratings.tasks.sweep_pools", "schedule": 30, "options": {"expires": 30}},
    # Once an hour, so that one night without a worker is made up for; each pool is verified once a
    # day (UTC).
    "verify": {
        "task": "ratings.tasks.verify_pools",
        "schedule": 3600,
        "options": {"expires": 3600},
    },
    "webhooks": {
        "task": "tournament.tasks.send_webhooks",
        "schedule": 5,
        "options": {"expires": 5},
    },
    "notices": {
        "task": "tournament.tasks.send_webhook_notices",
        "schedule": 60,
        "options": {"expires": 60},
    },
    "deliveries": {
        "task": "tournament.tasks.delete_old_deliveries",
        "schedule": 3600,
        "options": {"expires": 3600},
    },
    "forecast": {
        "task": "tournament.tasks.forecast_due",
        "schedule": 60,
        "options": {"expires": 60},
    },
    "explain": {
        "task": "tournament.tasks.explain_due",
        "schedule": 60,
        "options": {"expires": 60},
    },
    "plan": {"task": "tournament.tasks.plan_due", "schedule": 30, "options": {"expires": 30}},
}
