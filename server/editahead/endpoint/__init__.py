"""Ghost text over HTTP on the loopback interface, for editors that complete by an OpenAI-style request."""
