"""JavaScript."""
