"""Snapshots: the standings of a round, stored when the round is completed."""
