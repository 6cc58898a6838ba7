import { useState } from 'preact/compat';
import { Button, Dialog, Field, Ident, NumberField, Segmented } from '../../parts/index.ts';
import type { DeleteOptions } from '../../../client/index.ts';
import { deleteObject } from '../../stores/actions.ts';
import { hrefOf } from '../../stores/address.ts';
import { formatRef, type ObjectRef } from '../../stores/resources.ts';
import { useRefusal } from '../../stores/permissions.ts';
import { AsCommand } from './actions/AsCommand.tsx';
import { deleteCommand } from './actions/commands.ts';

const propagations = {
  Background: 'The object goes at once, the collector deletes its dependants afterwards.',
  Foreground: 'The object waits until the collector has deleted its dependants.',
  Orphan: 'The dependants stay and lose their owner.',
} as const;

type Propagation = keyof typeof propagations;

/** Deletes an object, with everything that can be said about how. */
export default function DeleteDialog({
  target,
  onClose,
}: {
  readonly target: ObjectRef;
  readonly onClose: () => void;
}) {
  const [propagation, setPropagation] = useState<Propagation>('Background');
  const [grace, setGrace] = useState('');
  const [busy, setBusy] = useState(false);
  const refusal = useRefusal('delete', target);
  const badGrace = /^\d*$/.test(grace) ? undefined : 'A number of seconds.';
  const options: DeleteOptions = {
    propagationPolicy: propagation,
    ...(grace === '' ? {} : { gracePeriodSeconds: Number(grace) }),
  };
  const run = async (): Promise<void> => {
    setBusy(true);
    if (await deleteObject(target, options)) onClose();
    else setBusy(false);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Delete ${target.resource.kind}?`}
      about={
        <>
          <Ident>{target.name}</Ident>
          {target.namespace && (
            <>
              {' '}
              in <Ident>{target.namespace}</Ident>
            </>
          )}
        </>
      }
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" busy={busy} unavailable={refusal ?? badGrace} onClick={() => void run()}>
            Delete
          </Button>
        </>
      }
    >
      <Field label="Dependants" hint={propagations[propagation]}>
        {() => (
          <Segmented
            label="Dependants"
            value={propagation}
            choices={(Object.keys(propagations) as Propagation[]).map((value) => ({ value, label: value }))}
            onValue={setPropagation}
          />
        )}
      </Field>
      <p>
        <a
          href={hrefOf({
            panel: 'lifecycle',
            path: ['deleting'],
            query: { obj: formatRef(target), policy: propagation },
          })}
          onClick={onClose}
        >
          See what goes and what stays
        </a>
      </p>
      <NumberField
        label="Grace period in seconds"
        error={badGrace}
        hint="Empty: what the object itself says. 0: at once."
        value={grace}
        onText={setGrace}
      />
      {!badGrace && <AsCommand command={deleteCommand(target, options)} action="Delete" onLeave={onClose} />}
    </Dialog>
  );
}
