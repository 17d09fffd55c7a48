"""One call of a provider's model, made safe: limits in time, own retries, continuations, and only the answer shown."""
