"""The science behind editahead: architectures, training, evaluation and export. Never imported by the runtime."""
