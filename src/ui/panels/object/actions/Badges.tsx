import { TriangleAlert } from 'lucide-preact';
import { Tooltip } from '../../../parts/index.ts';
import { badgesOf } from './badge.ts';
import styles from './actions.module.css';

interface BadgesProps {
  readonly kind: string;
  readonly annotations: Readonly<Record<string, string>> | undefined;
}

/** A sign that faults are in force, in a table; which they are is its tooltip. */
export default function Badges({ kind, annotations }: BadgesProps) {
  const badges = badgesOf(kind, annotations);
  if (badges.length === 0) return null;
  const text = `Broken on purpose: ${badges.join(', ')}`;
  return (
    <Tooltip text={text}>
      <span role="img" aria-label={text} className={styles.sign}>
        <TriangleAlert className={styles.icon} aria-hidden />
      </span>
    </Tooltip>
  );
}
