"""The typed sessions that `editahead demo` shows."""
