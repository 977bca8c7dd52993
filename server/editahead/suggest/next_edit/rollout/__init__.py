"""The edit model's roll-out: the search for whole next hunks, with its caches and features."""
