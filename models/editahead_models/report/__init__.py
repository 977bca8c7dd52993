"""Pages and plots from figures."""
