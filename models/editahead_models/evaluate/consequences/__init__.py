"""What follows from one edit, replayed from commits and typed by hand: how often it is right."""
