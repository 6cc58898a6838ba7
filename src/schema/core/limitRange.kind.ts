import { kind } from '../define/index.ts';
import { core } from '../groups.ts';
import { limitRangeRules } from './limitRange.rules.ts';
import { LimitRange } from './limitRange.ts';

export const limitranges = kind(LimitRange, {
  group: core,
  kind: 'LimitRange',
  resource: 'limitranges',
  shortNames: ['limits'],
  namespaced: true,
  rules: limitRangeRules,
  doc: 'Bounds and defaults for the resources that objects of a namespace may ask for.',
  versions: [{ version: 'v1', type: LimitRange }],
});
