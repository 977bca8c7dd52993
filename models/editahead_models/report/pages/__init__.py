"""Pages written from stored figures, some beside the tables of a paper. A TOML file a page says what stands on it."""
