"""ONNX graphs and bundles."""
