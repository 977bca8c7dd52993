"""The real engine asked at places that are drawn from projects, with answers that are known."""
