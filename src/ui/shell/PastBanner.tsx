import { ChevronLeft, ChevronRight, GitFork, History, Undo2 } from 'lucide-preact';
import { useEffect, useState } from 'preact/compat';
import type { LaterChange } from '../host.ts';
import { Button, IconButton, Popover, StateMark, toast } from '../parts/index.ts';
import { go } from '../stores/address.ts';
import { dateAndTime } from '../stores/clock.ts';
import { forkRefusal, switchCluster, useCluster, type Open } from '../stores/session.ts';
import { ClusterNameDialog } from './ClusterNameDialog.tsx';
import styles from './PastBanner.module.css';

type PastSession = NonNullable<Open['past']>;

/** Says that the page shows a moment of the past, what happened next, and how to leave it. */
export default function PastBanner() {
  const { past } = useCluster();
  return past ? <Banner past={past} /> : null;
}

const show = (revision: number | undefined): void =>
  go({ query: { at: revision === undefined ? undefined : String(revision) } });

/** What came after a revision; undefined until it is known. */
function useNext({ moment, live }: PastSession): readonly LaterChange[] | undefined {
  const [next, setNext] = useState<readonly LaterChange[]>();
  useEffect(() => {
    let gone = false;
    const read = live.past?.next(moment.revision) ?? Promise.resolve([]);
    read.then(
      (changes) => gone || setNext(changes),
      () => gone || setNext([]),
    );
    return () => {
      gone = true;
    };
  }, [moment, live]);
  return next;
}

function Banner({ past }: { readonly past: PastSession }) {
  const { revision, now } = past.moment;
  const [forking, setForking] = useState(false);
  const next = useNext(past);
  const later = next?.find((change) => change.revision > revision);
  return (
    <div role="status" className={styles.banner}>
      <History className={styles.icon} aria-hidden />
      <p className={styles.words}>
        <strong>Revision {revision}</strong>, {dateAndTime(now)}. Everything is shown as it was; nothing can be changed.
      </p>
      <IconButton icon={ChevronLeft} label="One revision back" onClick={() => show(Math.max(1, revision - 1))} />
      <IconButton
        icon={ChevronRight}
        label="To the next change"
        unavailable={later ? undefined : 'Nothing changed after it'}
        onClick={() => later && show(later.revision)}
      />
      <Next next={next} />
      <Button icon={GitFork} unavailable={forkRefusal(past.live)} onClick={() => setForking(true)}>
        Fork
      </Button>
      <Button look="primary" icon={Undo2} onClick={() => show(undefined)}>
        Back to now
      </Button>
      {forking && <ForkDialog past={past} onClose={() => setForking(false)} />}
    </div>
  );
}

const marks = { created: 'added', changed: 'changed', deleted: 'deleted' } as const;

/** `pods/default/web` of `/registry/pods/default/web`. */
const shortKey = (key: string): string => key.replace(/^\/registry\//, '');

function Next({ next }: { readonly next: readonly LaterChange[] | undefined }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label="What happened next"
      align="end"
      open={open}
      onOpen={setOpen}
      trigger={<Button>What happened next</Button>}
    >
      <ol className={styles.next}>
        {next?.length === 0 && <li className={styles.none}>Nothing changed after it.</li>}
        {next?.map(({ revision, key, type }) => (
          <li key={`${revision} ${key}`}>
            <button
              type="button"
              className={styles.change}
              onClick={() => {
                setOpen(false);
                show(revision);
              }}
            >
              <span className={styles.revision}>@{revision}</span>
              <StateMark state={marks[type]} text={type} />
              <span className={styles.key}>{shortKey(key)}</span>
            </button>
          </li>
        ))}
      </ol>
    </Popover>
  );
}

const NAME = /^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/i;

function ForkDialog({ past, onClose }: { readonly past: PastSession; readonly onClose: () => void }) {
  const { moment, live } = past;
  const fork = async (name: string): Promise<void> => {
    if (!live.past?.fork) throw new Error(forkRefusal(live));
    const options = await live.past.fork(moment.revision, name);
    toast('allowed', `${name} begins as ${live.name} was at revision ${moment.revision}.`);
    go({ cluster: name, panel: 'explore', query: { at: undefined } });
    await switchCluster(options);
  };
  return (
    <ClusterNameDialog
      title="Fork the cluster"
      about={`A new cluster with everything as it was at revision ${moment.revision}, the same objects and revisions. It continues from there; ${live.name} stays as it is.`}
      action="Fork"
      suggested={`${live.name}-${moment.revision}`}
      wrongWith={(name) => (NAME.test(name) ? undefined : 'Letters, digits, "-" and "."')}
      make={fork}
      failed="The fork was not made."
      onClose={onClose}
    />
  );
}
