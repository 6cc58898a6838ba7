import 'monaco-editor/languages/definitions/javascript/register.js';
import { monaco } from './monaco.ts';
import { useEditor } from './useEditor.ts';
import styles from './YamlEditor.module.css';

interface JavaScriptEditorProps {
  /** Names the text among others: its undo history belongs to it. */
  readonly name: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Called on ctrl-s. */
  readonly onSave: () => void;
}

const options: monaco.editor.IStandaloneEditorConstructionOptions = {
  quickSuggestions: false,
  ariaLabel: 'JavaScript editor. Press control and M to let the tab key move the focus.',
};

const saveKeys = [monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyS];

/** Monaco over a text of JavaScript: colours, brackets, search; nothing that needs a compiler. */
export function JavaScriptEditor(props: JavaScriptEditorProps) {
  const { host } = useEditor({ ...props, language: 'javascript', options, saveKeys });
  return <div ref={host} className={styles.editor} />;
}
