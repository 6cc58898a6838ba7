import { atVersion, kind } from '../define/index.ts';
import { flowcontrol } from '../groups.ts';
import { priorityLevelConfigurationRules } from './priorityLevelConfiguration.rules.ts';
import { tables } from '../parts/index.ts';
import { PriorityLevelConfiguration } from './priorityLevelConfiguration.ts';

export const prioritylevelconfigurations = kind(PriorityLevelConfiguration, {
  group: flowcontrol,
  kind: 'PriorityLevelConfiguration',
  resource: 'prioritylevelconfigurations',
  namespaced: false,
  doc: 'How many requests of a priority level are served at once, and what happens to the others.',
  versions: [
    { version: 'v1beta1', type: PriorityLevelConfiguration },
    { version: 'v1alpha1', type: atVersion(PriorityLevelConfiguration, 'v1alpha1') },
  ],
  rules: priorityLevelConfigurationRules,
  status: true,
  columns: tables.of('priorityLevelConfigurationColumns'),
});
