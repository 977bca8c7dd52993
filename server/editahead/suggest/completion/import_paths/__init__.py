"""Completions of quoted import paths: Go, JavaScript and TypeScript, C and C++."""
