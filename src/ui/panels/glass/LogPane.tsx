import { memo, useLayoutEffect, useRef } from 'react';
import { Waypoints } from 'lucide-react';
import { cx, StateMark } from '../../parts/index.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { timeOfDay } from '../../stores/clock.ts';
import type { State } from '../../theme/states.ts';
import { useGlass, useKindOf } from './hooks.ts';
import { linesAt } from './model/lines.ts';
import { because, outcome, sentence, type KindOf } from './model/sentences.ts';
import { reactionOf } from './model/reactions.ts';
import type { RecordedRequest, Recording } from './model/recording.ts';
import { refOf } from './model/subjects.ts';
import styles from './LogPane.module.css';

const MOST = 120;
/** While single events can't be followed anyway. */
const MOST_FOLDED = 20;

/** The same as the picture, in words: a live log, in order. */
export function LogPane() {
  const { engine, pods } = useGlass();
  const kindOf = useKindOf();
  const lines = linesAt(engine.recording, engine.picture.next, undefined, engine.folded ? MOST_FOLDED : MOST);
  const list = useRef<HTMLDivElement>(null);
  useStayAtEnd(list, lines.at(-1)?.id);
  return (
    <>
      <h2 className={styles.title}>What happens</h2>
      {lines.length === 0 && (
        <p className={styles.empty}>
          Nothing was written since this room opened. Create something: it enters at the left, becomes a revision, and
          everybody who watches reacts.
        </p>
      )}
      <div
        ref={list}
        className={styles.log}
        role="log"
        aria-live={engine.folded ? 'off' : 'polite'}
        aria-label="What happens"
        tabIndex={0}
      >
        <ol>
          {lines.map((recorded) => (
            <LogLine
              key={recorded.id}
              recorded={recorded}
              recording={engine.recording}
              kindOf={kindOf}
              phase={pods.phaseAt(recorded.revision)}
            />
          ))}
        </ol>
      </div>
    </>
  );
}

export function stateOf({ stop, method }: RecordedRequest): State {
  if (stop) return stop.stage === 'authentication' || stop.stage === 'authorization' ? 'denied' : 'failed';
  if (method === 'DELETE') return 'deleted';
  return method === 'POST' ? 'added' : method === 'GET' ? 'allowed' : 'changed';
}

interface LineProps {
  readonly recorded: RecordedRequest;
  readonly recording: Recording;
  readonly kindOf: KindOf;
  /** Of a pod, the phase that it was in then. */
  readonly phase: string | undefined;
}

/** A line changes only with its request: very many come together. */
const LogLine = memo(function LogLine({ recorded, recording, kindOf, phase }: LineProps) {
  const address = useAddress();
  const reaction = reactionOf(recorded, recording);
  return (
    <li className={cx(styles.line, recorded.stop && styles.stopped)}>
      <span className={styles.head}>
        <RequestLink recorded={recorded} kindOf={kindOf} />
        <a
          className={styles.follow}
          href={hrefOf({ query: { follow: refOf(recorded.subject) } }, address)}
          aria-label="Follow this object"
          title="Follow this object: what led here and what follows"
        >
          <Waypoints className={styles.icon} aria-hidden />
        </a>
      </span>
      <span className={styles.more}>
        <span className={styles.time}>{timeOfDay(recorded.at)}</span> {outcome(recorded, phase)}
        {reaction && `, ${because(reaction)}`}
      </span>
    </li>
  );
});

/** What a request did, in a sentence that opens it. */
export function RequestLink({ recorded, kindOf }: Pick<LineProps, 'recorded' | 'kindOf'>) {
  const address = useAddress();
  return (
    <>
      <StateMark state={stateOf(recorded)} text="" />
      <a
        className={styles.sentence}
        href={hrefOf({ query: { sel: `request:${recorded.id}`, tab: undefined } }, address)}
        title="Open the request"
      >
        {sentence(recorded, kindOf)}
      </a>
    </>
  );
}

/** Keeps the end in sight while somebody reads there. */
export function useStayAtEnd(list: React.RefObject<HTMLElement | null>, last: string | undefined): void {
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const look = (): void => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
    };
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, [list]);
  useLayoutEffect(() => {
    if (atEnd.current && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [list, last]);
}
