"""Results: the leaderboard, and from there to each query, each ranking, each document."""
