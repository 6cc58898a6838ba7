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
  /** Of the font, in pixels. */
  readonly size: number;
}

/** Reads what the tokens are where `element` stands: light or dark, or of high contrast. */
export function readInk(element: HTMLElement): Ink {
  const { fontFamily, fontSize } = getComputedStyle(element);
  return { colours: readColours(element), font: `500 ${fontSize} ${fontFamily}`, size: parseFloat(fontSize) };
}

/** Where the system chooses the colours, tokens all read as its one colour of text. */
const FORCED = '(forced-colors: active)';

/** The system's colours; what is told apart by colour has a shape or words, too. */
const forced: Readonly<Partial<Record<ColourName, string>>> = {
  surface: 'Canvas',
  accent: 'Highlight',
  changed: 'Highlight',
  added: 'Highlight',
};

function readColours(element: HTMLElement): Colours {
  const probe = element.ownerDocument.createElement('span');
  element.append(probe);
  const isForced = window.matchMedia(FORCED).matches;
  const read = (name: ColourName): string => {
    probe.style.color = isForced ? (forced[name] ?? 'CanvasText') : `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = Object.fromEntries(names.map((name) => [name, read(name)])) as Record<ColourName, string>;
  probe.remove();
  return colours;
}

/** Calls back when the page turns light or dark; returns what ends it. */
export function onAppearance(changed: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', FORCED].map((query) => window.matchMedia(query));
  for (const query of queries) query.addEventListener('change', changed);
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true });
  return () => {
    for (const query of queries) query.removeEventListener('change', changed);
    observer.disconnect();
  };
}
