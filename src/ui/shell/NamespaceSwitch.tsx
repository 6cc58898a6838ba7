import { Layers } from 'lucide-preact';
import { useState } from 'preact/compat';
import { Combobox, Popover, useHotkey } from '../parts/index.ts';
import { go, useAddress } from '../stores/address.ts';
import { useNamespaces } from '../stores/following.ts';
import { Question } from './Question.tsx';

const ALL = '';

/** Which namespace the panels show; all where none is chosen. */
export function NamespaceSwitch() {
  const [open, setOpen] = useState(false);
  const current = useAddress((address) => address.query['ns'] ?? ALL);
  const namespaces = useNamespaces();
  const items = [{ value: ALL, label: 'All namespaces' }, ...namespaces.map((name) => ({ value: name, label: name }))];
  const choose = (ns: string): void => {
    go({ query: { ns } });
    setOpen(false);
  };
  useHotkey('n', () => setOpen(true), 'Choose a namespace');
  useHotkey('0', () => choose(ALL), 'Show all namespaces');
  return (
    <Popover
      label="Namespace"
      open={open}
      onOpen={setOpen}
      trigger={<Question icon={Layers} question="Namespace" answer={current || 'All namespaces'} />}
    >
      <Combobox label="Namespace" items={items} current={current} onChoose={choose} />
    </Popover>
  );
}
