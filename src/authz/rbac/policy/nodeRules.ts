/** The rules of every node agent; the Node authorizer restricts some of them to what its pods refer to. */
import { READ, on } from './declare.ts';
import type { DeclaredRule } from './declare.ts';

export const nodeRules: readonly DeclaredRule[] = [
  on('authentication.{domain}', 'tokenreviews', 'create'),
  on('authorization.{domain}', 'subjectaccessreviews localsubjectaccessreviews', 'create'),
  on('core', 'services', READ),
  on('core', 'nodes', `create ${READ}`),
  on('core', 'nodes/status', 'update patch'),
  on('core', 'nodes', 'update patch'),
  on('core', 'events', 'create update patch'),
  on('core', 'pods', READ),
  on('core', 'pods', 'create delete'),
  on('core', 'pods/status', 'update patch'),
  on('core', 'pods/eviction', 'create'),
  on('core', 'secrets configmaps', READ),
  on('core', 'persistentvolumeclaims persistentvolumes', 'get'),
  on('core', 'endpoints', 'get'),
  on('certificates.{domain}', 'certificatesigningrequests', `create ${READ}`),
  on('coordination.{domain}', 'leases', 'get create update patch delete'),
  on('storage.{domain}', 'volumeattachments', 'get'),
  on('core', 'serviceaccounts/token', 'create'),
  on('core', 'persistentvolumeclaims/status', 'get update patch', { gate: 'ExpandPersistentVolumes' }),
  on('storage.{domain}', 'csidrivers', READ),
  on('storage.{domain}', 'csinodes', 'get create update patch delete'),
  on('node.{domain}', 'runtimeclasses', READ),
];
