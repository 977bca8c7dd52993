"""The protocol between a laptop and the team server: WebSocket frames, messages, and what they contain."""
