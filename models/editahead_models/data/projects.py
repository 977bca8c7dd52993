"""Which projects a model may learn from, and which are kept to measure with: split by project, never by file."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

TRAIN: dict[str, tuple[str, ...]] = {
    "python": tuple(
        """scrapy/scrapy celery/celery celery/kombu sqlalchemy/sqlalchemy sqlalchemy/alembic aio-libs/aiohttp
        encode/starlette encode/uvicorn encode/django-rest-framework pydantic/pydantic pytest-dev/pytest
        pallets/werkzeug pallets/jinja pallets/click pypa/pip pypa/virtualenv pypa/packaging python-poetry/poetry
        tornadoweb/tornado fabric/fabric pyinvoke/invoke networkx/networkx mwaskom/seaborn dask/dask dask/distributed
        urllib3/urllib3 getsentry/responses spulec/freezegun Textualize/textual Textualize/rich PyCQA/flake8
        PyCQA/isort python/mypy davidhalter/parso marshmallow-code/marshmallow python-attrs/attrs python-attrs/cattrs
        jd/tenacity coleifer/peewee mongodb/mongo-python-driver redis/redis-py elastic/elasticsearch-py
        docker/docker-py spotify/luigi mitmproxy/mitmproxy locustio/locust benoitc/gunicorn nedbat/coveragepy
        tox-dev/tox sphinx-doc/sphinx mkdocs/mkdocs explosion/spaCy ipython/ipython wagtail/wagtail
        cookiecutter/cookiecutter httpie/cli graphql-python/graphene Rapptz/discord.py python-trio/trio
        agronholm/anyio agronholm/apscheduler simonw/datasette simonw/sqlite-utils joke2k/faker
        prometheus/client_python googleapis/google-auth-library-python""".split()
    ),
    "java": tuple(
        """google/auto google/dagger apache/commons-lang apache/commons-io apache/commons-collections
        apache/commons-text apache/commons-compress apache/commons-pool FasterXML/jackson-core
        FasterXML/jackson-databind square/retrofit square/javapoet mockito/mockito zxing/zxing mybatis/mybatis-3
        brettwooldridge/HikariCP greenrobot/EventBus dropwizard/dropwizard resilience4j/resilience4j
        TheAlgorithms/Java iluwatar/java-design-patterns ReactiveX/RxJava apache/dubbo alibaba/fastjson
        bumptech/glide""".split()
    ),
}
DEV: dict[str, tuple[str, ...]] = {
    "python": tuple(
        """davidhalter/jedi tqdm/tqdm pallets-eco/flask-sqlalchemy encode/httpcore PyGithub/PyGithub
        gitpython-developers/GitPython matplotlib/cycler""".split()
    ),
    "java": ("apache/commons-codec", "square/moshi", "google/truth"),
}

_PERMISSIVE = (
    ("Apache-2.0", re.compile(r"Apache License\s*,?\s*Version 2\.0", re.I)),
    ("MIT", re.compile(r"Permission is hereby granted, free of charge", re.I)),
    ("BSD", re.compile(r"Redistribution and use in source and binary forms", re.I)),
    ("PSF", re.compile(r"PYTHON SOFTWARE FOUNDATION LICENSE", re.I)),
    ("ISC", re.compile(r"Permission to use, copy, modify, and(/or)? distribute this software", re.I)),
    ("Unlicense", re.compile(r"This is free and unencumbered software", re.I)),
)
_LICENCE_FILE = re.compile(r"^(licen[cs]e|copying)([.-].*)?$", re.I)
_COPYLEFT = re.compile(r"GNU (LESSER |AFFERO )?GENERAL PUBLIC LICENSE|Mozilla Public License", re.I)


@dataclass(frozen=True, slots=True)
class Project:
    """One repository at one commit. `licence` is None when no permissive licence was recognised."""

    name: str
    path: Path
    commit: str
    licence: str | None


def git(path: Path, *arguments: str, data: bytes | None = None) -> bytes:
    """Output of a git command; raises CalledProcessError on failure."""
    return subprocess.run(["git", "-C", str(path), *arguments], input=data, capture_output=True, check=True).stdout


def open_project(mirror: Path, name: str) -> Project | None:
    """A project below `mirror` (OWNER+NAME/repo or OWNER/NAME, bare or not), or None when it is not there."""
    for candidate in (mirror / name.replace("/", "+") / "repo", mirror / name, mirror / name.split("/")[-1]):
        if candidate.is_dir():
            commit = git(candidate, "rev-parse", "HEAD").decode().strip()
            return Project(name, candidate, commit, licence_of(candidate))
    return None


def licence_of(path: Path) -> str | None:
    """The permissive licence that the repository's own files grant at HEAD, or None."""
    names = [
        name for name in git(path, "ls-tree", "--name-only", "HEAD").decode().splitlines() if _LICENCE_FILE.match(name)
    ]
    texts = [git(path, "show", f"HEAD:{name}").decode("utf-8", "replace") for name in names]
    if any(_COPYLEFT.search(text[:400]) for text in texts):
        return None
    found = [label for text in texts for label, pattern in _PERMISSIVE if pattern.search(text)]
    return found[0] if found else None
