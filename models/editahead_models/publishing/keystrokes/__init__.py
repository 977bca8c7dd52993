"""Keys that completions and ghost text save a simulated user of the real server, on the dev projects."""
