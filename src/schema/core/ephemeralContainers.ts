import { always, list } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';
import { EphemeralContainer } from './container.ts';

export const EphemeralContainers = object('api.core.v1.EphemeralContainers', {
  ephemeralContainers: always(2, list(EphemeralContainer), { mergeKey: 'name', strategy: 'merge' }),
});
export type EphemeralContainers = Infer<typeof EphemeralContainers>;
