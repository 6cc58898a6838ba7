import { always, atVersion, bool, int32, kind, opt, ptr, string } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { age, flag, integer, name } from '../meta/columns.ts';
import { scheduling } from '../groups.ts';
import { object } from '../meta/object.ts';
import { priorityClassRules } from './priorityClass.rules.ts';

export const PriorityClass = object(
  'api.scheduling.v1.PriorityClass',
  {
    value: always(2, int32),
    globalDefault: opt(3, bool),
    description: opt(4, string),
    preemptionPolicy: ptr(5, string),
  },
  {
    defaults(priorityClass, { gate }) {
      if (gate('NonPreemptingPriority')) priorityClass.preemptionPolicy ??= 'PreemptLowerPriority';
    },
  },
);
export type PriorityClass = Infer<typeof PriorityClass>;

export const priorityclasses = kind(PriorityClass, {
  group: scheduling,
  kind: 'PriorityClass',
  resource: 'priorityclasses',
  shortNames: ['pc'],
  namespaced: false,
  doc: 'A name for a priority that pods can ask for.',
  versions: [
    { version: 'v1', type: PriorityClass },
    {
      version: 'v1beta1',
      type: atVersion(PriorityClass, 'v1beta1'),
      deprecated: { since: 'v1.14', removed: 'v1.22', replacement: 'scheduling.{domain}/v1' },
    },
    {
      version: 'v1alpha1',
      type: atVersion(PriorityClass, 'v1alpha1'),
      deprecated: { since: 'v1.14', removed: 'v1.22', replacement: 'scheduling.{domain}/v1' },
    },
  ],
  rules: priorityClassRules,
  columns: [
    name,
    integer('Value', 'Priority of the pods that name the class.', ({ value }) => value),
    flag(
      'Global-Default',
      'Whether pods that name no class get this one.',
      ({ globalDefault = false }) => globalDefault,
    ),
    age,
  ],
});
