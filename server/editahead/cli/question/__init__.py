"""From a place that a person names to the engine that answers, and where an answer comes from."""
