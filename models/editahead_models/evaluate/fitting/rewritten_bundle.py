"""Write a bundle again with other calibrations, metrics, limits, entries or files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from editahead.runtime.bundle import Bundle
from editahead.runtime.calibration import Calibration
from editahead.runtime.manifest import thaw

from editahead_models.export.bundle_writer import write_bundle


def rewrite_calibrations(bundle: Bundle, fitted: Mapping[str, Calibration], **changes: Any) -> None:
    """Put the calibrations of some surfaces into a bundle, with other changes, and print what they do."""
    table = {name: value.to_manifest() for name, value in {**bundle.manifest.calibrations, **fitted}.items()}
    rewritten(bundle, calibration=table, **changes)
    for name, value in fitted.items():
        print(describe(name, value))


def rewritten(
    bundle: Bundle,
    *,
    calibration: Mapping[str, Any] | None = None,
    metrics: Mapping[str, Any] | None = None,
    limits: Mapping[str, Any] | None = None,
    more: Mapping[str, Any] | None = None,
    files: Mapping[str, bytes] | None = None,
    without: Iterable[str] = (),
) -> Bundle:
    """The same bundle with another calibration, or more metrics, limits (None takes one away), entries or files.

    The entries in `without` are left out.
    """
    manifest: dict[str, Any] = thaw(dict(bundle.manifest))
    if calibration is not None:
        manifest["calibration"] = dict(calibration)
    if metrics is not None:
        manifest["metrics"] = {**manifest.get("metrics", {}), **metrics}
    manifest |= more or {}
    if limits is not None:
        merged = {**manifest.get("limits", {}), **limits}
        manifest["limits"] = {key: value for key, value in merged.items() if value is not None}
    held: dict[str, Path | bytes] = {name: bundle.read(name) for name in bundle.manifest.files}
    for key in ("schema", "family", "language", "files", *without):
        manifest.pop(key, None)
    return write_bundle(
        bundle.path,
        family=bundle.manifest.family,
        language=bundle.manifest.language,
        files={**held, **(files or {})},
        manifest=manifest,
    )


def describe(surface: str, fitted: Calibration) -> str:
    """One line: what calibration did for a surface."""
    at = next((value for precision, value in fitted.thresholds if precision == 0.8), None)
    reached = "never reached" if at is None else f"reached from p = {at:.2f} on"
    return (
        f"{surface}: n {fitted.n}, calibration error {fitted.ece_raw:.3f} before, {fitted.ece:.3f} after; "
        f"precision 0.8 {reached}"
    )
