"""From source files to the encoded corpora of language models, and their batches."""
