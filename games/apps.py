from django.apps import AppConfig
from django.core.checks import register

from games.columns import check_columns


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the checks of the models."""
        register(check_columns)
