// Functions that run inside the page: what an editor shows.

/** Ghost text, in reading order; '' when there is none. */
export function ghostOf(editor) {
  const lines = new Map();
  for (const part of editor.querySelectorAll('.ghost-text-decoration, .ghost-text')) {
    const { top, left } = part.getBoundingClientRect();
    const key = Math.round(top / 4);
    lines.set(key, [...(lines.get(key) ?? []), [left, part.textContent]]);
  }
  const byPlace = (a, b) => a[0] - b[0];
  return [...lines]
    .sort(byPlace)
    .map(([, parts]) => parts.sort(byPlace).map(([, text]) => text).join(''))
    .join('\n')
    .replaceAll('\u00a0', ' ');
}

/** A next edit, as its decorations show it. */
export function nextEditOf(editor) {
  const old = [];
  const made = [];
  for (const span of editor.querySelectorAll('.view-lines span')) {
    if (span.querySelector('span')) continue;
    const style = getComputedStyle(span);
    if (style.textDecorationLine.includes('line-through')) old.push(span.textContent.replaceAll('\u00a0', ' '));
    for (const side of ['::before', '::after']) {
      const { content } = getComputedStyle(span, side);
      if (content.startsWith('"') && content.length > 2) made.push(JSON.parse(content).replaceAll('\u00a0', ' '));
    }
  }
  const gutter = [...editor.querySelectorAll('.glyph-margin-widgets .cgmr, .margin-view-overlays .cgmr')];
  return { old, made, gutter: gutter.some((mark) => getComputedStyle(mark).backgroundImage.includes('url')) };
}

/** The text of the lines on screen. */
export function linesOf(editor) {
  return [...editor.querySelectorAll('.view-line')]
    .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
    .map((line) => line.textContent.replaceAll('\u00a0', ' '));
}

/** Whether an element is there and has a size. */
export function visible(selector) {
  return [...document.querySelectorAll(selector)].some((element) => element.getClientRects().length > 0);
}
