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

function define(monaco: typeof Monaco): void {
  const { read, done } = reader();
  const rule = (token: string, colour: string): Monaco.editor.ITokenThemeRule => ({
    token,
    foreground: read(colour).slice(1),
  });
  monaco.editor.defineTheme(NAME, {
    base: effectiveTheme(useAppearance.getState().theme) === 'dark' ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      rule('', 'text'),
      // Monaco's own themes colour YAML's tokens by these full names; less would not override them.
      rule('type.yaml', 'code-key'),
      rule('string.yaml', 'code-text'),
      rule('number.yaml', 'code-number'),
      rule('number.float.yaml', 'code-number'),
      rule('keyword.yaml', 'code-word'),
      rule('comment.yaml', 'code-comment'),
      rule('operators.yaml', 'faint'),
      rule('operators.directivesEnd.yaml', 'faint'),
      rule('delimiter.comma.yaml', 'faint'),
      rule('namespace.yaml', 'code-word'),
    ],
    colors: {
      'editor.background': read('surface'),
      'editor.foreground': read('text'),
      'editorLineNumber.foreground': read('faint'),
      'editorLineNumber.activeForeground': read('text'),
      'editor.lineHighlightBackground': read('hover'),
      'editor.lineHighlightBorder': read('hover'),
      'editor.selectionBackground': read('selection'),
      'editorCursor.foreground': read('accent'),
      'editorIndentGuide.background1': read('line'),
      'editorIndentGuide.activeBackground1': read('line-strong'),
      'editorWidget.background': read('raised'),
      'editorWidget.border': read('line'),
      'editorHoverWidget.background': read('raised'),
      'editorHoverWidget.border': read('line'),
      'editorSuggestWidget.background': read('raised'),
      'editorSuggestWidget.border': read('line'),
      'editorSuggestWidget.selectedBackground': read('accent-soft'),
      'editorSuggestWidget.selectedForeground': read('text'),
      'editorSuggestWidget.highlightForeground': read('accent'),
      'editorError.foreground': read('failed'),
      'editorWarning.foreground': read('pending'),
      'input.background': read('surface'),
      focusBorder: read('focus'),
    },
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
