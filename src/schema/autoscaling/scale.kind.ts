import { kind } from '../define/index.ts';
import { autoscaling } from '../groups.ts';
import { tables } from '../parts/index.ts';
import { Scale } from './scale.ts';

/** Only the body of a subresource: nothing is stored under this name. */
export const scales = kind(Scale, {
  group: autoscaling,
  kind: 'Scale',
  resource: 'scales',
  namespaced: true,
  doc: 'The number of replicas of an object, wanted and observed, in one form for all scalable kinds.',
  versions: [{ version: 'v1', type: Scale }],
  verbs: [],
  columns: tables.of('scaleColumns'),
});
