"""What was fitted on an earlier bundle, taken over by a fresh export.

Of a language model everything, if the weights are the same; of an edit model what depends on no network.
"""

from __future__ import annotations

from editahead.runtime.bundle import Bundle
from editahead.runtime.language_model.graphs import ENCODE, FILE, HEAD
from editahead.runtime.manifest import thaw
from editahead.runtime.selftest import GOLDEN

from editahead_models.evaluate.fitting.rewritten_bundle import rewritten
from editahead_models.export.bundle_writer import write_bundle

_PATTERNS = ("repeat", "check")  # scorers of repeated edits and of missed ones: they read changes, no network
_SAME = (FILE, "vocab.json")  # written by one run of training: where they are equal, so are the weights of the graphs
_FRESH = (GOLDEN, f"{ENCODE}.onnx", f"{HEAD}.onnx")


def with_kept_fit(fresh: Bundle, earlier: Bundle) -> Bundle:
    """The fresh bundle with the calibrations, ranker and limits of the earlier one. ValueError for other weights."""
    for name in _SAME:
        if fresh.read(name) != earlier.read(name):
            raise ValueError(f"{name} is not that of {earlier.path}: calibrate the new bundle instead")
    manifest = thaw(dict(earlier.manifest))
    for key in ("schema", "family", "language", "files"):
        manifest.pop(key, None)
    files = {name: earlier.read(name) for name in earlier.manifest.files}
    return write_bundle(
        fresh.path,
        family=fresh.manifest.family,
        language=fresh.manifest.language,
        files={**files, **{name: fresh.read(name) for name in _FRESH}},
        manifest={**manifest, "graphs": thaw(dict(fresh.manifest["graphs"])), "version": fresh.manifest.version},
    )


def with_kept_patterns(fresh: Bundle, earlier: Bundle) -> Bundle:
    """The fresh edit bundle with the earlier one's scorers and calibrations of repeated and of missed edits."""
    scorers = {key: thaw(dict(earlier.manifest[key])) for key in _PATTERNS if key in earlier.manifest}
    tables = thaw(dict(earlier.manifest["calibration"]))
    kept = {name: table for name, table in tables.items() if name.startswith(_PATTERNS)}
    return rewritten(fresh, calibration={**thaw(dict(fresh.manifest["calibration"])), **kept}, more=scorers)
