import { always, int32, kind, list, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { endpointsColumns } from './service.columns.ts';
import { core } from '../groups.ts';
import { object } from '../meta/object.ts';
import { ObjectReference } from './references.ts';
import { endpointsRules } from './endpoints.rules.ts';

export const EndpointAddress = struct('api.core.v1.EndpointAddress', {
  ip: always(1, string),
  targetRef: ptr(2, ObjectReference),
  hostname: opt(3, string),
  nodeName: ptr(4, string),
});
export type EndpointAddress = Infer<typeof EndpointAddress>;

export const EndpointPort = struct('api.core.v1.EndpointPort', {
  name: opt(1, string),
  port: always(2, int32),
  protocol: opt(3, string, { default: 'TCP' }),
  appProtocol: ptr(4, string),
});
export type EndpointPort = Infer<typeof EndpointPort>;

export const EndpointSubset = struct('api.core.v1.EndpointSubset', {
  addresses: opt(1, list(EndpointAddress)),
  notReadyAddresses: opt(2, list(EndpointAddress)),
  ports: opt(3, list(EndpointPort)),
});
export type EndpointSubset = Infer<typeof EndpointSubset>;

export const Endpoints = object('api.core.v1.Endpoints', {
  subsets: opt(2, list(EndpointSubset)),
});
export type Endpoints = Infer<typeof Endpoints>;

export const endpoints = kind(Endpoints, {
  group: core,
  kind: 'Endpoints',
  resource: 'endpoints',
  shortNames: ['ep'],
  namespaced: true,
  rules: endpointsRules,
  doc: 'The addresses and ports that implement a service.',
  versions: [{ version: 'v1', type: Endpoints }],
  columns: endpointsColumns,
});
