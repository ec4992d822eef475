"""What the three apps share, and what knows no game, event or pool."""
