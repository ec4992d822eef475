"""Changes of an account by its person."""

from games.models import Account


def rename_account(account: Account, name: str) -> None:
    """Change the name of an account; the name of its player is another one."""
    account.name = name
    account.save(update_fields=["name"])
