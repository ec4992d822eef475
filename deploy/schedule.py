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
PERIODS = {
    "deploy.tasks.tick": 10,
    "games.tasks.settle_due": 10,
    "games.tasks.retry_failed": 3600,
    "games.tasks.expire_casual_games": 60,
    "games.tasks.delete_old_responses": 600,
    "games.tasks.delete_old_sessions": 3600,
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
    "tournament.tasks.plan_due": 30,
}
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    # `expires` prevents a backlog while no worker runs.
    task: {"task": task, "schedule": seconds, "options": {"expires": seconds}}
    for task, seconds in PERIODS.items()
}
