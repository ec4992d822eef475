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
    "analyses": {},  # what computes for long: its worker has limits of time and memory
}
CELERY_TASK_ROUTES = {
    "tournament.tasks.send_webhooks": {"queue": "webhooks"},
    "tournament.tasks.send_webhook_notices": {"queue": "mail"},
    "tournament.tasks.delete_*": {"queue": "webhooks"},
    "tournament.*": {"queue": "analyses"},  # explanations, forecasts, imports
    "ratings.tasks.analyse*": {"queue": "analyses"},
    "ratings.tasks.import_*": {"queue": "analyses"},
    "ratings.*": {"queue": "ratings"},
    "games.tasks.import_*": {"queue": "analyses"},
    "games.tasks.index_*": {"queue": "ratings"},
    "games.tasks.send_*": {"queue": "mail"},
}
SECONDS = {
    "tournament.tasks.explain": 300,
    "tournament.tasks.forecast": 120,
    "tournament.tasks.explain_due": 900,
    "tournament.tasks.forecast_due": 900,
    "tournament.tasks.import_entries": 600,
    "tournament.tasks.import_records": 600,
    "tournament.tasks.import_trf": 600,
    "tournament.tasks.import_bundle": 900,
    "ratings.tasks.import_games": 600,
    "games.tasks.import_players": 600,
    "games.tasks.import_due": 900,
    "ratings.tasks.analyse": 1800,
    "ratings.tasks.analyse_due": 1800,
}
"""Seconds of a task of the queue `analyses`: it is interrupted then, and ended a minute later."""

CELERY_TASK_ANNOTATIONS = {
    task: {"soft_time_limit": seconds, "time_limit": seconds + 60}
    for task, seconds in SECONDS.items()
}
PERIODS = {
    "games.tasks.settle_due": 10,
    "games.tasks.retry_failed": 3600,
    "games.tasks.expire_casual_games": 60,
    "games.tasks.delete_old_responses": 600,
    "games.tasks.delete_old_sessions": 3600,
    "games.tasks.delete_old_app_tokens": 3600,
    "games.tasks.index_games": 60,
    "games.tasks.import_due": 10,
    "games.tasks.send_due_links": 60,
    "ratings.tasks.analyse_due": 60,
    "ratings.tasks.sweep_pools": 30,
    # Once an hour, so that one night without a worker is made up for; each pool is verified once a
    # day (UTC).
    "ratings.tasks.verify_pools": 3600,
    "tournament.tasks.send_webhooks": 5,
    "tournament.tasks.send_webhook_notices": 60,
    "tournament.tasks.delete_old_deliveries": 3600,
    "tournament.tasks.forecast_due": 60,
    "tournament.tasks.explain_due": 60,
}
TICK_SECONDS = 10
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    # `expires` prevents a backlog while no worker runs.
    **{
        task: {"task": task, "schedule": seconds, "options": {"expires": seconds}}
        for task, seconds in PERIODS.items()
    },
    **{
        f"tick of {queue}": {
            "task": "deploy.tasks.tick",
            "schedule": TICK_SECONDS,
            "args": [queue],
            "options": {"expires": TICK_SECONDS, "queue": queue},
        }
        for queue in CELERY_TASK_QUEUES
    },
}
