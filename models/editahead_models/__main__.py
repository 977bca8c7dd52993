"""`editahead-models`: from source files to a bundle, one verb a step, each imported when it is called."""

from __future__ import annotations

import sys
from collections.abc import Callable

import typer

from editahead_models.commands import FORMS, VERBS, implementation
from editahead_models.evaluate.golden.command import app as golden_app
from editahead_models.queue.command import app as queue_app

TRAIN_LIBRARIES = {"torch", "onnx", "matplotlib", "tokenizers", "datasketch"}
FORWARD = {"allow_extra_args": True, "ignore_unknown_options": True}

app = typer.Typer(
    help="Train, evaluate and export the models of editahead.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def run_verb(verb: str, arguments: list[str]) -> None:
    """Import a verb and run it with its own options.

    A form of the verb is named by the first argument. Exits with 3 and one line if a training library is missing.
    """
    if arguments and (form := f"{verb} {arguments[0]}") in FORMS:
        verb, arguments = form, arguments[1:]
    try:
        function = implementation(verb)
        single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        single.command(help=f"{function.__doc__ or VERBS[verb].help}\n\n{_forms(verb)}")(function)
        typer.main.get_command(single).main(args=arguments, prog_name=f"editahead-models {verb}")
    except ModuleNotFoundError as error:
        library = (error.name or "").split(".")[0]
        if library not in TRAIN_LIBRARIES:
            raise
        line = f"editahead-models {verb} needs {library}: in editahead's repository, pip install '.[train]'"
        print(line, file=sys.stderr)
        raise SystemExit(3) from None


def _forms(verb: str) -> str:
    """Lines of help about the forms of a verb."""
    return "\n\n".join(f"`{form} --help`: {entry.help}" for form, entry in FORMS.items() if form.startswith(f"{verb} "))


def _forwarder(verb: str) -> Callable[[typer.Context], None]:
    def forward(ctx: typer.Context) -> None:
        run_verb(verb, ctx.args)

    return forward


for _verb, _entry in VERBS.items():
    app.command(_verb, help=_entry.help, context_settings=FORWARD, add_help_option=False)(_forwarder(_verb))


app.add_typer(golden_app, name="golden")
app.add_typer(queue_app, name="queue")


def main() -> None:
    """The console script."""
    app(prog_name="editahead-models")


if __name__ == "__main__":
    main()
