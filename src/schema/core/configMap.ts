import { bool, bytes, kind, map, opt, ptr, string } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { core } from '../groups.ts';
import { object } from '../meta/object.ts';
import { configMapRules } from './configMap.rules.ts';
import { tables } from '../parts/index.ts';

export const ConfigMap = object('api.core.v1.ConfigMap', {
  data: opt(2, map(string), { doc: 'Texts by key.' }),
  binaryData: opt(3, map(bytes), { doc: 'Bytes by key, in base64.' }),
  immutable: ptr(4, bool, { doc: 'Whether nothing but metadata can be changed any more.' }),
});
export type ConfigMap = Infer<typeof ConfigMap>;

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
