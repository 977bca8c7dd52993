"""What is shown and why not, a folder a surface."""
