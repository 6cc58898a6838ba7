import { int32, list, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { ListMeta } from './listMeta.ts';
import { document } from './object.ts';

export const StatusCause = struct(
  'apimachinery.pkg.apis.meta.v1.StatusCause',
  {
    reason: opt(1, string, { doc: 'What is wrong, in one word for programs.' }),
    message: opt(2, string, { doc: 'What is wrong, in words.' }),
    field: opt(3, string, { doc: 'Field that is wrong, such as `items[0].name`.' }),
  },
  { doc: 'One of the things that are wrong.' },
);
export type StatusCause = Infer<typeof StatusCause>;

export const StatusDetails = struct(
  'apimachinery.pkg.apis.meta.v1.StatusDetails',
  {
    name: opt(1, string, { doc: 'Name of the object.' }),
    group: opt(2, string, { doc: 'Group of the object.' }),
    kind: opt(3, string, { doc: 'Kind or resource of the object.' }),
    causes: opt(4, list(StatusCause), { doc: 'What is wrong in detail.' }),
    retryAfterSeconds: opt(5, int32, { doc: 'Seconds after which the request may be tried again.' }),
    uid: opt(6, string, { doc: 'Identity of the object.' }),
  },
  { doc: 'What an answer is about.' },
);
export type StatusDetails = Infer<typeof StatusDetails>;

export const Status = document('apimachinery.pkg.apis.meta.v1.Status', {
  metadata: opt(1, ListMeta),
  status: opt(2, string, { doc: '`Success` or `Failure`.' }),
  message: opt(3, string, { doc: 'What happened, in words.' }),
  reason: opt(4, string, { doc: 'Why it happened, in one word for programs.' }),
  details: ptr(5, StatusDetails, { doc: 'More about it, for some reasons.' }),
  code: opt(6, int32, { doc: 'Status code of the answer.' }),
});
export type Status = Infer<typeof Status>;
