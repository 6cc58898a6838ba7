import { Crosshair } from 'lucide-preact';
import { useState } from 'preact/compat';
import type { World } from '../../../explain/index.ts';
import { Button, Combobox, Popover } from '../../parts/index.ts';
import { go } from '../../stores/address.ts';
import { formatRef } from '../../stores/resources.ts';
import { useRefs, type Subject } from './subject.ts';

/** Kinds that people ask about come first. */
const FIRST = ['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job', 'Pod', 'Namespace', 'Service'];

const rank = (kind: string): number => (FIRST.includes(kind) ? FIRST.indexOf(kind) : FIRST.length);

/** Chooses the object that the room is about. */
export function ObjectPicker({ world, subject }: { readonly world: World; readonly subject: Subject | undefined }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label="Choose an object"
      open={open}
      onOpen={setOpen}
      trigger={
        <Button icon={Crosshair}>
          {subject ? `${subject.target.resource.kind} ${subject.target.name}` : 'Choose an object'}
        </Button>
      }
    >
      <Objects world={world} onChosen={() => setOpen(false)} />
    </Popover>
  );
}

function Objects({ world, onChosen }: { readonly world: World; readonly onChosen: () => void }) {
  const refOf = useRefs();
  // The list stands still while somebody chooses from it.
  const [items] = useState(() =>
    [...world.objects]
      .filter(({ kind }) => kind !== 'Lease')
      .sort((a, b) => rank(a.kind) - rank(b.kind) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
      .flatMap(({ apiVersion, kind, metadata: { namespace, name = '' } }) => {
        const ref = refOf({ apiVersion, kind, namespace, name });
        return ref ? [{ value: formatRef(ref), label: name, note: namespace ? `${kind} in ${namespace}` : kind }] : [];
      }),
  );
  return (
    <Combobox
      label="Object"
      items={items}
      onChoose={(obj) => {
        go({ query: { obj } });
        onChosen();
      }}
    />
  );
}
