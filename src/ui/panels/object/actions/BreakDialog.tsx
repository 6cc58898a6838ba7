import { useState } from 'preact/compat';
import { faultsFor, faultsSet, initialValue, problemOf, wordsOf, type Fault } from '../../../../faults/index.ts';
import { Button, Dialog, Select, StateMark, TextInput } from '../../../parts/index.ts';
import { useRefusal } from '../../../stores/permissions.ts';
import type { ObjectRef } from '../../../stores/resources.ts';
import { AsCommand } from './AsCommand.tsx';
import { badgeOf } from './badge.ts';
import { faultCommand } from './commands.ts';
import { EffectText } from './EffectText.tsx';
import { setFault } from './changes.ts';
import type { Doing } from './list.ts';
import styles from './actions.module.css';

/** What can be made to fail about a node or a pod: each fault with what it does, to set and to mend. */
export default function BreakDialog({ target, object, onClose }: Doing & { readonly onClose: () => void }) {
  const kind = object.kind === 'Node' ? 'Node' : 'Pod';
  const set = faultsSet(kind, object.metadata.annotations);
  const refusal = useRefusal('patch', target);
  return (
    <Dialog open wide onClose={onClose} title={`Break ${target.resource.kind} ${target.name}`}>
      <p className={styles.effect}>
        Each fault stays in force until you mend it; it is an annotation of the object. Watch what the cluster does
        about it.
      </p>
      <ul className={styles.list}>
        {faultsFor(kind).map((fault) => (
          <FaultItem
            key={fault.name}
            fault={fault}
            target={target}
            value={set.find((each) => each.fault === fault)?.value}
            refusal={refusal}
            onLeave={onClose}
          />
        ))}
      </ul>
    </Dialog>
  );
}

interface FaultItemProps {
  readonly fault: Fault;
  readonly target: ObjectRef;
  /** What it is set to. */
  readonly value: string | undefined;
  readonly refusal: string | undefined;
  readonly onLeave: () => void;
}

function FaultItem({ fault, target, value, refusal, onLeave }: FaultItemProps) {
  const [text, setText] = useState(value ?? initialValue(fault.value));
  const [busy, setBusy] = useState(false);
  const problem = problemOf(fault.value, text);
  const breaks = value === undefined || (text !== value && problem === undefined);
  const run = async (next: string | undefined): Promise<void> => {
    setBusy(true);
    await setFault(target, fault, next);
    setBusy(false);
  };
  const unavailable = refusal ?? (problem && `The value ${problem}.`);
  return (
    <li className={styles.item}>
      <div className={styles.row}>
        <p className={styles.title}>
          {wordsOf(fault).title}{' '}
          {value !== undefined && <StateMark state="failed" filled text={badgeOf(fault, value)} />}
        </p>
        <ValueInput fault={fault} text={text} onText={setText} />
        {breaks ? (
          <Button
            look="danger"
            busy={busy}
            unavailable={unavailable}
            aria-label={`Break: ${wordsOf(fault).title}`}
            onClick={() => void run(text)}
          >
            Break
          </Button>
        ) : (
          <Button
            busy={busy}
            unavailable={refusal}
            aria-label={`Mend: ${wordsOf(fault).title}`}
            onClick={() => void run(undefined)}
          >
            Mend
          </Button>
        )}
      </div>
      <p className={styles.effect}>
        <EffectText text={wordsOf(fault).effect} />
      </p>
      {problem === undefined && (
        <AsCommand
          command={faultCommand(target, fault, breaks ? text : undefined)}
          action={`${breaks ? 'Break' : 'Mend'}: ${wordsOf(fault).title}`}
          onLeave={onLeave}
        />
      )}
    </li>
  );
}

interface ValueInputProps {
  readonly fault: Fault;
  readonly text: string;
  readonly onText: (text: string) => void;
}

function ValueInput({ fault, text, onText }: ValueInputProps) {
  const { value } = fault;
  if (value.type === 'switch' || (value.type === 'choice' && value.options.length === 1)) return null;
  const label = `Value: ${wordsOf(fault).title}`;
  if (value.type === 'choice') {
    const options = value.options.map((each) => ({ value: each, label: each }));
    return <Select aria-label={label} className={styles.value} value={text} options={options} onValue={onText} />;
  }
  return <TextInput aria-label={label} className={styles.value} value={text} onText={onText} />;
}
