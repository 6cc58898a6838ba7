import { Download, File, Folder, FolderUp, Link2 } from 'lucide-preact';
import { useEffect, useState } from 'preact/compat';
import type { ContainerTarget } from '../../../client/index.ts';
import type { ApiObject } from '../../../schema/index.ts';
import { Code, Empty, ErrorNote, IconButton, save, Select, Waiting } from '../../parts/index.ts';
import { attempt, messageOf } from '../../stores/actions.ts';
import { theClient, useObserver } from '../../stores/clients.ts';
import { at } from '../../stores/jsonValues.ts';
import { containersOf } from '../logs/sources.ts';
import { listFiles, MOST_DOWNLOADED, MOST_SHOWN, pathOf, readFile, textOf, type FileEntry } from './reading.ts';
import styles from './files.module.css';

/** The files of a pod's containers: directory by directory, each file to read or to take along. */
export default function FilesTab({ pod }: { readonly pod: ApiObject }) {
  const containers = containersOf(pod);
  const [container, setContainer] = useState(containers[0] ?? '');
  if (at(pod, 'status', 'phase') !== 'Running')
    return (
      <Empty icon={Folder} title="The pod does not run">
        Files of a container can be read while it runs.
      </Empty>
    );
  const { name = '', namespace = '' } = pod.metadata;
  return (
    <>
      {containers.length > 1 && (
        <div className={styles.choice}>
          <Select
            aria-label="Container"
            value={container}
            options={containers.map((value) => ({ value, label: value }))}
            onValue={setContainer}
          />
        </div>
      )}
      <Directory key={container} target={{ namespace, pod: name, container }} />
    </>
  );
}

type Read<T> =
  | { readonly is: 'reading' }
  | { readonly is: 'read'; readonly value: T }
  | { readonly is: 'refused'; readonly why: string };

/** What `read` finds, anew whenever the key changes. */
function useRead<T>(key: string, read: () => Promise<T>): Read<T> {
  const [state, setState] = useState<Read<T>>({ is: 'reading' });
  useEffect(() => {
    let gone = false;
    setState({ is: 'reading' });
    read().then(
      (value) => gone || setState({ is: 'read', value }),
      (error: unknown) => gone || setState({ is: 'refused', why: messageOf(error) }),
    );
    return () => void (gone = true);
    // The key says what is read.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
  return state;
}

function Directory({ target }: { readonly target: ContainerTarget }) {
  const client = useObserver();
  const [path, setPath] = useState('/');
  const [file, setFile] = useState<string>();
  const entries = useRead(path, () => listFiles(client, target, path));
  const open = ({ name, type }: Pick<FileEntry, 'name' | 'type'>): void => {
    if (type === 'file') return setFile(pathOf(path, name));
    setFile(undefined);
    setPath(pathOf(path, name));
  };
  return (
    <section className={styles.files} aria-label="Files">
      <p className={styles.path}>{path}</p>
      {entries.is === 'reading' && <Waiting />}
      {entries.is === 'refused' && <ErrorNote title="This can't be listed.">{entries.why}</ErrorNote>}
      <ul className={styles.list}>
        {path !== '/' && (
          <li>
            <button type="button" className={styles.entry} onClick={() => open({ name: '..', type: 'directory' })}>
              <FolderUp className={styles.icon} aria-hidden />
              <span className={styles.name}>..</span>
            </button>
          </li>
        )}
        {entries.is === 'read' &&
          entries.value.map((entry) => (
            <Entry key={entry.name} entry={entry} current={pathOf(path, entry.name) === file} onOpen={open} />
          ))}
      </ul>
      {file !== undefined && <OneFile key={file} target={target} path={file} />}
    </section>
  );
}

const ICONS = { directory: Folder, link: Link2, file: File, other: File } as const;

interface EntryProps {
  readonly entry: FileEntry;
  readonly current: boolean;
  readonly onOpen: (entry: FileEntry) => void;
}

function Entry({ entry, current, onOpen }: EntryProps) {
  const { name, type, to, mode, size } = entry;
  const Icon = ICONS[type];
  return (
    <li>
      <button
        type="button"
        className={styles.entry}
        aria-current={current || undefined}
        disabled={type === 'other'}
        onClick={() => onOpen(entry)}
      >
        <Icon className={styles.icon} aria-label={type} />
        <span className={styles.name}>
          {name}
          {to !== undefined && <span className={styles.meta}> → {to}</span>}
        </span>
        <span className={styles.meta}>{type === 'file' && `${size} bytes`}</span>
        <span className={styles.meta}>{mode}</span>
      </button>
    </li>
  );
}

function OneFile({ target, path }: { readonly target: ContainerTarget; readonly path: string }) {
  const client = useObserver();
  const read = useRead(path, () => readFile(client, target, path, MOST_SHOWN));
  const download = (): Promise<boolean> =>
    attempt(undefined, `${path} was not downloaded.`, async () => {
      const bytes = await readFile(theClient(), target, path, MOST_DOWNLOADED + 1);
      if (bytes.length > MOST_DOWNLOADED) throw new Error(`It has more than ${MOST_DOWNLOADED} bytes.`);
      save(new Blob([bytes]), path.slice(path.lastIndexOf('/') + 1));
    });
  const text = read.is === 'read' ? textOf(read.value) : undefined;
  return (
    <section className={styles.file} aria-label={path}>
      <div className={styles.bar}>
        <span className={styles.path}>{path}</span>
        <IconButton icon={Download} label="Download" onClick={() => void download()} />
      </div>
      {read.is === 'reading' && <Waiting />}
      {read.is === 'refused' && <ErrorNote title="This can't be read.">{read.why}</ErrorNote>}
      {read.is === 'read' && read.value.length === MOST_SHOWN && (
        <p className={styles.meta}>The first {MOST_SHOWN} bytes.</p>
      )}
      {read.is === 'read' &&
        (text === undefined ? (
          <p className={styles.meta}>This content is not text.</p>
        ) : (
          <Code text={text} language="plain" wrap />
        ))}
    </section>
  );
}
