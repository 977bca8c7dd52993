"""The process: its end, its parent, its watchdog, its log."""
