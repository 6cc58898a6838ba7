import { always, rawExtension, string } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { document } from './object.ts';

export const WatchEvent = document('apimachinery.pkg.apis.meta.v1.WatchEvent', {
  type: always(1, string),
  object: always(2, rawExtension),
});
export type WatchEvent = Infer<typeof WatchEvent>;
