import { Eye, ListTree } from 'lucide-preact';
import { useMemo, useState } from 'preact/compat';
import type { ApiObject } from '../../../schema/index.ts';
import { Code, CopyButton, IconButton } from '../../parts/index.ts';
import { printObject } from './yaml.ts';
import styles from './YamlTab.module.css';

/** The object as YAML. The ledger of field ownership and a secret's values show when they are asked for. */
export function YamlTab({ object }: { readonly object: ApiObject }) {
  const [managedFields, setManagedFields] = useState(false);
  const [secrets, setSecrets] = useState(false);
  const text = useMemo(() => printObject(object, { managedFields, secrets }), [object, managedFields, secrets]);
  const managers = new Set(object.metadata.managedFields?.map((entry) => entry.manager));
  return (
    <>
      <div className={styles.bar}>
        <span className={styles.note}>
          revision {object.metadata.resourceVersion}
          {managers.size > 0 && !managedFields && ` · fields of ${[...managers].join(', ')}`}
        </span>
        {object.kind === 'Secret' && (
          <IconButton
            icon={Eye}
            label="Show the secret’s values"
            pressed={secrets}
            onClick={() => setSecrets(!secrets)}
          />
        )}
        {managers.size > 0 && (
          <IconButton
            icon={ListTree}
            label="Show field ownership"
            pressed={managedFields}
            onClick={() => setManagedFields(!managedFields)}
          />
        )}
        <CopyButton text={text} label="Copy YAML" />
      </div>
      <div className={styles.scroller}>
        <Code text={text} numbers />
      </div>
    </>
  );
}
