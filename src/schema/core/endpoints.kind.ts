import { kind } from '../define/index.ts';
import { core } from '../groups.ts';
import { endpointsRules } from './endpoints.rules.ts';
import { tables } from '../parts/index.ts';
import { Endpoints } from './endpoints.ts';

export const endpoints = kind(Endpoints, {
  group: core,
  kind: 'Endpoints',
  resource: 'endpoints',
  shortNames: ['ep'],
  namespaced: true,
  rules: endpointsRules,
  doc: 'The addresses and ports that implement a service.',
  versions: [{ version: 'v1', type: Endpoints }],
  columns: tables.of('endpointsColumns'),
});
