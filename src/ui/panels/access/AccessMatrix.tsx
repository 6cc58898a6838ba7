import { Check, Minus } from 'lucide-preact';
import { useEffect, useState } from 'preact/compat';
import { Tooltip } from '../../parts/index.ts';
import type { AccessMatrixRow, AccessUser } from '../../host.ts';
import { useRevision } from '../../stores/following.ts';
import { useResources } from '../../stores/resources.ts';
import { useCluster } from '../../stores/session.ts';
import styles from './AccessMatrix.module.css';

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

function useMatrix(user: AccessUser, namespace: string): readonly AccessMatrixRow[] {
  const { cluster } = useCluster();
  const resources = useResources((state) => state.resources);
  const revision = useRevision();
  const [rows, setRows] = useState<readonly AccessMatrixRow[]>([]);
  const key = JSON.stringify(user);
  useEffect(() => {
    let gone = false;
    const asked = resources
      .filter((resource) => namespace === '' || resource.namespaced)
      .map(({ group, resource }) => ({ group, resource, subresource: '' }));
    void cluster.access?.matrix(JSON.parse(key) as AccessUser, namespace, asked, VERBS).then(
      (found) => gone || setRows(found),
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [cluster, resources, key, namespace, revision]);
  return rows;
}

/** Resources by verbs: allowed, allowed for some names, or not. */
export function AccessMatrix({ user, namespace }: { readonly user: AccessUser; readonly namespace: string }) {
  const rows = useMatrix(user, namespace);
  return (
    <div className={styles.scroller}>
      <table className={styles.matrix}>
        <thead>
          <tr>
            <th scope="col">Resource</th>
            {VERBS.map((verb) => (
              <th key={verb} scope="col" className={styles.verb}>
                {verb}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.group}/${row.resource}`}>
              <th scope="row">
                {row.resource}
                <span className={styles.group}>{row.group}</span>
              </th>
              {row.cells.map((cell) => (
                <Cell key={cell.verb} cell={cell} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ cell }: { readonly cell: AccessMatrixRow['cells'][number] }) {
  if (cell.allowed === 'yes') {
    return (
      <td className={styles.yes}>
        <Check className={styles.icon} aria-label="allowed" />
      </td>
    );
  }
  if (cell.allowed === 'no') {
    return (
      <td className={styles.no}>
        <Minus className={styles.icon} aria-label="not allowed" />
      </td>
    );
  }
  return (
    <td className={styles.named}>
      <Tooltip text={`Only ${cell.names.join(', ')}`}>
        <button type="button">{cell.names.length === 1 ? '1 name' : `${cell.names.length} names`}</button>
      </Tooltip>
    </td>
  );
}
