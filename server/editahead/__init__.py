"""editahead: predicts the next tokens and the next edits from small models on the user's own machine."""

__version__ = "0.1.0"
