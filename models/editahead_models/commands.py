"""The verbs of `editahead-models`: one line of help each, and where the implementation lives.

An implementation is a function with typer annotations. It is imported only when its verb is called, so that
`--help` needs neither torch nor onnx.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple


class Verb(NamedTuple):
    """`target` is `module:function` inside this package."""

    help: str
    target: str


VERBS: dict[str, Verb] = {
    "prepare": Verb("Tokenise and encode source files into training arrays.", "data.corpus.command:main"),
    "mine": Verb("Mine token edits from the history of git repositories.", "data.mining.command:main"),
    "train": Verb("Train one recipe; stops and resumes where it was.", "train.command:main"),
    "evaluate": Verb("Measure a trained model on its held-out split.", "evaluate.command:main"),
    "calibrate": Verb("Fit calibration and thresholds on the dev projects.", "evaluate.calibrate:main"),
    "export": Verb("Write a trained model as a bundle that the server loads.", "export.command:main"),
    "report": Verb("Write the result pages from saved metrics.", "report.command:main"),
}

# `VERB FORM`: the same verb for another subject, with options of its own.
FORMS: dict[str, Verb] = {
    "train table": Verb("Train and measure a table of language models, row by row.", "table.command:main"),
    "prepare grammar": Verb("Write the grammar of Python that generated code keeps to.", "treegen.derive:main"),
    "prepare synthetic": Verb("Generate a task of the synthetic edit suite.", "data.synthetic.prepare:main"),
    "train synthetic": Verb("Train a table of tasks and families of that suite.", "train.synthetic_table:main"),
    "calibrate repeats": Verb("Fit the queue of repeated edits on commits.", "evaluate.repeats.command:calibrate"),
    "calibrate consequences": Verb(
        "Fit what follows from one edit on commits.", "evaluate.consequences.command:calibrate"
    ),
    "evaluate consequences": Verb("What follows from edits in commits.", "evaluate.consequences.command:evaluate"),
    "calibrate candidates": Verb(
        "Fit the scorer of all candidates for the next edit.", "evaluate.next_edits.candidates_command:calibrate"
    ),
    "evaluate candidates": Verb("What is shown as the next edit.", "evaluate.next_edits.candidates_command:evaluate"),
    "calibrate places": Verb("Fit the model of places.", "evaluate.next_edits.places_command:calibrate"),
    "evaluate places": Verb("What is shown as a place.", "evaluate.next_edits.places_command:evaluate"),
    "calibrate import-paths": Verb(
        "Fit the order of quoted import paths.", "evaluate.completions.import_path_fit:main"
    ),
    "calibrate without-model": Verb(
        "Fit the ranker where no language model is.", "evaluate.completions.without_model_fit:main"
    ),
    "calibrate check": Verb("Fit what a finished change probably forgot.", "evaluate.check.command:calibrate"),
    "evaluate check": Verb("How often that finds a place left out of a commit.", "evaluate.check.command:evaluate"),
    "train mined": Verb("Train one of the paper's models on what `mine --repo` wrote.", "train.mined:main"),
    "mine fixes": Verb("Mine small repairs as pairs of regions.", "copyspan.corpora.mine_fixes:main"),
    "mine members": Verb("Count the members that the train projects use.", "evaluate.places.member_counts:main"),
    "prepare slips": Verb(
        "Faults made on purpose, beside mined repairs.", "copyspan.corpora.synthetic_faults_command:main"
    ),
    "export copyspan": Verb("A run on such repairs as a calibrated bundle.", "copyspan.release:main"),
    "train copyspan": Verb("Learn to rewrite from a parallel pair of files.", "copyspan.train_command:main"),
    "evaluate copyspan": Verb("Score such a run on any pair of files.", "copyspan.evaluate.command:main"),
    "train treegen": Verb("Learn to write programs from descriptions.", "treegen.train_command:main"),
    "evaluate treegen": Verb("Write the programs of a split and measure them.", "treegen.evaluate:main"),
    "mine functions": Verb("Mine short functions: what stands before a body, and it.", "treegen.functions.mine:main"),
    "prepare functions": Verb("Such functions as arrays and a vocabulary.", "treegen.functions.prepare:main"),
    "train functions": Verb("Learn to write their bodies.", "treegen.functions.train:main"),
    "export functions": Verb("Such a run as a calibrated bundle.", "evaluate.code_actions.functions_command:main"),
    "report product": Verb("What the product shows on projects that nothing was chosen on.", "publishing.command:main"),
    "report keystrokes": Verb("Keys that the product saves on the dev projects.", "publishing.keystrokes.command:main"),
    "evaluate scaling": Verb(
        "Time the families of the suite against insertions.", "evaluate.edit_models.synthetic_scaling:main"
    ),
    "evaluate misses": Verb("Where completions miss, by kind of name.", "evaluate.completions.misses:main"),
}


def implementation(verb: str) -> Callable[..., Any]:
    """The function behind a verb or a form. KeyError for an unknown one, ImportError if a library is missing."""
    module, function = (VERBS | FORMS)[verb].target.split(":")
    return getattr(import_module(f"{__package__}.{module}"), function)
