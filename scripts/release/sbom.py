"""The SBOM in CycloneDX: what installing the wheel brings, the models in it, the code in the .vsix."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from scripts.release.tree import ReleaseError, run

SPECIFICATION = "1.6"
_NAME = "editahead"


def create_sbom(
    python: Path, source: Path, packages: Sequence[Mapping[str, str]], artefacts: Sequence[Path], version: str
) -> dict[str, Any]:
    """The SBOM as CycloneDX JSON.

    Args:
        python: of an environment that holds the wheel and what it needs, and nothing else.
        source: the exported repository, for the models.
        packages: name, version and license of the npm packages whose code is in the extension.
        artefacts: the built files, for their checksums.
        version: of the project.

    Raises:
        ReleaseError: cyclonedx-bom is not installed, or fails.
    """
    command = (sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", "--of", "JSON")
    text = run(*command, "--spec-version", SPECIFICATION, "--mc-type", "application", python)
    document: dict[str, Any] = json.loads(text)
    installed = {component["name"]: component for component in document["components"]}
    own = installed.pop(_NAME, None)
    if own is None:
        raise ReleaseError(f"{python} has no {_NAME}: the SBOM is read from an environment that contains the wheel")
    own = {key: value for key, value in own.items() if key not in ("externalReferences", "properties")}
    added = [*map(npm_component, packages), *map(model_component, _bundles(source))]
    document["metadata"] = {
        "component": {**own, "type": "application", "version": version},
        "properties": [{"name": "editahead:resolved-for", "value": _platform(python)}],
        "tools": document["metadata"]["tools"],
    }
    document["components"] = [*(installed[name] for name in sorted(installed, key=str.lower)), *added]
    for entry in document["dependencies"]:
        if entry["ref"] == own["bom-ref"]:
            entry["dependsOn"] = sorted([*entry.get("dependsOn", ()), *(item["bom-ref"] for item in added)])
    document["dependencies"] += [{"ref": item["bom-ref"]} for item in added]
    document["metadata"]["component"]["components"] = [file_component(path) for path in artefacts]
    return document


def schema_errors(text: str) -> str:
    """What the specification's schema says against an SBOM; empty if it is valid."""
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    error = JsonStrictValidator(SchemaVersion.from_version(SPECIFICATION)).validate_str(text)
    return "" if error is None else str(error)


def npm_component(package: Mapping[str, str]) -> dict[str, Any]:
    """A package whose code is in the extension."""
    name, version = package["name"], package["version"]
    reference = f"pkg:npm/{quote(name)}@{version}"
    return {
        "type": "library",
        "bom-ref": reference,
        "name": name,
        "version": version,
        "licenses": [{"license": {"id": package["license"]}}],
        "purl": reference,
    }


def model_component(bundle: Path) -> dict[str, Any]:
    """A model that ships, with the checksums of its files as its manifest has them."""
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
    checksum = hashlib.sha256((bundle / "manifest.json").read_bytes()).hexdigest()
    return {
        "type": "machine-learning-model",
        "bom-ref": f"model:{bundle.name}",
        "name": bundle.name,
        "version": str(manifest["version"]),
        "licenses": [{"license": {"id": "MIT"}}],
        "hashes": [{"alg": "SHA-256", "content": checksum}],
    }


def file_component(path: Path) -> dict[str, Any]:
    """A file of the release."""
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    return {
        "type": "file",
        "bom-ref": f"file:{path.name}",
        "name": path.name,
        "hashes": [{"alg": "SHA-256", "content": checksum}],
    }


def _bundles(source: Path) -> list[Path]:
    return sorted(path.parent for path in (source / "models" / "editahead_bundles").glob("*/manifest.json"))


def _platform(python: Path) -> str:
    text = "import platform as p; print(f'{p.system()} {p.machine()}, Python {p.python_version()}')"
    return run(python, "-c", text).strip()
