/** The user-facing roles in namespaces: `admin`, `edit` and `view`, aggregated by label. */
import { READ, WRITE, on } from './declare.ts';
import type { DeclaredRole } from './declare.ts';

export const userRoles: readonly DeclaredRole[] = [
  { name: 'admin', gathers: 'admin' },
  { name: 'edit', gathers: 'edit', aggregatesTo: 'admin' },
  { name: 'view', gathers: 'view', aggregatesTo: 'edit' },
  {
    name: 'system:aggregate-to-admin',
    aggregatesTo: 'admin',
    rules: [
      on('authorization.{domain}', 'localsubjectaccessreviews', 'create'),
      on('rbac.authorization.{domain}', 'roles rolebindings', `${READ} ${WRITE}`),
    ],
  },
  {
    name: 'system:aggregate-to-edit',
    aggregatesTo: 'edit',
    rules: [
      on('core', 'pods/attach pods/proxy pods/exec pods/portforward secrets services/proxy', READ),
      on('core', 'serviceaccounts', 'impersonate'),
      on('core', 'pods pods/attach pods/proxy pods/exec pods/portforward', WRITE),
      on(
        'core',
        'replicationcontrollers replicationcontrollers/scale serviceaccounts services services/proxy endpoints persistentvolumeclaims configmaps secrets',
        WRITE,
      ),
      on(
        'apps',
        'statefulsets statefulsets/scale daemonsets deployments deployments/scale deployments/rollback replicasets replicasets/scale',
        WRITE,
      ),
      on('autoscaling', 'horizontalpodautoscalers', WRITE),
      on('batch', 'jobs cronjobs', WRITE),
      on(
        'extensions',
        'daemonsets deployments deployments/scale deployments/rollback ingresses replicasets replicasets/scale replicationcontrollers/scale networkpolicies',
        WRITE,
      ),
      on('policy', 'poddisruptionbudgets', WRITE),
      on('networking.{domain}', 'networkpolicies ingresses', WRITE),
    ],
  },
  {
    name: 'system:aggregate-to-view',
    aggregatesTo: 'view',
    rules: [
      on(
        'core',
        'pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status endpoints persistentvolumeclaims persistentvolumeclaims/status configmaps',
        READ,
      ),
      on(
        'core',
        'limitranges resourcequotas bindings events pods/status resourcequotas/status namespaces/status replicationcontrollers/status pods/log',
        READ,
      ),
      on('core', 'namespaces', READ),
      on(
        'apps',
        'controllerrevisions statefulsets statefulsets/status statefulsets/scale daemonsets daemonsets/status deployments deployments/status deployments/scale replicasets replicasets/status replicasets/scale',
        READ,
      ),
      on('autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status', READ),
      on('batch', 'jobs cronjobs cronjobs/status jobs/status', READ),
      on(
        'extensions',
        'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status replicasets replicasets/scale replicasets/status replicationcontrollers/scale networkpolicies',
        READ,
      ),
      on('policy', 'poddisruptionbudgets poddisruptionbudgets/status', READ),
      on('networking.{domain}', 'networkpolicies ingresses ingresses/status', READ),
    ],
  },
];
