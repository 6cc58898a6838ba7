import 'monaco-editor/languages/definitions/javascript/register.js';
import { useEffect, useRef } from 'react';
import { useAppearance } from '../theme/appearance.ts';
import { baseOptions, fontOf } from './options.ts';
import { monaco } from './monaco.ts';
import styles from './YamlEditor.module.css';

interface JavaScriptEditorProps {
  /** Names the text among others: its undo history belongs to it. */
  readonly name: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Called on ctrl-s. */
  readonly onSave: () => void;
}

/** Monaco over a text of JavaScript: colours, brackets, search; nothing that needs a compiler. */
export function JavaScriptEditor({ name, text, onText, onSave }: JavaScriptEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<monaco.editor.IStandaloneCodeEditor>(undefined);
  const latest = useRef({ onText, onSave });
  const projector = useAppearance((state) => state.size === 'projector');
  useEffect(() => {
    latest.current = { onText, onSave };
  });
  useEffect(() => {
    if (!host.current) return undefined;
    const uri = monaco.Uri.parse(`vitrine://text/${encodeURIComponent(name)}.js`);
    const model = monaco.editor.createModel('', 'javascript', uri);
    const ariaLabel = 'JavaScript editor. Press control and M to let the tab key move the focus.';
    const made = monaco.editor.create(host.current, { ...baseOptions, ariaLabel, quickSuggestions: false, model });
    made.onDidChangeModelContent(() => latest.current.onText(made.getValue()));
    made.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyS, () => latest.current.onSave());
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
    editor.current?.updateOptions(fontOf(projector));
  }, [projector, name]);
  return <div ref={host} className={styles.editor} />;
}
