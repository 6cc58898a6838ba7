import { kind } from '../define/index.ts';
import { core } from '../groups.ts';
import { EphemeralContainers } from './ephemeralContainers.ts';

/** Only the body of a subresource: nothing is stored under this name. */
export const ephemeralcontainers = kind(EphemeralContainers, {
  group: core,
  kind: 'EphemeralContainers',
  resource: 'ephemeralcontainers',
  namespaced: true,
  gate: 'EphemeralContainers',
  doc: 'The containers that were added to a running pod to look into it.',
  versions: [{ version: 'v1', type: EphemeralContainers }],
  verbs: [],
});
