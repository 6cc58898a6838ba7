import { FileUp, Pencil } from 'lucide-preact';
import { useRef, useState, type DragEvent } from 'preact/compat';
import { Button, cx, orToast, TextArea } from '../../parts/index.ts';
import styles from './Card.module.css';

/** Hands on what somebody brought; what reads it comes then. */
function bring(what: string | FileList | null): Promise<boolean> {
  return orToast('The manifests could not be opened.', async () => (await import('./bringing.ts')).bring(what));
}

/** A cluster for what somebody has already: files that are dropped or chosen, or a text that is pasted. */
export function ManifestsCard() {
  const [over, setOver] = useState(false);
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent<HTMLElement>): void => {
    event.preventDefault();
    setOver(false);
    void bring(event.dataTransfer?.files ?? null);
  };
  const drag = (event: DragEvent<HTMLElement>): void => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <section
      className={cx(styles.card, over && styles.over)}
      aria-label="Bring your own manifests"
      onDragOver={drag}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h2 className={styles.title}>Bring your own manifests</h2>
      <TextArea
        aria-label="Manifests"
        rows={5}
        className={styles.paste}
        placeholder="Paste YAML here, or drop files"
        value={text}
        onText={setText}
      />
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept=".yaml,.yml,.json,.ndjson"
        onChange={(event) => void bring(event.currentTarget.files)}
      />
      <div className={styles.actions}>
        <Button
          icon={Pencil}
          unavailable={text.trim() === '' && 'Paste a manifest first.'}
          onClick={() => void bring(text)}
        >
          Open in a new cluster
        </Button>
        <Button icon={FileUp} look="quiet" onClick={() => input.current?.click()}>
          Choose files
        </Button>
      </div>
      <p className={styles.note}>You see them in the editor before anything is applied.</p>
    </section>
  );
}
