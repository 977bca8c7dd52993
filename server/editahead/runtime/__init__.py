"""Bundles, ONNX Runtime, running the models, calibrations."""
