"""Pages that put measured rows beside the tables of a paper. A TOML file a page says what stands on it."""
