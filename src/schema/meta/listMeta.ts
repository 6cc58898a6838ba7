import { int64, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';

export const ListMeta = struct(
  'apimachinery.pkg.apis.meta.v1.ListMeta',
  {
    selfLink: opt(1, string, { doc: 'Path of the list. It is no longer filled in.' }),
    resourceVersion: opt(2, string, { doc: 'Version at which the list was read.' }),
    continue: opt(3, string, {
      doc: 'Where the list goes on, if there is more than one answer may hold; empty at its end.',
    }),
    remainingItemCount: ptr(4, int64, { doc: 'How many objects follow, where that is known.' }),
  },
  { doc: 'Metadata of a list.' },
);
export type ListMeta = Infer<typeof ListMeta>;
