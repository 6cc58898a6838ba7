import { useEffect } from 'preact/compat';
import type { Problem } from './documents.ts';
import { monaco } from './monaco.ts';
import { claimFocus } from './drafts.ts';
import { useEditor } from './useEditor.ts';
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
  quickSuggestions: { other: true, comments: false, strings: true },
  ariaLabel: 'YAML editor. Press escape to leave it, or control and M to let the tab key move the focus.',
};

const saveKeys = [monaco.KeyCode.Enter, monaco.KeyCode.KeyS].map((key) => monaco.KeyMod.CtrlCmd | key);

/** Monaco over one YAML text. */
export function YamlEditor({ name, text, onText, problems, onApply, reveal }: YamlEditorProps) {
  const { host, editor } = useEditor({ name, text, language: 'yaml', options, onText, onSave: onApply, saveKeys });
  useEffect(() => {
    const model = editor.current?.getModel();
    if (model) monaco.editor.setModelMarkers(model, OWNER, problems.map(markerOf));
  }, [editor, problems, name]);
  useEffect(() => {
    if (!reveal) return;
    editor.current?.revealLineInCenter(reveal.line);
    editor.current?.setPosition({ lineNumber: reveal.line, column: 1 });
    editor.current?.focus();
  }, [editor, reveal]);
  useEffect(() => {
    if (claimFocus(name)) editor.current?.focus();
  }, [editor, name]);
  return <div ref={host} className={styles.editor} />;
}
