"""Two finished events as files: players, pairings, records and the final report of each."""
