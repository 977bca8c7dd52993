"""Code of real projects, typed again in the real server, and what was seen on the way."""
