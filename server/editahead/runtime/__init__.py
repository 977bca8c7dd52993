"""Model runtime: bundles, ONNX Runtime sessions, the models, and calibrations."""
