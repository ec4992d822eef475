"""Pairing of rounds: `systems` pairs a `request`, `findings` say why, `certificates` prove it."""
