import { atVersion, kind } from '../define/index.ts';
import { flowcontrol } from '../groups.ts';
import { flowSchemaRules } from './flowSchema.rules.ts';
import { tables } from '../parts/index.ts';
import { FlowSchema } from './flowSchema.ts';

export const flowschemas = kind(FlowSchema, {
  group: flowcontrol,
  kind: 'FlowSchema',
  resource: 'flowschemas',
  namespaced: false,
  doc: 'Assigns requests that match it to a priority level.',
  versions: [
    { version: 'v1beta1', type: FlowSchema },
    { version: 'v1alpha1', type: atVersion(FlowSchema, 'v1alpha1') },
  ],
  rules: flowSchemaRules,
  status: true,
  columns: tables.of('flowSchemaColumns'),
  // Lists are in the order of names, which the sort keeps for schemas of the same precedence.
  rowOrder: (a, b) => a.spec.matchingPrecedence - b.spec.matchingPrecedence,
});
