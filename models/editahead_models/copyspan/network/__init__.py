"""The network: spans of the input and new tokens, and all ways to write an output with them."""
