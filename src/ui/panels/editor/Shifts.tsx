import { useEffect, useState } from 'preact/compat';
import { StateMark } from '../../parts/index.ts';
import type { Outcome } from '../../editor/apply.ts';
import { readManifests } from '../../editor/documents.ts';
import type { AccessShift } from '../../host.ts';
import { useAddress } from '../../stores/address.ts';
import { useCluster } from '../../stores/session.ts';
import { ruleText, scopeText, subjectText } from '../access/words.ts';

import { proposalOf } from './proposal.ts';
import styles from './Shifts.module.css';

const PAUSE = 300;
const SHOWN = 6;

/**
 * Who would gain and lose what by applying the text; undefined while that is not known, or where it changes no access. It
 * is asked anew when something was applied.
 */
function useShifts(text: string, applied: unknown): readonly AccessShift[] | undefined {
  const { cluster } = useCluster();
  const namespace = useAddress((address) => address.query['ns'] ?? '');
  const [shifts, setShifts] = useState<readonly AccessShift[]>();
  useEffect(() => {
    let gone = false;
    const ask = async (): Promise<void> => {
      const proposal = proposalOf(readManifests(text).manifests, namespace);
      const found = proposal && (await cluster.access?.shiftsBy(proposal));
      if (!gone) setShifts(found);
    };
    const timer = setTimeout(() => void ask().catch(() => !gone && setShifts(undefined)), PAUSE);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [cluster, text, namespace, applied]);
  return shifts;
}

interface Line {
  readonly state: 'allowed' | 'denied';
  readonly word: string;
  readonly text: string;
}

/** What a change opens comes first: it is what must not be overlooked. */
const linesOf = (shifts: readonly AccessShift[]): readonly Line[] => [
  ...shifts.flatMap((shift) => shift.gains.map(lineOf(shift, 'allowed', 'gains'))),
  ...shifts.flatMap((shift) => shift.loses.map(lineOf(shift, 'denied', 'loses'))),
];

const lineOf =
  ({ subject, scope }: AccessShift, state: Line['state'], word: string) =>
  (rule: AccessShift['gains'][number]): Line => ({
    ...{ state, word },
    text: `${subjectText(subject)}: ${ruleText(rule)} in ${scopeText(scope)}`,
  });

/** The reach of a change of roles and bindings, before it is applied. */
export default function Shifts({ text, applied }: { readonly text: string; readonly applied: readonly Outcome[] }) {
  const shifts = useShifts(text, applied);
  if (!shifts) return null;
  const lines = linesOf(shifts);
  const subjects = new Set(shifts.map(({ subject }) => subjectText(subject))).size;
  return (
    <section className={styles.shifts} aria-label="Who gains and loses">
      <p className={styles.title}>
        {lines.length === 0
          ? 'Applying it changes nobody’s rights.'
          : `Applying it changes the rights of ${subjects} ${subjects === 1 ? 'subject' : 'subjects'}:`}
      </p>
      <Lines lines={lines.slice(0, SHOWN)} />
      {lines.length > SHOWN && (
        <details>
          <summary>{lines.length - SHOWN} more</summary>
          <Lines lines={lines.slice(SHOWN)} />
        </details>
      )}
    </section>
  );
}

function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <ul className={styles.lines}>
      {lines.map(({ state, word, text }, index) => (
        <li key={index}>
          <StateMark state={state} text={word} /> {text}
        </li>
      ))}
    </ul>
  );
}
