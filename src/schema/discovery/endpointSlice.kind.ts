import { kind } from '../define/index.ts';
import { discovery } from '../groups.ts';
import { endpointSliceRules } from './endpointSlice.rules.ts';
import { tables } from '../parts/index.ts';
import { EndpointSlice } from './endpointSlice.ts';

export const endpointslices = kind(EndpointSlice, {
  group: discovery,
  kind: 'EndpointSlice',
  resource: 'endpointslices',
  namespaced: true,
  rules: endpointSliceRules,
  doc: 'A part of the addresses and ports that implement a service.',
  versions: [{ version: 'v1beta1', type: EndpointSlice }],
  columns: tables.of('endpointSliceColumns'),
});
