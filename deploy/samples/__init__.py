"""Two finished events as files: players, pairings, records and the final TRF of each."""
