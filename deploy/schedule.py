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
    "imports": {},  # this one and the next take long: their workers limit time and memory
    "analyses": {},
}
CELERY_TASK_ROUTES = {
    "tournament.tasks.send_webhooks": {"queue": "webhooks"},
    "tournament.tasks.send_webhook_notices": {"queue": "mail"},
    "tournament.tasks.send_messages": {"queue": "mail"},
    "tournament.tasks.send_pushes": {"queue": "webhooks"},
    "tournament.tasks.delete_*": {"queue": "webhooks"},
    "*.tasks.import_*": {"queue": "imports"},
    "tournament.*": {"queue": "analyses"},  # explanations, forecasts, and analyses of pools
    "ratings.*": {"queue": "ratings"},
    "games.tasks.index_*": {"queue": "ratings"},
    "games.tasks.send_*": {"queue": "mail"},
}
SECONDS = {
    "imports": {
        "tournament.tasks.import_entries": 600,
        "tournament.tasks.import_records": 600,
        "tournament.tasks.import_trf": 600,
        "tournament.tasks.import_bundle": 900,
        "ratings.tasks.import_games": 600,
        "games.tasks.import_players": 600,
        "games.tasks.import_due": 60,
    },
    "analyses": {
        "tournament.tasks.explain": 300,
        "tournament.tasks.forecast": 120,
        "tournament.tasks.analyse": 1800,
        "tournament.tasks.compute_due": 60,
    },
}
"""Seconds of a task of a queue of long ones: it is interrupted then, and ended a minute later."""

LONGEST = {queue: max(seconds.values()) + 60 for queue, seconds in SECONDS.items()}
"""Seconds after which a worker of such a queue has ended a task."""

CELERY_TASK_ANNOTATIONS = {
    task: {"soft_time_limit": seconds, "time_limit": seconds + 60}
    for tasks in SECONDS.values()
    for task, seconds in tasks.items()
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
    "ratings.tasks.sweep_pools": 30,
    # Once an hour, so that one night without a worker is made up for; each pool is verified once a
    # day (UTC).
    "ratings.tasks.verify_pools": 3600,
    "tournament.tasks.send_webhooks": 5,
    "tournament.tasks.send_webhook_notices": 60,
    "tournament.tasks.send_messages": 5,
    "tournament.tasks.send_pushes": 5,
    "tournament.tasks.delete_old_deliveries": 3600,
    "tournament.tasks.delete_old_messages": 3600,
    "tournament.tasks.delete_unused_players": 3600,
    "tournament.tasks.compute_due": 10,
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
