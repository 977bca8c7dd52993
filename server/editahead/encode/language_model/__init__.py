"""Input of the language model: tokens, vocabulary, spacing."""
