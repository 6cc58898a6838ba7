import { kind } from '../define/index.ts';
import { core } from '../groups.ts';
import { configMapRules } from './configMap.rules.ts';
import { tables } from '../parts/index.ts';
import { ConfigMap } from './configMap.ts';

export const configmaps = kind(ConfigMap, {
  group: core,
  kind: 'ConfigMap',
  resource: 'configmaps',
  shortNames: ['cm'],
  namespaced: true,
  rules: configMapRules,
  doc: 'Settings as key and value pairs, for pods to read as files, variables or arguments.',
  versions: [{ version: 'v1', type: ConfigMap }],
  columns: tables.of('configMapColumns'),
});
