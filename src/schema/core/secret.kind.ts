import { kind } from '../define/index.ts';
import { core } from '../groups.ts';
import { secretRules } from './secret.rules.ts';
import { tables } from '../parts/index.ts';
import { Secret } from './secret.ts';

export const secrets = kind(Secret, {
  group: core,
  kind: 'Secret',
  resource: 'secrets',
  namespaced: true,
  rules: secretRules,
  doc: 'Confidential data as key and value pairs, such as tokens, keys and passwords.',
  versions: [{ version: 'v1', type: Secret }],
  columns: tables.of('secretColumns'),
  selectable: { type: ({ type = '' }) => type },
});
