"""Bundles, ONNX Runtime, the models at work, calibrations."""
