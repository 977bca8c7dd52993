"""The inference thread: its jobs, its engine, and when garbage is collected."""
