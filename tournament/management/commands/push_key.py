"""`manage.py push_key`: make the key by which browsers know who pushes messages to them."""

from base64 import urlsafe_b64encode
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Print a new PUSH_KEY, with which messages of events are shown in browsers."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the line for the environment."""
        number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
        key = urlsafe_b64encode(number.to_bytes(32, "big")).decode().rstrip("=")
        self.stdout.write(f"PUSH_KEY={key}")
