import { useMemo } from 'react';
import { cx } from '../../parts/index.ts';
import type { LoggedRequest } from '../../stores/requests.ts';
import { stateIcons } from '../../theme/states.ts';
import { stagesOf, type ShownStage } from './stages.tsx';
import styles from './Way.module.css';

/** A request's way through the server, stage by stage: what each saw, decided and changed. */
export function Way({ request }: { readonly request: LoggedRequest }) {
  const stages = useMemo(() => stagesOf(request.stages), [request.stages]);
  return (
    <ol className={styles.way}>
      {stages.map((stage, index) => (
        <Stage key={index} stage={stage} start={request.at} />
      ))}
    </ol>
  );
}

function Stage({ stage, start }: { readonly stage: ShownStage; readonly start: number }) {
  const { title, state, summary, detail, at } = stage;
  const Icon = stateIcons[state ?? 'completed'];
  const offset = at - start;
  return (
    <li className={cx(styles.stage, state && styles[state])}>
      <Icon className={styles.icon} aria-label={state} />
      <div className={styles.words}>
        <p className={styles.head}>
          <span className={styles.title}>{title}</span>
          {offset > 0 && <span className={styles.time}>+{offset} ms</span>}
        </p>
        {summary && <div className={styles.summary}>{summary}</div>}
        {detail}
      </div>
    </li>
  );
}
