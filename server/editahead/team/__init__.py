"""One server for many: `wire` is the protocol, `remote` the laptop's side, `cluster` the server's side on Ray Serve."""
