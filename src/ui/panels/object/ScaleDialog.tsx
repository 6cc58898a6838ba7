import { useState } from 'preact/compat';
import { Button, Dialog, NumberField } from '../../parts/index.ts';
import { scaleObject } from '../../stores/actions.ts';
import type { ObjectRef } from '../../stores/resources.ts';
import { AsCommand } from './actions/AsCommand.tsx';
import { scaleCommand } from './actions/commands.ts';

/** Sets the number of replicas. */
export function ScaleDialog({
  target,
  replicas,
  onClose,
}: {
  readonly target: ObjectRef;
  readonly replicas: number;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState(String(replicas));
  const bad = /^\d+$/.test(text) ? undefined : 'A whole number, 0 or more.';
  const run = async (): Promise<void> => {
    if (!bad && (await scaleObject(target, Number(text)))) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Scale ${target.name}`}
      first="input"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" unavailable={bad} onClick={() => void run()}>
            Scale
          </Button>
        </>
      }
    >
      <NumberField
        label="Replicas"
        error={bad}
        value={text}
        onText={setText}
        onKeyDown={(event) => event.key === 'Enter' && void run()}
      />
      {!bad && <AsCommand command={scaleCommand(target, Number(text))} action="Scale" onLeave={onClose} />}
    </Dialog>
  );
}
