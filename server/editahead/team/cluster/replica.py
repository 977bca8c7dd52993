"""One replica of the team server: an engine, its inference thread, and the service of its clients."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from editahead.suggest.engine import Engine
from editahead.suggest.open_models import ANY_LANGUAGE
from editahead.team.cluster.documents import ClientLimits
from editahead.team.cluster.inference import Inference
from editahead.team.cluster.metrics import BUCKETS, CLIENTS, DESCRIPTIONS, DOCUMENTS, SECONDS, WAIT_SECONDS, WAITING
from editahead.team.cluster.service import Receive, Scope, Send, TeamService
from editahead.text.memo import keep_documents

log = logging.getLogger("editahead.team")
SWITCH_INTERVAL = 0.001  # seconds; Python's 5 ms would let each message wait for the inference thread
CONFIG_ACTOR, NAMESPACE = "editahead-team-config", "editahead"


class TeamError(RuntimeError):
    """The cluster cannot be reached or cannot serve; the text is a single line."""


@dataclass(frozen=True, slots=True)
class ReplicaConfig:
    """What a replica serves. `tokens` are owners by the sums of their tokens."""

    tokens: Mapping[str, str]
    bundles: tuple[str, ...]
    device: str
    connections: int = 8  # of a token at a time
    clients: int = 100  # of a replica at a time
    manifests: str = ""  # SHA-256 of the manifests of all bundles: a folder may get another content

    @property
    def models(self) -> tuple[tuple[str, ...], str, str]:
        """What the engine depends on."""
        return self.bundles, self.device, self.manifests


class ConfigHolder:
    """An actor on the head node that holds what replicas serve: later replicas serve the same."""

    def __init__(self) -> None:
        self._config: ReplicaConfig | None = None
        self._layout: tuple[Any, ...] = ()
        self._listens = ""

    def put(self, config: ReplicaConfig, layout: tuple[Any, ...], listens: str) -> None:
        """Hold a configuration, the layout of its deployment, and where that listens."""
        self._config, self._layout, self._listens = config, layout, listens

    def config(self) -> ReplicaConfig | None:
        """Return the configuration."""
        return self._config

    def layout(self) -> tuple[Any, ...]:
        """Return the layout of the deployment."""
        return self._layout

    def listens(self) -> str:
        """Return host and port of the deployment; empty before there is a deployment."""
        return self._listens


def load_engine(bundles: Sequence[Path | str], device: str) -> Engine:
    """Load the engine with the models of every language open. Raises TeamError for a damaged bundle."""
    from editahead.runtime.bundle import find_bundles

    engine = Engine.load(find_bundles([Path(path) for path in bundles]), device, lambda text, part: None)
    languages = {bundle.manifest.language for bundle in engine.report().bundles} - {ANY_LANGUAGE}
    for language in sorted(languages):
        engine.language_model(language)
        engine.editor(language)
    failures = engine.report().failures
    if failures:
        raise TeamError(f"a bundle cannot be used: {failures[0]}")
    return engine


class TeamReplica:
    """The class that Ray Serve makes replicas of. Raises TeamError where its models cannot be loaded."""

    def __init__(self) -> None:
        import ray

        holder: Any = ray.get_actor(CONFIG_ACTOR, NAMESPACE)
        config: ReplicaConfig = ray.get(holder.config.remote())
        self._models = config.models
        keep_documents(config.clients)
        self._applying = asyncio.Lock()
        sys.setswitchinterval(SWITCH_INTERVAL)
        inference = Inference(load_engine(config.bundles, config.device))
        limits = ClientLimits(connections=config.connections)
        self.service = TeamService(inference, config.tokens, RayMetrics(), limits, _replica_name())

    async def apply(self, config: ReplicaConfig) -> str:
        """Take over tokens and models; return a problem in a single line, or nothing.

        Requests are answered by the models so far until the new ones are loaded, and by those if they cannot be.
        """
        async with self._applying:
            await self.service.use_tokens(config.tokens)
            self.service.limits = ClientLimits(connections=config.connections)
            if config.models == self._models:
                return ""
            try:
                engine = await asyncio.to_thread(load_engine, config.bundles, config.device)
            except TeamError as error:
                log.error("the models were not replaced: %s", error)
                return str(error)
            await self.service.use_engine(engine)
            self._models = config.models
            return ""

    def check_health(self) -> None:
        """Raise TeamError when the inference thread has ended: then Ray Serve replaces this replica."""
        if not self.service.inference.is_alive:
            raise TeamError("the inference thread has ended")

    def __serve_build_asgi_app__(self) -> Any:  # the name that Ray Serve asks for
        return ReplicaApplication(self.service)


class ReplicaApplication:
    """The ASGI application of a replica, with the events of its life."""

    def __init__(self, service: TeamService) -> None:
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a connection or request (ASGI 3)."""
        if scope["type"] != "lifespan":
            await self._service(scope, receive, send)
            return
        kind = ""
        while kind != "lifespan.shutdown":
            kind = (await receive())["type"]
            await send({"type": f"{kind}.complete"})


class RayMetrics:
    """Counts as metrics of Ray Serve, which every node exports for Prometheus."""

    def __init__(self) -> None:
        from ray.serve import metrics

        levels = (CLIENTS, DOCUMENTS, WAITING)
        self._gauges = {name: metrics.Gauge(name, description=DESCRIPTIONS[name]) for name in levels}
        self._values = {
            name: metrics.Histogram(
                name, description=DESCRIPTIONS[name], boundaries=list(BUCKETS), tag_keys=("method",)
            )
            for name in (SECONDS, WAIT_SECONDS)
        }
        self._make = metrics.Counter
        self._counters: dict[str, Any] = {}

    def count(self, name: str, **tags: str) -> None:
        """Count an event."""
        if name not in self._counters:
            self._counters[name] = self._make(name, description=DESCRIPTIONS[name], tag_keys=tuple(tags))
        self._counters[name].inc(tags=tags)

    def observe(self, name: str, value: float, **tags: str) -> None:
        """Record a value of a distribution."""
        self._values[name].observe(value, tags=tags)

    def set(self, name: str, value: float) -> None:
        """Set a level."""
        self._gauges[name].set(value)


def _replica_name() -> str:
    from ray import serve

    return str(serve.get_replica_context().replica_id.unique_id)
