/** The contrast of the page's colours, by their tokens: of every text on every ground that it may stand on. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const source = readFileSync(new URL('../../src/ui/theme/colours.css', import.meta.url), 'utf8');

const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];
type Colours = ReadonlyMap<string, Readonly<Record<Theme, string>>>;

const TOKEN = /--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g;

/** The tokens of a rule that have one opaque colour for each theme. */
function tokensOf(selector: string): Colours {
  const from = source.indexOf(`${selector} {`);
  if (from < 0) throw new Error(`no rule for ${selector}`);
  const rule = source.slice(from, source.indexOf('}', from));
  return new Map([...rule.matchAll(TOKEN)].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]));
}

const plain = tokensOf(':root');
const contrasts = { normal: plain, high: new Map([...plain, ...tokensOf(":root[data-contrast='more']")]) };

/** As WCAG 2 defines it. */
function luminance(colour: string): number {
  const part = (at: number): number => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

function contrast(one: string, other: string): number {
  const [less = 0, more = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}

const grounds = ['canvas', 'surface', 'raised', 'sunken', 'hover', 'pressed'];
const texts = ['text', 'muted', 'faint', 'accent', 'accent-strong'];
const states = [...plain.keys()].filter((name) => plain.has(`${name}-soft`) && name !== 'accent');
const code = [...plain.keys()].filter((name) => name.startsWith('code-'));

/** Which text may stand on which ground. */
const pairs: readonly (readonly [text: string, ground: string])[] = [
  ...[...texts, ...states].flatMap((text) => grounds.map((ground) => [text, ground] as const)),
  ...code.flatMap((text) => ['canvas', 'surface', 'raised', 'sunken'].map((ground) => [text, ground] as const)),
  ...[...states, 'accent'].flatMap((state) => [
    [state, `${state}-soft`] as const,
    ['text', `${state}-soft`] as const,
    ['muted', `${state}-soft`] as const,
  ]),
  ['accent-strong', 'accent-soft'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['text', 'selection'],
];

/** What of all pairs is below `least`. */
function below(least: number, colours: Colours, theme: Theme): string[] {
  return pairs.flatMap(([text, ground]) => {
    const [of, on] = [colours.get(text), colours.get(ground)];
    if (!of || !on) throw new Error(`no token ${of ? ground : text}`);
    const ratio = contrast(of[theme], on[theme]);
    return ratio < least ? [`${text} on ${ground}: ${ratio.toFixed(2)}`] : [];
  });
}

describe.each(themes)('in the %s theme', (theme) => {
  it('every text has a contrast of 4.5 at least', () => {
    expect(below(4.5, contrasts.normal, theme)).toEqual([]);
  });

  it('every text has a contrast of 7 at least with high contrast', () => {
    expect(below(7, contrasts.high, theme)).toEqual([]);
  });

  it('lines, icons and the focus have a contrast of 3 at least with high contrast', () => {
    const marks = ['line', 'line-strong', 'focus', 'scroll-thumb'];
    const faint = marks.flatMap((mark) =>
      ['canvas', 'surface', 'raised', 'sunken'].filter(
        (ground) => contrast(contrasts.high.get(mark)?.[theme] ?? '', contrasts.high.get(ground)?.[theme] ?? '') < 3,
      ),
    );
    expect(faint).toEqual([]);
  });
});
