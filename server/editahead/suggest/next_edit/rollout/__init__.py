"""The edit model's roll-out: whole next hunks from the network, with all that their search keeps and rates."""
