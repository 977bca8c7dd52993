"""The table of surfaces, and the handler of each: requests become suggestions, and these become LSP items."""
