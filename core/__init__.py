"""The memory; knows no platform and no environment."""
