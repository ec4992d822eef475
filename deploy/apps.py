"""The app that assembles the others."""

from django.apps import AppConfig


class DeployConfig(AppConfig):
    name = "deploy"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make the Celery application the one that the apps' tasks belong to."""
        from deploy import celery  # noqa: F401  (only now are the settings there)
