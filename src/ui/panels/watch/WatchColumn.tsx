import { Pause, Play, RotateCcw, Unplug, X } from 'lucide-preact';
import { useEffect, useRef } from 'preact/compat';
import { Badge, Button, IconButton, StateMark } from '../../parts/index.ts';
import { closeWatch, dropWatch, holdWatch, relistWatch, resumeWatch, type WatchSession } from '../../stores/watches.ts';
import { LineItem } from './LineItem.tsx';
import styles from './WatchColumn.module.css';

function whatText({ spec }: WatchSession): string {
  const where = spec.namespace ? ` in ${spec.namespace}` : '';
  const selectors = [spec.labelSelector, spec.fieldSelector].filter(Boolean).join(' ');
  return `${spec.resource.resource}${where}${selectors && ` · ${selectors}`}`;
}

/** One watch: how it stands, what can be done with it, its events with the latest at the end. */
export function WatchColumn({ session }: { readonly session: WatchSession }) {
  const { id, lines } = session;
  const end = useFollowedEnd(lines.length);
  return (
    <section className={styles.column} aria-label={whatText(session)}>
      <header className={styles.head}>
        <p className={styles.what}>{whatText(session)}</p>
        <IconButton icon={X} label="Close this watch" onClick={() => closeWatch(id)} />
        <Standing session={session} />
        <Controls session={session} />
      </header>
      <ol ref={end} className={styles.lines}>
        {lines.map((line) => (
          <LineItem key={line.id} line={line} resource={session.spec.resource} />
        ))}
      </ol>
    </section>
  );
}

const NEAR_END = 60;

/** Keeps the end in sight as lines come in, unless the reader has gone back up. */
function useFollowedEnd(count: number) {
  const list = useRef<HTMLOListElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const note = (): void =>
      void (follows.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END);
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  }, []);
  useEffect(() => {
    if (follows.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count]);
  return list;
}

const phases = { opening: 'pending', open: 'ready', ended: 'completed' } as const;

function Standing({ session }: { readonly session: WatchSession }) {
  const { phase, held, gone, count, revision, backlog, user } = session;
  const word = gone ? 'expired' : held ? 'held' : phase;
  return (
    <p className={styles.standing}>
      <StateMark state={gone ? 'failed' : held ? 'pending' : phases[phase]} text={word} />
      <span>@{revision || '–'}</span>
      <span>{count === 1 ? '1 event' : `${count} events`}</span>
      {backlog > 0 && <Badge>{`${backlog} waiting`}</Badge>}
      <span className={styles.user}>{user}</span>
    </p>
  );
}

function Controls({ session }: { readonly session: WatchSession }) {
  const { id, phase, held, gone } = session;
  if (gone) {
    return (
      <Button icon={RotateCcw} onClick={() => void relistWatch(id)}>
        List and watch again
      </Button>
    );
  }
  if (phase === 'ended') {
    return (
      <Button icon={Play} onClick={() => resumeWatch(id)}>
        Resume from @{session.revision || '–'}
      </Button>
    );
  }
  return (
    <span className={styles.controls}>
      <Button icon={held ? Play : Pause} onClick={() => holdWatch(id, !held)}>
        {held ? 'Resume reading' : 'Hold'}
      </Button>
      <Button icon={Unplug} onClick={() => dropWatch(id)}>
        Drop
      </Button>
    </span>
  );
}
