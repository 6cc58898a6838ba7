import { useState } from 'preact/compat';
import { YamlEditor } from '../../editor/YamlEditor.tsx';
import { Button, Dialog, KeyHint } from '../../parts/index.ts';
import type { Editing } from './opened.ts';
import styles from './terminal.module.css';

/** A text of the terminal in the page's editor: `vi FILE`, or an object that a command edits. */
export default function EditDialog({ editing: { title, text, finish } }: { readonly editing: Editing }) {
  const [now, setNow] = useState(text);
  return (
    <Dialog
      open
      wide
      onClose={() => finish(undefined)}
      title={title}
      actions={
        <>
          <Button onClick={() => finish(undefined)}>Discard</Button>
          <Button look="primary" onClick={() => finish(now)}>
            Save <KeyHint keys="ctrl enter" />
          </Button>
        </>
      }
    >
      <div className={styles.editor}>
        <YamlEditor
          name={`terminal/${title}`}
          text={now}
          onText={setNow}
          problems={NONE}
          onApply={() => finish(now)}
          reveal={TOP}
        />
      </div>
    </Dialog>
  );
}

const NONE: readonly never[] = [];
const TOP = { line: 1 };
