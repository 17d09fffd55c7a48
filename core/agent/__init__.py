"""The agent loop: a model asks for tools until it answers, within limits, and every step can be seen and kept."""
