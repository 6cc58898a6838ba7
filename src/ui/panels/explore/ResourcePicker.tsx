import { ChevronDown } from 'lucide-preact';
import { useState } from 'preact/compat';
import { Combobox, Popover } from '../../parts/index.ts';
import { findResource, useResources, type Resource } from '../../stores/resources.ts';
import { useCluster } from '../../stores/session.ts';
import { sectionsOf } from './sections.ts';
import styles from './ResourcePicker.module.css';

const valueOf = (resource: Resource): string => `${resource.group || 'core'}/${resource.resource}`;

interface ResourcePickerProps {
  readonly current: Resource;
  readonly onChoose: (resource: Resource) => void;
}

/** The list of resource types where there is no room for it in full. */
export default function ResourcePicker({ current, onChoose }: ResourcePickerProps) {
  const [open, setOpen] = useState(false);
  const resources = useResources((state) => state.resources);
  const { names } = useCluster();
  const items = sectionsOf(resources, names.domain).flatMap(({ title, resources: list }) =>
    list.map((resource) => ({ value: valueOf(resource), label: resource.kind, note: title })),
  );
  const choose = (value: string): void => {
    const [group = '', plural = ''] = value.split('/');
    const resource = findResource(resources, group, plural);
    if (resource) onChoose(resource);
    setOpen(false);
  };
  return (
    <Popover
      label="Resource types"
      open={open}
      onOpen={setOpen}
      trigger={
        <button type="button" className={styles.trigger}>
          {current.kind}
          <ChevronDown className={styles.icon} aria-hidden />
        </button>
      }
    >
      <Combobox label="Resource type" items={items} current={valueOf(current)} onChoose={choose} />
    </Popover>
  );
}
