import { always, rawExtension, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';

export const WatchEvent = struct('apimachinery.pkg.apis.meta.v1.WatchEvent', {
  type: always(1, string),
  object: always(2, rawExtension),
});
export type WatchEvent = Infer<typeof WatchEvent>;
