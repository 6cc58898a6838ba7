import { always, kind, list } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { core } from '../groups.ts';
import { object } from '../meta/object.ts';
import { EphemeralContainer } from './container.ts';

export const EphemeralContainers = object('api.core.v1.EphemeralContainers', {
  ephemeralContainers: always(2, list(EphemeralContainer), { mergeKey: 'name', strategy: 'merge' }),
});
export type EphemeralContainers = Infer<typeof EphemeralContainers>;

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
