"""From a file position to the engine that answers, and the origins of an answer."""
