import { faultsSet, wordsOf } from '../../../../faults/index.ts';
import type { ApiObject } from '../../../../schema/index.ts';
import { Button, Section, StateMark } from '../../../parts/index.ts';
import type { ObjectRef } from '../../../stores/resources.ts';
import { badgeOf } from './badge.ts';
import { EffectText } from './EffectText.tsx';
import { setFault } from './changes.ts';
import styles from './actions.module.css';

/** What somebody has broken about an object, with what it does and the way to mend it. */
export function BrokenOnPurpose({ target, object }: { readonly target: ObjectRef; readonly object: ApiObject }) {
  const kind = object.kind === 'Node' ? 'Node' : 'Pod';
  const set = object.kind === kind ? faultsSet(kind, object.metadata.annotations) : [];
  if (set.length === 0) return null;
  return (
    <Section title="Broken on purpose">
      <ul className={styles.list}>
        {set.map(({ fault, value }) => (
          <li key={fault.name} className={styles.item}>
            <div className={styles.row}>
              <p className={styles.title}>
                <StateMark state="failed" filled text={badgeOf(fault, value)} />
              </p>
              <Button
                aria-label={`Mend: ${wordsOf(fault).title}`}
                onClick={() => void setFault(target, fault, undefined)}
              >
                Mend
              </Button>
            </div>
            <p className={styles.effect}>
              <EffectText text={wordsOf(fault).effect} />
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
