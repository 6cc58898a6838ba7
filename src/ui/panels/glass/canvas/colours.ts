/** The tokens of colour and type, as a canvas needs them. */

const names = [
  'text',
  'muted',
  'faint',
  'surface',
  'line',
  'line-strong',
  'accent',
  'added',
  'changed',
  'deleted',
  'denied',
] as const;

export type ColourName = (typeof names)[number];
export type Colours = Readonly<Record<ColourName, string>>;

export interface Ink {
  readonly colours: Colours;
  readonly font: string;
}

/** Reads what the tokens are where `element` stands: light or dark, or of high contrast. */
export const readInk = (element: HTMLElement): Ink => ({
  colours: readColours(element),
  font: `500 12px ${getComputedStyle(element).fontFamily}`,
});

function readColours(element: HTMLElement): Colours {
  const probe = element.ownerDocument.createElement('span');
  element.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = Object.fromEntries(names.map((name) => [name, read(name)])) as Record<ColourName, string>;
  probe.remove();
  return colours;
}

/** Calls back when the page turns light or dark; returns what ends it. */
export function onAppearance(changed: () => void): () => void {
  const query = window.matchMedia('(prefers-color-scheme: dark)');
  query.addEventListener('change', changed);
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true });
  return () => {
    query.removeEventListener('change', changed);
    observer.disconnect();
  };
}
