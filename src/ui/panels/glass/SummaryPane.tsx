import { memo, useState } from 'preact/compat';
import { cx, StateMark } from '../../parts/index.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { useGlass, useKindOf } from './hooks.ts';
import { outcome, sentenceOfMany, type KindOf } from './model/sentences.ts';
import { Summary, type SummaryLine } from './model/summary.ts';
import { stateOf } from './words.ts';
import styles from './LogPane.module.css';
import own from './SummaryPane.module.css';

const MOST = 12;

/** What happens while too much does to tell of each: counts, that change once a second. */
export function SummaryPane() {
  const { recording } = useGlass().engine;
  const kindOf = useKindOf();
  const [summary] = useState(() => new Summary(recording));
  return (
    <>
      <h2 className={styles.title}>What happens</h2>
      <Lines lines={summary.at(Math.floor(performance.now() / 1000))} kindOf={kindOf} />
    </>
  );
}

interface LinesProps {
  readonly lines: readonly SummaryLine[];
  readonly kindOf: KindOf;
}

const Lines = memo(function Lines({ lines, kindOf }: LinesProps) {
  const rest = lines.slice(MOST).reduce((sum, { count }) => sum + count, 0);
  return (
    <div className={styles.log} role="region" aria-label="What happened in the last second" tabIndex={0}>
      <p className={own.explained}>There are too many requests to list them one by one. In the last second:</p>
      <ul>
        {lines.slice(0, MOST).map((line) => (
          <Line key={line.key} line={line} kindOf={kindOf} />
        ))}
      </ul>
      {rest > 0 && <p className={own.explained}>and {rest} others</p>}
    </div>
  );
});

function Line({ line: { latest, count }, kindOf }: { readonly line: SummaryLine; readonly kindOf: KindOf }) {
  const address = useAddress();
  return (
    <li className={cx(styles.line, latest.stop && styles.stopped)}>
      <span className={styles.head}>
        <StateMark state={stateOf(latest)} text="" />
        <a
          className={styles.sentence}
          href={hrefOf({ query: { sel: `request:${latest.id}`, tab: undefined } }, address)}
          title="Open the latest of them"
        >
          {sentenceOfMany(latest, kindOf)}
        </a>
        <strong className={own.count}>× {count}</strong>
      </span>
      {latest.stop && <span className={cx(styles.more, own.brief)}>{outcome(latest)}</span>}
    </li>
  );
}
