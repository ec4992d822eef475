"""The form in which addresses for email are stored and compared.

An address has one form: the part before the `@` is ASCII, all letters are small, and the domain is
written as in the DNS (IDNA 2008, after the mapping of UTS 46). So addresses are equal if and only
if these texts are, in both databases, and no letter that merely looks like another one, or becomes
one in another case, leads to the account of somebody else.
"""

import idna
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy as _

LONGEST_ADDRESS = 254


def normal_address(text: str) -> str:
    """Return an address in the form in which it is stored; raises ValidationError."""
    text = text.strip()
    name, _at, domain = text.rpartition("@")
    try:
        domain = idna.encode(domain, uts46=True).decode()
    except UnicodeError as error:  # IDNAError is one
        raise ValidationError(_("Enter a valid email address."), code="invalid") from error
    if not name.isascii():
        raise ValidationError(
            _("The part before the @ may have only letters from a to z, digits and signs."),
            code="invalid",
        )
    address = f"{name}@{domain}".lower()
    validate_email(address)
    if len(address) > LONGEST_ADDRESS:
        raise ValidationError(_("Enter a valid email address."), code="invalid")
    return address


def same_address(text: str) -> str:
    """Return the stored form of an address to look for, empty for what is none."""
    try:
        return normal_address(text)
    except ValidationError:
        return ""
