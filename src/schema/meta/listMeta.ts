import { int64, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';

export const ListMeta = struct('apimachinery.pkg.apis.meta.v1.ListMeta', {
  selfLink: opt(1, string),
  resourceVersion: opt(2, string),
  continue: opt(3, string),
  remainingItemCount: ptr(4, int64),
});
export type ListMeta = Infer<typeof ListMeta>;
