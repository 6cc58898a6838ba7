/** Monaco's colours, from the page's tokens. */
import type * as Monaco from 'monaco-editor/editor.js';
import { effectiveTheme, useAppearance } from '../theme/appearance.ts';

const NAME = 'vitrine';

/** Reads what a token comes to now. A custom property's text may still be a choice; an element's colour is not. */
function reader(): { readonly read: (token: string) => string; readonly done: () => void } {
  const probe = document.createElement('span');
  document.body.append(probe);
  const canvas = document.createElement('canvas').getContext('2d');
  const read = (token: string): string => {
    probe.style.color = `var(--${token})`;
    if (!canvas) return '#000000';
    canvas.fillStyle = getComputedStyle(probe).color;
    return String(canvas.fillStyle);
  };
  return { read, done: () => probe.remove() };
}

/** The tokens of YAML and JavaScript by Monaco's full names, which its own themes colour too: less would not override them. */
const ruleColours: Readonly<Record<string, string>> = {
  '': 'text',
  'type.yaml': 'code-key',
  'string.yaml': 'code-text',
  'number.yaml': 'code-number',
  'number.float.yaml': 'code-number',
  'keyword.yaml': 'code-word',
  'comment.yaml': 'code-comment',
  'operators.yaml': 'faint',
  'operators.directivesEnd.yaml': 'faint',
  'delimiter.comma.yaml': 'faint',
  'namespace.yaml': 'code-word',
  'keyword.js': 'code-word',
  'identifier.js': 'text',
  'type.identifier.js': 'code-key',
  'string.js': 'code-text',
  'number.js': 'code-number',
  'comment.js': 'code-comment',
  'delimiter.js': 'faint',
};

const partColours: Readonly<Record<string, string>> = {
  'editor.background': 'surface',
  'editor.foreground': 'text',
  'editorLineNumber.foreground': 'faint',
  'editorLineNumber.activeForeground': 'text',
  'editor.lineHighlightBackground': 'hover',
  'editor.lineHighlightBorder': 'hover',
  'editor.selectionBackground': 'selection',
  'editorCursor.foreground': 'accent',
  'editorIndentGuide.background1': 'line',
  'editorIndentGuide.activeBackground1': 'line-strong',
  'editorWidget.background': 'raised',
  'editorWidget.border': 'line',
  'editorHoverWidget.background': 'raised',
  'editorHoverWidget.border': 'line',
  'editorSuggestWidget.background': 'raised',
  'editorSuggestWidget.border': 'line',
  'editorSuggestWidget.selectedBackground': 'accent-soft',
  'editorSuggestWidget.selectedForeground': 'text',
  'editorSuggestWidget.highlightForeground': 'accent',
  'editorError.foreground': 'failed',
  'editorWarning.foreground': 'pending',
  'input.background': 'surface',
  focusBorder: 'focus',
};

function define(monaco: typeof Monaco): void {
  const { read, done } = reader();
  monaco.editor.defineTheme(NAME, {
    base: effectiveTheme(useAppearance.getState().theme) === 'dark' ? 'vs-dark' : 'vs',
    inherit: true,
    rules: Object.entries(ruleColours).map(([token, colour]) => ({ token, foreground: read(colour).slice(1) })),
    colors: Object.fromEntries(Object.entries(partColours).map(([part, colour]) => [part, read(colour)])),
  });
  done();
  monaco.editor.setTheme(NAME);
}

/** Puts the page's colours on every editor, now and whenever the appearance changes. */
export function applyTheme(monaco: typeof Monaco): void {
  const again = (): void => void requestAnimationFrame(() => define(monaco));
  useAppearance.subscribe(again);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  define(monaco);
}
