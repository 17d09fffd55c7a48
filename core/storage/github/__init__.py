"""Memory's copy in the person's own GitHub repository: local files first, a replica pushed behind them (DESIGN 5.9)."""
