import { getOwn } from '../../../std/index.ts';
import { useId } from 'preact/compat';
import { Badge, Select } from '../../parts/index.ts';
import type { GateInfo } from '../../host.ts';
import styles from './Settings.module.css';

interface GateRowProps {
  readonly gate: GateInfo;
  /** Missing where nothing is said of the gate. */
  readonly value: boolean | undefined;
  readonly onValue: (on: boolean | undefined) => void;
}

const stages: Readonly<Record<string, string>> = { ga: 'general' };
const word = (on: boolean): string => (on ? 'on' : 'off');

/** One feature gate: its stage, what it is by itself, and what was chosen. */
export function GateRow({ gate, value, onValue }: GateRowProps) {
  const id = useId();
  return (
    <li
      className={styles.row}
      data-given={value !== undefined || undefined}
      data-inert={gate.noEffect !== undefined || undefined}
    >
      <div className={styles.words}>
        <label className={styles.name} htmlFor={id}>
          {gate.name}
        </label>
        <Badge>{getOwn(stages, gate.stage) ?? gate.stage}</Badge>
        {gate.locked && <Badge>{`always ${word(gate.on)}`}</Badge>}
        {gate.noEffect !== undefined && <Badge>no effect in a tab</Badge>}
      </div>
      <div className={styles.control}>
        <Select
          id={id}
          className={styles.input}
          value={value === undefined ? '' : word(value)}
          options={[
            { value: '', label: `${word(gate.on)} (default)` },
            { value: 'on', label: 'on' },
            { value: 'off', label: 'off' },
          ]}
          onValue={(next) => onValue(next === '' ? undefined : next === 'on')}
        />
      </div>
      {gate.noEffect !== undefined && <p className={styles.reason}>{gate.noEffect}</p>}
    </li>
  );
}
