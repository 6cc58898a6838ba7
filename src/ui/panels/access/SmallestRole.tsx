import { Footprints, FilePlus2 } from 'lucide-preact';
import { useMemo } from 'preact/compat';
import { offer, openEditor } from '../../editor/drafts.ts';
import { Button, Code, Empty } from '../../parts/index.ts';
import type { AccessEdit } from '../../host.ts';
import type { Names } from '../../../names/index.ts';
import { userNameOf } from '../../stores/administrator.ts';
import { nameOfIdentity, type Identity } from '../../stores/identity.ts';
import { useRequests } from '../../stores/requests.ts';
import { useCluster } from '../../stores/session.ts';
import { leastFor, type Need } from './least.ts';
import { manifestsOf } from './manifests.ts';
import styles from './access.module.css';

/** A role and its binding for each need. */
function editsFor({ scope, rules }: Need, identity: Identity, names: Names): readonly AccessEdit[] {
  const rbacGroup = names.fill('rbac.authorization.{domain}');
  const name = `seen-${nameOfIdentity(identity)}`.replace(/[^a-z0-9.-]+/gi, '-').toLowerCase();
  const [role, binding] =
    scope === '' ? (['ClusterRole', 'ClusterRoleBinding'] as const) : (['Role', 'RoleBinding'] as const);
  const subject =
    identity.kind === 'account'
      ? { kind: 'ServiceAccount', namespace: identity.namespace, name: identity.name }
      : { kind: 'User', apiGroup: rbacGroup, name: userNameOf(identity, names) };
  return [
    { do: 'create-role', role: { kind: role, namespace: scope, name }, rules },
    {
      do: 'create-binding',
      binding: { kind: binding, namespace: scope, name },
      roleRef: { apiGroup: rbacGroup, kind: role, name },
      subjects: [subject],
    },
  ];
}

/** Least privilege: the smallest roles for all that somebody was allowed in this visit. */
export default function SmallestRole({ identity }: { readonly identity: Identity }) {
  const { names } = useCluster();
  const requests = useRequests((log) => log.requests);
  const name = nameOfIdentity(identity);
  const text = useMemo(() => {
    const edits = leastFor(requests, userNameOf(identity, names)).flatMap((need) => editsFor(need, identity, names));
    return edits.length === 0 ? '' : manifestsOf(edits, names);
  }, [requests, identity, names]);
  if (text === '')
    return (
      <Empty icon={Footprints} title={`${name} has done nothing yet`}>
        Act as them, or let their program run: the smallest roles for what they were allowed appear here.
      </Empty>
    );
  const write = (): void => {
    offer(text);
    openEditor({ kind: 'new' });
  };
  return (
    <div className={styles.smallest}>
      <p>
        These allow all that {name} was allowed in this visit, and nothing else.{' '}
        <Button icon={FilePlus2} onClick={write}>
          Write it
        </Button>
      </p>
      <Code language="yaml" text={text} />
    </div>
  );
}
