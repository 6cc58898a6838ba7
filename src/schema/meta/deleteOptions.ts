import { bool, int64, list, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { document } from './object.ts';

export const Preconditions = struct(
  'apimachinery.pkg.apis.meta.v1.Preconditions',
  {
    uid: ptr(1, string, { doc: 'Identity that the object has to have.' }),
    resourceVersion: ptr(2, string, { doc: 'Version that the object has to have.' }),
  },
  { doc: 'What has to hold of an object.' },
);
export type Preconditions = Infer<typeof Preconditions>;

export const DeleteOptions = document('apimachinery.pkg.apis.meta.v1.DeleteOptions', {
  gracePeriodSeconds: ptr(1, int64, { doc: 'Seconds until the object is gone; zero means at once.' }),
  preconditions: ptr(2, Preconditions, { doc: 'What has to hold for the object to be deleted.' }),
  orphanDependents: ptr(3, bool, { doc: 'Older than propagationPolicy: whether dependent objects stay.' }),
  propagationPolicy: ptr(4, string, {
    doc: 'What happens to dependent objects: `Orphan`, `Background` or `Foreground`.',
  }),
  dryRun: opt(5, list(string), { doc: '`All` processes the request in full but stores nothing.' }),
});
export type DeleteOptions = Infer<typeof DeleteOptions>;
