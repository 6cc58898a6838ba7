import type { ITheme } from '@xterm/xterm';

const COLOURS = {
  background: '--sunken',
  foreground: '--text',
  cursor: '--accent',
  cursorAccent: '--surface',
  selectionBackground: '--selection',
  black: '--text',
  red: '--denied',
  green: '--ready',
  yellow: '--pending',
  blue: '--changed',
  magenta: '--deleted',
  cyan: '--accent',
  white: '--muted',
  brightBlack: '--faint',
  brightRed: '--failed',
  brightGreen: '--allowed',
  brightYellow: '--pending',
  brightBlue: '--changed',
  brightMagenta: '--code-word',
  brightCyan: '--code-key',
  brightWhite: '--text',
} as const satisfies Partial<Record<keyof ITheme, string>>;

/** The page's colours as they are at the moment; a terminal wants them as numbers. */
export function themeOf(within: HTMLElement): ITheme {
  const probe = document.createElement('span');
  within.append(probe);
  const colours = Object.entries(COLOURS).map(([name, token]) => {
    probe.style.color = `var(${token})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(colours);
}
