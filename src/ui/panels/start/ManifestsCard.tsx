import { FileUp, Pencil } from 'lucide-react';
import { useRef, useState, type DragEvent } from 'react';
import { Button, cx, TextArea, toast } from '../../parts/index.ts';
import { messageOf } from '../../stores/actions.ts';
import { go } from '../../stores/address.ts';
import { openCluster, useSession } from '../../stores/session.ts';
import { freeName, usualOptions } from './defaults.ts';
import styles from './Card.module.css';

/** Texts of more characters than this are no manifests that somebody wants to read in an editor. */
const LONGEST = 2_000_000;

/** Opens a new cluster with the text in its editor, where it is read before anything is applied. */
async function openWith(text: string): Promise<void> {
  const name = freeName('mine', useSession.getState().known);
  go({ cluster: name, panel: 'explore' });
  await openCluster(usualOptions(name));
  const { session } = useSession.getState();
  if (session.phase !== 'open' || session.cluster.name !== name) return;
  const { offer, openEditor } = await import('../../editor/drafts.ts');
  offer(text);
  openEditor({ kind: 'new' });
}

async function openFiles(files: FileList | null): Promise<void> {
  const all = [...(files ?? [])];
  if (all.length === 0) return;
  if (all.reduce((sum, file) => sum + file.size, 0) > LONGEST)
    return toast('failed', 'These files are too large.', 'Manifests of up to 2 MB can be opened at once.');
  const texts = await Promise.all(all.map((file) => file.text()));
  await openWith(texts.join('\n---\n'));
}

const start = (work: Promise<void>): void =>
  void work.catch((error: unknown) => toast('failed', 'The manifests could not be opened.', messageOf(error)));

/** A cluster for what somebody has already: files that are dropped or chosen, or a text that is pasted. */
export function ManifestsCard() {
  const [over, setOver] = useState(false);
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    start(openFiles(event.dataTransfer.files));
  };
  const drag = (event: DragEvent): void => {
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
        accept=".yaml,.yml,.json"
        onChange={(event) => start(openFiles(event.target.files))}
      />
      <div className={styles.actions}>
        <Button
          icon={Pencil}
          unavailable={text.trim() === '' && 'Paste a manifest first.'}
          onClick={() => start(openWith(text))}
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
