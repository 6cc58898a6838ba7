import { memo } from 'preact/compat';
import { Waypoints } from 'lucide-preact';
import { cx, StateMark } from '../../parts/index.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { timeOfDay } from '../../stores/clock.ts';
import { useCluster } from '../../stores/session.ts';
import { useGlass, useKindOf } from './hooks.ts';
import { linesAt } from './model/lines.ts';
import { because, outcome, sentence, type KindOf } from './model/sentences.ts';
import { reactionOf } from './model/reactions.ts';
import type { RecordedRequest, Recording } from './model/recording.ts';
import { refOf } from './model/subjects.ts';
import { stateOf } from './words.ts';
import styles from './LogPane.module.css';

const MOST = 120;

/** The same as the picture, in words, in order. A screen reader reads it when asked: requests come too fast to be announced. */
export function LogPane() {
  const { engine, pods } = useGlass();
  const { past } = useCluster();
  const kindOf = useKindOf();
  const lines = linesAt(engine.recording, engine.picture.next, undefined, MOST);
  return (
    <>
      <h2 className={styles.title}>What happens</h2>
      {lines.length === 0 && (
        <p className={styles.empty}>
          {past
            ? 'The Glass was not open at that time, so it has no record of what happened.'
            : 'Nothing has been written since the Glass opened. Create something: the request enters on the left, becomes a revision, and everything that watches it reacts.'}
        </p>
      )}
      <div ref={stayAtEnd} className={styles.log} role="log" aria-live="off" aria-label="What happens" tabIndex={0}>
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
          title="Follow this object: what led to this, and what follows from it"
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

const GESTURES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** In pixels: so near to its end a list counts as read to its end. */
const NEAR_END = 40;

/** A ref that keeps the end of a list in sight until a person scrolls away from it. */
export function stayAtEnd(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  let isAtEnd = true;
  // The browser scrolls too, where lines grow or go. Only what follows a gesture is a person's doing; it may go on long after it.
  let byHand = false;
  let top = 0;
  const below = (): number => element.scrollHeight - element.scrollTop - element.clientHeight;
  const follow = (follows: boolean): void => {
    isAtEnd = follows;
    // Where the first line goes as a new one comes, the browser would hold on to what is in sight.
    element.style.overflowAnchor = follows ? 'none' : 'auto';
  };
  const look = (): void => {
    const isUpward = element.scrollTop < top - 1;
    top = element.scrollTop;
    // The first step away counts: if the end were kept in sight until the list has moved far, it would jump back.
    if (byHand) follow(isUpward ? below() <= 1 : isAtEnd || below() < NEAR_END);
  };
  const note = (): void => void (byHand = true);
  const rest = (): void => {
    if (byHand) follow(below() < NEAR_END);
    byHand = false;
  };
  follow(true);
  // Sizes are told of when the layout is known: reading them costs nothing then.
  const sizes = new ResizeObserver(() => {
    if (!isAtEnd) return;
    element.scrollTop = element.scrollHeight;
    top = element.scrollTop;
  });
  for (const each of [element, ...element.children]) sizes.observe(each);
  for (const gesture of GESTURES) element.addEventListener(gesture, note, { passive: true });
  element.addEventListener('scroll', look, { passive: true });
  element.addEventListener('scrollend', rest, { passive: true });
  return () => {
    sizes.disconnect();
    for (const gesture of GESTURES) element.removeEventListener(gesture, note);
    element.removeEventListener('scroll', look);
    element.removeEventListener('scrollend', rest);
  };
}
