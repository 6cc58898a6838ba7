/** How every editor of the page looks and behaves. */
import type { monaco } from './monaco.ts';

const BASE_FONT = 12;

export const baseOptions: monaco.editor.IStandaloneEditorConstructionOptions = {
  automaticLayout: true,
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  tabSize: 2,
  insertSpaces: true,
  detectIndentation: false,
  fontFamily:
    "ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  lineNumbersMinChars: 3,
  // The last number would be too faint to read.
  renderFinalNewline: 'on',
  lineDecorationsWidth: 12,
  renderLineHighlight: 'line',
  overviewRulerLanes: 0,
  hideCursorInOverviewRuler: true,
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
  padding: { top: 8, bottom: 8 },
  fixedOverflowWidgets: true,
  folding: true,
  wordBasedSuggestions: 'off',
};

/** The size of the code face; larger where the page is shown to a room. */
export function fontOf(projector: boolean): { readonly fontSize: number; readonly lineHeight: number } {
  const fontSize = projector ? BASE_FONT * 1.3 : BASE_FONT;
  return { fontSize, lineHeight: Math.round(fontSize * 1.6) };
}
