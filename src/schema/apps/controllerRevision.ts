import { always, int64, kind, opt, rawExtension } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { apps } from '../groups.ts';
import { object } from '../meta/object.ts';
import { tables, workloads } from '../parts/index.ts';

export const ControllerRevision = object('api.apps.v1.ControllerRevision', {
  data: opt(2, rawExtension),
  revision: always(3, int64),
});
export type ControllerRevision = Infer<typeof ControllerRevision>;

export const controllerrevisions = kind(ControllerRevision, {
  group: apps,
  kind: 'ControllerRevision',
  resource: 'controllerrevisions',
  namespaced: true,
  doc: 'An immutable snapshot of state that a controller keeps to roll forward and back.',
  versions: [{ version: 'v1', type: ControllerRevision }],
  rules: workloads.of('controllerRevisionRules'),
  columns: tables.of('controllerRevisionColumns'),
});
