import { Activity, FileUp, FolderUp, StepForward } from 'lucide-preact';
import { useEffect, useRef, useState, type DragEvent } from 'preact/compat';
import { cx, IconButton, later, orToast } from '../../parts/index.ts';
import { useAddress } from '../../stores/address.ts';
import { nameOfIdentity, useIdentity } from '../../stores/identity.ts';
import { useCluster } from '../../stores/session.ts';
import { TouchKeys } from '../shells/TouchKeys.tsx';
import { useFrame } from '../shells/useFrame.ts';
import { readChosen, readDropped } from './dropped.ts';
import { useTerminal } from './opened.ts';
import aloud from '../../parts/Aloud.module.css';
import styles from '../shells/shells.module.css';
import { showLastRequests, terminalOf } from './session.ts';

const EditDialog = later(() => import('./EditDialog.tsx'), null);

/** The cluster's command line. */
export default function TerminalDock() {
  const { cluster } = useCluster();
  const place = useRef<HTMLDivElement>(null);
  const { frame, add } = terminalOf(cluster.name);
  const { over, ...dropping } = useDrop(add);
  const editing = useTerminal((state) => state.editing);
  useFrame(frame, place);
  return (
    <section className={cx(styles.shell, over && styles.over)} aria-label="Terminal" {...dropping}>
      <Bar add={add} />
      <div ref={place} className={styles.frame} />
      <TouchKeys terminal={frame.terminal} />
      {editing && <EditDialog editing={editing} />}
    </section>
  );
}

/** Tells a screen reader that a line was put into the terminal, each time anew; in a talk everybody reads whose line it is. */
function Told({ shown }: { readonly shown: boolean }) {
  const put = useTerminal((state) => state.put);
  const entered = useTerminal((state) => state.entered);
  const [told, setTold] = useState({ text: '', at: 0 });
  // It tells only what changes in a region that is already there.
  useEffect(
    () => setTold({ text: put === '' ? '' : `${put} is in the terminal. Press Enter to run it.`, at: entered }),
    [put, entered],
  );
  return (
    <p role="status" className={shown ? styles.state : aloud.aloud}>
      {told.text !== '' && <span key={told.at}>{told.text}</span>}
    </p>
  );
}

type Add = (files: ReadonlyMap<string, Uint8Array>) => Promise<void>;

const taken = (add: Add, read: () => Promise<ReadonlyMap<string, Uint8Array>>): Promise<boolean> =>
  orToast('The files could not be added.', async () => add(await read()));

/** Takes files and folders that are dropped. */
function useDrop(add: Add): {
  readonly over: boolean;
  readonly onDragOver: (event: DragEvent<HTMLElement>) => void;
  readonly onDragLeave: () => void;
  readonly onDrop: (event: DragEvent<HTMLElement>) => void;
} {
  const [over, setOver] = useState(false);
  return {
    over,
    onDragOver: (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event) => {
      setOver(false);
      const { dataTransfer } = event;
      if (!dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      void taken(add, () => readDropped(dataTransfer));
    },
  };
}

/** Chooses files, or a folder with all that is in it, by keyboard or touch as well. */
function AddButton({ folder, add }: { readonly folder: boolean; readonly add: Add }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        {...(folder ? { webkitdirectory: '' } : {})}
        onChange={({ currentTarget: target }) => {
          const { files } = target;
          if (files) void taken(add, () => readChosen(files)).finally(() => (target.value = ''));
        }}
      />
      <IconButton
        icon={folder ? FolderUp : FileUp}
        label={folder ? 'Add a folder' : 'Add files'}
        onClick={() => input.current?.click()}
      />
    </>
  );
}

/** The identity and namespace of commands: those of the top bar, or of the context that somebody chose. */
function Bar({ add }: { readonly add: Add }) {
  const chosen = useTerminal((state) => state.chosen);
  const putNext = useTerminal((state) => state.putNext);
  const pageUser = useIdentity((state) => nameOfIdentity(state.current));
  const pageNamespace = useAddress((address) => address.query['ns']) ?? 'default';
  const { user, namespace } = chosen ?? { user: pageUser, namespace: pageNamespace };
  return (
    <div className={styles.bar}>
      <span className={styles.state}>
        As {user} in {namespace}. F6 leaves the terminal.
      </span>
      <Told shown={putNext !== undefined} />
      {putNext && <IconButton icon={StepForward} label="Next command of the lesson" keys="F8" onClick={putNext} />}
      <AddButton folder={false} add={add} />
      <AddButton folder add={add} />
      <IconButton
        icon={Activity}
        label="Requests of the last command"
        onClick={showLastRequests}
        data-leave="terminal"
      />
    </div>
  );
}
