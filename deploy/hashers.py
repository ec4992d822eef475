"""Password hashing: Argon2id with parameters that fit a small machine."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    """Argon2id with 19 MiB, two passes, one lane (OWASP's minimum; Django's takes 100 MiB)."""

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1
