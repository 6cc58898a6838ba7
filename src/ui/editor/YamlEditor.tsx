import { useEffect, useRef } from 'react';
import { useAppearance } from '../theme/appearance.ts';
import type { Problem } from './documents.ts';
import { monaco } from './monaco.ts';
import { baseOptions, fontOf } from './options.ts';
import styles from './YamlEditor.module.css';

interface YamlEditorProps {
  /** Names the text among others: its undo history belongs to it. */
  readonly name: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly problems: readonly Problem[];
  /** Called on ctrl-enter, and on ctrl-s. */
  readonly onApply: () => void;
  /** The line to go to; a new object goes there again. */
  readonly reveal: { readonly line: number } | undefined;
}

const OWNER = 'vitrine';

function markerOf(problem: Problem): monaco.editor.IMarkerData {
  return {
    severity: monaco.MarkerSeverity.Error,
    message: problem.message,
    startLineNumber: problem.line,
    startColumn: problem.column,
    endLineNumber: problem.endLine,
    endColumn: problem.endColumn,
    source: 'server',
  };
}

const options: monaco.editor.IStandaloneEditorConstructionOptions = {
  ...baseOptions,
  quickSuggestions: { other: true, comments: false, strings: true },
  ariaLabel: 'YAML editor. Press control and M to let the tab key move the focus.',
};

/** Monaco over one YAML text. */
export function YamlEditor({ name, text, onText, problems, onApply, reveal }: YamlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<monaco.editor.IStandaloneCodeEditor>(undefined);
  const latest = useRef({ onText, onApply });
  const projector = useAppearance((state) => state.size === 'projector');
  useEffect(() => {
    latest.current = { onText, onApply };
  });
  useEffect(() => {
    if (!host.current) return undefined;
    const model = monaco.editor.createModel(
      '',
      'yaml',
      monaco.Uri.parse(`vitrine://text/${encodeURIComponent(name)}.yaml`),
    );
    const made = monaco.editor.create(host.current, { ...options, model });
    made.onDidChangeModelContent(() => latest.current.onText(made.getValue()));
    made.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter, () => latest.current.onApply());
    made.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyS, () => latest.current.onApply());
    editor.current = made;
    return () => {
      made.dispose();
      model.dispose();
    };
  }, [name]);
  useEffect(() => {
    // Setting what is there already would throw away the cursor and the undo history.
    if (editor.current && editor.current.getValue() !== text) editor.current.setValue(text);
  }, [text, name]);
  useEffect(() => {
    const model = editor.current?.getModel();
    if (model) monaco.editor.setModelMarkers(model, OWNER, problems.map(markerOf));
  }, [problems, name]);
  useEffect(() => {
    if (!reveal) return;
    editor.current?.revealLineInCenter(reveal.line);
    editor.current?.setPosition({ lineNumber: reveal.line, column: 1 });
    editor.current?.focus();
  }, [reveal]);
  useEffect(() => {
    editor.current?.updateOptions(fontOf(projector));
  }, [projector, name]);
  return <div ref={host} className={styles.editor} />;
}
