# docker build --target runtime|gpu|team|train -t editahead .
# docker run --rm -i -v "$PWD:$PWD:ro" editahead          (an editor speaks LSP to its stdin and stdout)

FROM python:3.12-slim AS base
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONUNBUFFERED=1
RUN useradd --create-home --uid 1000 editahead
WORKDIR /opt/editahead
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY server ./server
COPY models ./models

# The server on the CPU: no torch, no compiler.
FROM base AS runtime
RUN pip install .
USER editahead
ENTRYPOINT ["editahead", "--stdio"]

# onnxruntime and onnxruntime-gpu own the same import directory: one must leave before the other comes. Versions: docs/gpu.md.
# The host needs an NVIDIA driver and its container toolkit: docker run --gpus all; `editahead doctor` says what really loads.
FROM base AS gpu
RUN pip install . && pip uninstall --yes onnxruntime && pip install "onnxruntime-gpu[cuda,cudnn]==1.31.1"
USER editahead
ENTRYPOINT ["editahead", "--stdio", "--device", "auto"]

# A node of a team server: operations/team/compose.yaml starts them.
FROM base AS team
RUN pip install --constraint constraints.txt ".[team]"
USER editahead

# Mining, training and export: docker run --rm -v "$PWD/runs:/home/editahead/runs" editahead:train list
FROM base AS train
RUN pip install --constraint constraints.txt ".[train]"
USER editahead
WORKDIR /home/editahead
ENTRYPOINT ["editahead-models"]
