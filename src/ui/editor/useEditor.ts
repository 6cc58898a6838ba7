import { useEffect, useRef, type RefObject } from 'preact/compat';
import { useAppearance } from '../theme/appearance.ts';
import { monaco } from './monaco.ts';
import { baseOptions, fontOf } from './options.ts';

interface EditedText {
  /** Names the text among others: its undo history belongs to it. */
  readonly name: string;
  readonly text: string;
  readonly language: 'yaml' | 'javascript';
  /** What this editor has besides what all have; the same object each time. */
  readonly options: monaco.editor.IStandaloneEditorConstructionOptions;
  readonly onText: (text: string) => void;
  /** Called on any of `saveKeys`. */
  readonly onSave: () => void;
  readonly saveKeys: readonly number[];
}

const ENDINGS = { yaml: 'yaml', javascript: 'js' } as const;

/** Where the escape key means nothing to the editor itself. */
const NOTHING_TO_CLOSE = [
  '!suggestWidgetVisible',
  '!findWidgetVisible',
  '!parameterHintsVisible',
  '!markersNavigationVisible',
  '!editorHasSelection',
  '!editorHasMultipleSelections',
].join(' && ');

/** Takes the focus out of the editor, whose tab key writes, to the heading above it. */
function leave(editor: monaco.editor.IStandaloneCodeEditor): void {
  const heading = editor.getDomNode()?.closest('aside')?.querySelector<HTMLElement>('h2[tabindex]');
  if (heading) heading.focus();
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** Monaco over one text: it stands in the element of `host`. */
export function useEditor({ name, text, language, options, onText, onSave, saveKeys }: EditedText): {
  readonly host: RefObject<HTMLDivElement | null>;
  readonly editor: RefObject<monaco.editor.IStandaloneCodeEditor | undefined>;
} {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<monaco.editor.IStandaloneCodeEditor>(undefined);
  const latest = useRef({ onText, onSave });
  const projector = useAppearance((state) => state.size === 'projector');
  useEffect(() => {
    latest.current = { onText, onSave };
  });
  useEffect(() => {
    if (!host.current) return undefined;
    const uri = monaco.Uri.parse(`vitrine://text/${encodeURIComponent(name)}.${ENDINGS[language]}`);
    const model = monaco.editor.createModel('', language, uri);
    const made = monaco.editor.create(host.current, { ...baseOptions, ...options, model });
    made.onDidChangeModelContent(() => latest.current.onText(made.getValue()));
    for (const key of saveKeys) made.addCommand(key, () => latest.current.onSave());
    made.addCommand(monaco.KeyCode.Escape, () => leave(made), NOTHING_TO_CLOSE);
    editor.current = made;
    return () => {
      made.dispose();
      model.dispose();
    };
  }, [name, language, options, saveKeys]);
  useEffect(() => {
    // Setting what is there already would throw away the cursor and the undo history.
    if (editor.current && editor.current.getValue() !== text) editor.current.setValue(text);
  }, [text, name]);
  useEffect(() => {
    editor.current?.updateOptions(fontOf(projector));
  }, [projector, name]);
  return { host, editor };
}
