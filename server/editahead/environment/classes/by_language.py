"""The rules of each language whose classes are resolved across files."""

from __future__ import annotations

from collections.abc import Mapping

from editahead.environment.classes.c_files import CFiles, CppFiles
from editahead.environment.classes.c_sharp_files import CSharpFiles
from editahead.environment.classes.class_files import ClassFiles
from editahead.environment.classes.go_files import GoFiles
from editahead.environment.classes.java_files import JavaFiles
from editahead.environment.classes.rust_files import RustFiles
from editahead.environment.classes.script_files import ScriptFiles

CLASS_FILES: Mapping[str, type[ClassFiles]] = {
    "c": CFiles,
    "c_sharp": CSharpFiles,
    "cpp": CppFiles,
    "go": GoFiles,
    "java": JavaFiles,
    "javascript": ScriptFiles,
    "rust": RustFiles,
    "tsx": ScriptFiles,
    "typescript": ScriptFiles,
}
