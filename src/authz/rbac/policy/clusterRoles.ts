/** Default cluster roles and their bindings, in the reference's order. */
import { READ, events, on, urls } from './declare.ts';
import type { DeclaredBinding, DeclaredRole, DeclaredRule } from './declare.ts';
import { nodeRules } from './nodeRules.ts';
import { userRoles } from './userRoles.ts';

const leaderElection = (lock: string): readonly DeclaredRule[] => [
  on('coordination.{domain}', 'leases', 'create'),
  on('coordination.{domain}', 'leases', 'get update', { names: lock }),
  on('core', 'endpoints', 'create'),
  on('core', 'endpoints', 'get update', { names: lock }),
];

const delegation: readonly DeclaredRule[] = [
  on('authentication.{domain}', 'tokenreviews', 'create'),
  on('authorization.{domain}', 'subjectaccessreviews', 'create'),
];

const approver = (signer: string): DeclaredRole => ({
  name: `system:certificates.{domain}:${signer}-approver`,
  rules: [on('certificates.{domain}', 'signers', 'approve', { names: `{label}/${signer}` })],
});

const nodeClient = (kind: string): DeclaredRole => ({
  name: `system:certificates.{domain}:certificatesigningrequests:${kind}`,
  rules: [on('certificates.{domain}', `certificatesigningrequests/${kind}`, 'create')],
});

const controllerManagerRules: readonly DeclaredRule[] = [
  events,
  ...leaderElection('{prefix}-controller-manager'),
  on('core', 'secrets serviceaccounts', 'create'),
  on('core', 'secrets', 'delete'),
  on('core', 'namespaces secrets serviceaccounts configmaps', 'get'),
  on('core', 'secrets serviceaccounts', 'update'),
  ...delegation,
  on('*', '*', 'list watch'),
  on('core', 'serviceaccounts/token', 'create'),
];

const schedulerRules: readonly DeclaredRule[] = [
  events,
  ...leaderElection('{prefix}-scheduler'),
  on('core', 'nodes', READ),
  on('core', 'pods', `${READ} delete`),
  on('core', 'pods/binding bindings', 'create'),
  on('core', 'pods/status', 'patch update'),
  on('core', 'services replicationcontrollers', READ),
  on('apps extensions', 'replicasets', READ),
  on('apps', 'statefulsets', READ),
  on('policy', 'poddisruptionbudgets', READ),
  on('core', 'persistentvolumeclaims persistentvolumes', READ),
  ...delegation,
  on('storage.{domain}', 'csinodes', READ),
  on('storage.{domain}', 'csidrivers', READ, { gate: 'CSIStorageCapacity' }),
  on('storage.{domain}', 'csistoragecapacities', READ, { gate: 'CSIStorageCapacity' }),
];

export const clusterRoles: readonly DeclaredRole[] = [
  { name: 'cluster-admin', rules: [on('*', '*', '*'), urls('*', '*')] },
  {
    name: 'system:discovery',
    rules: [urls('/livez /readyz /healthz /version /version/ /openapi /openapi/* /api /api/* /apis /apis/*')],
  },
  { name: 'system:monitoring', rules: [urls('/metrics /livez /readyz /healthz /livez/* /readyz/* /healthz/*')] },
  {
    name: 'system:basic-user',
    rules: [on('authorization.{domain}', 'selfsubjectaccessreviews selfsubjectrulesreviews', 'create')],
  },
  { name: 'system:public-info-viewer', rules: [urls('/livez /readyz /healthz /version /version/')] },
  ...userRoles,
  {
    name: 'system:heapster',
    rules: [on('core', 'events pods nodes namespaces', READ), on('extensions', 'deployments', READ)],
  },
  { name: 'system:node', rules: nodeRules },
  {
    name: 'system:node-problem-detector',
    rules: [on('core', 'nodes', 'get'), on('core', 'nodes/status', 'patch'), events],
  },
  {
    name: 'system:{agent}-api-admin',
    rules: [
      on('core', 'nodes', READ),
      on('core', 'nodes', 'proxy'),
      on('core', 'nodes/proxy nodes/metrics nodes/spec nodes/stats nodes/log', '*'),
    ],
  },
  {
    name: 'system:node-bootstrapper',
    rules: [on('certificates.{domain}', 'certificatesigningrequests', `create ${READ}`)],
  },
  { name: 'system:auth-delegator', rules: delegation },
  { name: 'system:{prefix}-aggregator', rules: [on('core', 'services endpoints', READ)] },
  { name: 'system:{prefix}-controller-manager', rules: controllerManagerRules },
  { name: 'system:{prefix}-dns', rules: [on('core', 'endpoints services', 'list watch')] },
  {
    name: 'system:persistent-volume-provisioner',
    rules: [
      on('core', 'persistentvolumes', `${READ} create delete`),
      on('core', 'persistentvolumeclaims', `${READ} update`),
      on('storage.{domain}', 'storageclasses', READ),
      on('core', 'events', 'watch'),
      events,
    ],
  },
  nodeClient('nodeclient'),
  nodeClient('selfnodeclient'),
  {
    name: 'system:volume-scheduler',
    rules: [
      on('core', 'persistentvolumes', `${READ} update patch`),
      on('storage.{domain}', 'storageclasses', READ),
      on('core', 'persistentvolumeclaims', `${READ} update patch`),
    ],
  },
  approver('legacy-unknown'),
  approver('{agent}-serving'),
  approver('{prefix}-apiserver-client'),
  approver('{prefix}-apiserver-client-{agent}'),
  {
    name: 'system:service-account-issuer-discovery',
    rules: [urls('/.well-known/openid-configuration /openid/v1/jwks')],
    gate: 'ServiceAccountIssuerDiscovery',
  },
  {
    name: 'system:node-proxier',
    rules: [
      on('core', 'services endpoints', 'list watch'),
      on('core', 'nodes', READ),
      events,
      on('discovery.{domain}', 'endpointslices', 'list watch', { gate: 'EndpointSlice' }),
    ],
  },
  { name: 'system:{prefix}-scheduler', rules: schedulerRules },
];

const same = (name: string, subjects: Omit<DeclaredBinding, 'name' | 'role'>): DeclaredBinding => ({
  name,
  role: name,
  ...subjects,
});

export const clusterBindings: readonly DeclaredBinding[] = [
  same('cluster-admin', { groups: ['system:masters'] }),
  same('system:monitoring', { groups: ['system:monitoring'] }),
  same('system:discovery', { groups: ['system:authenticated'] }),
  same('system:basic-user', { groups: ['system:authenticated'] }),
  same('system:public-info-viewer', { groups: ['system:authenticated', 'system:unauthenticated'] }),
  same('system:node-proxier', { users: ['system:{prefix}-proxy'] }),
  same('system:{prefix}-controller-manager', { users: ['system:{prefix}-controller-manager'] }),
  same('system:{prefix}-dns', { accounts: ['{prefix}-system/{prefix}-dns'] }),
  same('system:{prefix}-scheduler', { users: ['system:{prefix}-scheduler'] }),
  same('system:volume-scheduler', { users: ['system:{prefix}-scheduler'] }),
  // Nodes get their rights from the Node authorizer; the binding exists so that an unexpected subject would be noticed.
  same('system:node', {}),
  same('system:service-account-issuer-discovery', {
    groups: ['system:serviceaccounts'],
    gate: 'ServiceAccountIssuerDiscovery',
  }),
];
