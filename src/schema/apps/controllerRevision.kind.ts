import { kind } from '../define/index.ts';
import { apps } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { ControllerRevision } from './controllerRevision.ts';

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
