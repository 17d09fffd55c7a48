"""The world outside: pages fetched behind a guard, their readable text, and search."""
