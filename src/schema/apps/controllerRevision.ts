import { always, int64, opt, rawExtension } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const ControllerRevision = object('api.apps.v1.ControllerRevision', {
  data: opt(2, rawExtension),
  revision: always(3, int64),
});
export type ControllerRevision = Infer<typeof ControllerRevision>;
