"""What `editahead doctor` looks at."""
