"""Simulation of events: the remaining rounds, paired by the real engine, with random results."""
