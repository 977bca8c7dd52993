"""Frames as one SVG that moves by itself: no script, nothing loaded, each part of a frame drawn once while it stays."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Frame:
    """What is to be seen for so many seconds: parts in a fixed order, each a piece of SVG."""

    parts: tuple[str, ...]
    seconds: float


def spans(frames: list[Frame]) -> list[tuple[str, list[tuple[int, int]]]]:
    """Each different piece of a part, with the runs of frames [first, last) in which it is there."""
    found: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for number, frame in enumerate(frames):
        for place, part in enumerate(frame.parts):
            if not part:
                continue
            runs = found.setdefault((place, part), [])
            if runs and runs[-1][1] == number:
                runs[-1] = (runs[-1][0], number + 1)
            else:
                runs.append((number, number + 1))
    return [(part, runs) for (_, part), runs in sorted(found.items(), key=lambda item: item[0][0])]


def animated(frames: list[Frame], width: float, height: float, background: str, poster: int) -> str:
    """The SVG, repeating for ever. Who cannot or does not want to see it move gets the frame `poster`."""
    starts = [0.0]
    for frame in frames:
        starts.append(starts[-1] + frame.seconds)
    total = starts[-1]
    styles, groups = [], []
    for number, (part, runs) in enumerate(spans(frames)):
        shown = any(first <= poster < last for first, last in runs)
        if runs == [(0, len(frames))]:
            groups.append(part)
            continue
        steps = []
        for first, last in runs:
            steps += [f"{100 * starts[first] / total:.3f}%{{visibility:visible}}"]
            if last < len(frames):
                steps += [f"{100 * starts[last] / total:.3f}%{{visibility:hidden}}"]
        if runs[0][0] > 0:
            steps.insert(0, "0%{visibility:hidden}")
        end = "visible" if runs[-1][1] == len(frames) else "hidden"
        steps.append(f"to{{visibility:{end}}}")
        styles.append(f"@keyframes k{number}{{{''.join(steps)}}}.k{number}{{animation-name:k{number}}}")
        groups.append(f'<g class="k k{number}{" p" if shown else ""}">{part}</g>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" font-size="14">'
    css = (
        "text{font-family:monospace;white-space:pre}.c{font-size:15px}"
        f".k{{visibility:hidden;animation-duration:{total:g}s;animation-timing-function:step-end;"
        "animation-iteration-count:infinite}.p{visibility:visible}"
        "@media(prefers-reduced-motion:reduce){.k{animation:none}}"
    )
    paper = f'<rect width="{width:g}" height="{height:g}" rx="6" fill="{background}"/>'
    return "\n".join([head, f"<style>{css}{''.join(styles)}</style>", paper, *groups, "</svg>", ""])
