"""The network: its layers, its batches, and the search for a program."""
