"""Where memory lives: the port, its backends, and the rules for names."""
