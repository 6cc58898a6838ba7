import { SquareTerminal, Trash2 } from 'lucide-preact';
import { useState } from 'preact/compat';
import { Button, CopyButton, Dialog, Field, IconButton, Select, TextInput } from '../../../parts/index.ts';
import { asList, at } from '../../../stores/jsonValues.ts';
import { useRefusal } from '../../../stores/permissions.ts';
import { openTerminal } from '../../terminal/opened.ts';
import { AsCommand } from './AsCommand.tsx';
import { patchObject } from './changes.ts';
import { taintCommand } from './commands.ts';
import type { Doing } from './list.ts';
import { taintName, taintText, withTaint } from './taints.ts';
import styles from './actions.module.css';

const EFFECTS = {
  NoSchedule: 'New pods that do not tolerate it go elsewhere.',
  PreferNoSchedule: 'New pods that do not tolerate it go elsewhere where they can.',
  NoExecute: 'Pods that do not tolerate it are evicted, too.',
} as const;
type Effect = keyof typeof EFFECTS;

/** The taints of a node: which there are, one more, one less. */
export default function TaintDialog({ target, object, onClose }: Doing & { readonly onClose: () => void }) {
  const taints = asList(at(object, 'spec', 'taints'));
  const [key, setKey] = useState('dedicated');
  const [value, setValue] = useState('');
  const [effect, setEffect] = useState<Effect>('NoSchedule');
  const refusal = useRefusal('patch', target);
  const set = (next: readonly unknown[], done: string): Promise<boolean> =>
    patchObject(target, { spec: { taints: next.length === 0 ? null : next } }, done);
  const removal = (taint: unknown): string => taintCommand(target, `${taintName(taint)}-`);
  const added = { key, ...(value && { value }), effect };
  const add = (): void => void set(withTaint(taints, added), `${target.name} has the taint ${taintText(added)}.`);
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Taints of ${target.name}`}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" unavailable={refusal ?? (key === '' && 'A taint has a key.')} onClick={add}>
            Add
          </Button>
        </>
      }
    >
      {taints.length === 0 && <p className={styles.effect}>No taint keeps pods away from this node.</p>}
      <ul className={styles.list}>
        {taints.map((taint) => (
          <li key={taintText(taint)} className={styles.command}>
            <code className={styles.code}>{taintText(taint)}</code>
            <CopyButton text={removal(taint)} label={`Copy the command: Remove ${taintText(taint)}`} />
            <IconButton
              icon={SquareTerminal}
              label={`Put into the terminal: Remove ${taintText(taint)}`}
              onClick={() => {
                onClose();
                openTerminal(removal(taint));
              }}
            />
            <IconButton
              icon={Trash2}
              label={`Remove ${taintText(taint)}`}
              unavailable={refusal}
              onClick={() =>
                void set(
                  taints.filter((each) => each !== taint),
                  `${taintText(taint)} is gone.`,
                )
              }
            />
          </li>
        ))}
      </ul>
      <Field label="Key">{(ids) => <TextInput {...ids} code value={key} onText={setKey} />}</Field>
      <Field label="Value">{(ids) => <TextInput {...ids} code value={value} onText={setValue} />}</Field>
      <Field label="Effect" hint={EFFECTS[effect]}>
        {(ids) => (
          <Select
            {...ids}
            value={effect}
            options={(Object.keys(EFFECTS) as Effect[]).map((each) => ({ value: each, label: each }))}
            onValue={setEffect}
          />
        )}
      </Field>
      {key !== '' && (
        <AsCommand command={taintCommand(target, taintText(added))} action="Add the taint" onLeave={onClose} />
      )}
    </Dialog>
  );
}
