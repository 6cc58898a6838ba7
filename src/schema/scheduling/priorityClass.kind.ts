import { atVersion, kind } from '../define/index.ts';
import { age, flag, integer, name } from '../meta/columns.ts';
import { scheduling } from '../groups.ts';
import { priorityClassRules } from './priorityClass.rules.ts';
import { PriorityClass } from './priorityClass.ts';

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
