"""Forecasts: the state of an event to simulate, and the steps in which a task simulates it."""
