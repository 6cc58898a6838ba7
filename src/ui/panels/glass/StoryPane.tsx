import { useEffect, useLayoutEffect, useRef } from 'preact/compat';
import { Waypoints } from 'lucide-preact';
import { cx, Empty } from '../../parts/index.ts';
import { useGlass, useKindOf } from './hooks.ts';
import { RequestLink, stayAtEnd } from './LogPane.tsx';
import { storyOf, type StoryLine } from './model/story.ts';
import { because, outcome, type KindOf } from './model/sentences.ts';
import { refOf } from './model/subjects.ts';
import { followedText } from './words.ts';
import styles from './LogPane.module.css';
import story from './StoryPane.module.css';

/** One object's story: from the first request to the last effect, each with what caused it. */
export function StoryPane({ followed }: { readonly followed: string }) {
  const glass = useGlass();
  const kindOf = useKindOf();
  useLayoutEffect(() => glass.follow(followed, storyOf), [glass, followed]);
  const lines = glass.story();
  const { behind, picture } = glass.engine;
  const now = behind === 0 ? Infinity : picture.revision;
  const what = followedText(followed, kindOf);
  const isAhead = ({ recorded: { revision } }: StoryLine): boolean => revision !== undefined && revision > now;
  const current = behind === 0 ? undefined : lines.findLast((line) => !isAhead(line))?.recorded.id;
  return (
    <>
      <h2 className={styles.title}>Story of {what}</h2>
      {lines.length === 0 ? (
        <Empty icon={Waypoints} title="No changes recorded yet">
          Nobody has written {what} since this page began to record. Every change from now on appears here, with
          everything that follows from it.
        </Empty>
      ) : (
        <div
          ref={behind === 0 ? stayAtEnd : null}
          className={styles.log}
          role="log"
          aria-live="polite"
          aria-label={`Story of ${what}`}
          tabIndex={0}
        >
          <ol>
            {lines.map((line) => (
              <StoryItem
                key={line.recorded.id}
                line={line}
                first={lines[0]?.recorded.at ?? 0}
                kindOf={kindOf}
                own={followed}
                ahead={isAhead(line)}
                current={line.recorded.id === current}
                phase={glass.pods.phaseAt(line.recorded.revision)}
              />
            ))}
          </ol>
        </div>
      )}
    </>
  );
}

interface ItemProps {
  readonly line: StoryLine;
  readonly first: number;
  readonly kindOf: KindOf;
  readonly own: string;
  /** The picture has not come there yet. */
  readonly ahead: boolean;
  /** The picture is just there. */
  readonly current: boolean;
  /** Of a pod, the phase that it was in then. */
  readonly phase: string | undefined;
}

const MOST_DEPTH = 6;

function StoryItem({ line: { recorded, reaction, depth }, first, kindOf, own, ahead, current, phase }: ItemProps) {
  const isOwn = refOf(recorded.subject) === own;
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (current) item.current?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <li
      ref={item}
      aria-current={current ? 'step' : undefined}
      className={cx(styles.line, story.step, isOwn && story.own, ahead && story.ahead, recorded.stop && styles.stopped)}
      style={{ marginInlineStart: `${Math.min(depth, MOST_DEPTH) * 0.75}rem` }}
      aria-level={depth + 1}
    >
      <span className={styles.head}>
        <RequestLink recorded={recorded} kindOf={kindOf} />
      </span>
      <span className={styles.more}>
        <span className={styles.time}>{elapsed(recorded.at - first)}</span> {outcome(recorded, phase)}
        {reaction && `, ${because(reaction)}`}
      </span>
    </li>
  );
}

/** `+1.24 s` since the story began. */
const elapsed = (ms: number): string => `+${(ms / 1000).toFixed(2)} s`;
