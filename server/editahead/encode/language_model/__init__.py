"""What the language model reads: tokens, vocabulary, spacing."""
