import { always, bool, int32, list, map, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { ObjectReference } from '../core/references.ts';
import { object } from '../meta/object.ts';

export const EndpointConditions = struct('api.discovery.v1beta1.EndpointConditions', {
  ready: ptr(1, bool),
  serving: ptr(2, bool),
  terminating: ptr(3, bool),
});
export type EndpointConditions = Infer<typeof EndpointConditions>;

export const Endpoint = struct('api.discovery.v1beta1.Endpoint', {
  addresses: always(1, list(string), { list: 'set' }),
  conditions: opt(2, EndpointConditions),
  hostname: ptr(3, string),
  targetRef: ptr(4, ObjectReference),
  topology: opt(5, map(string)),
  nodeName: ptr(6, string),
});
export type Endpoint = Infer<typeof Endpoint>;

export const EndpointPort = struct('api.discovery.v1beta1.EndpointPort', {
  name: ptr(1, string, { default: '' }),
  protocol: ptr(2, string, { default: 'TCP' }),
  port: ptr(3, int32),
  appProtocol: ptr(4, string),
});
export type EndpointPort = Infer<typeof EndpointPort>;

export const EndpointSlice = object('api.discovery.v1beta1.EndpointSlice', {
  addressType: always(4, string),
  endpoints: always(2, list(Endpoint), { list: 'atomic' }),
  ports: always(3, list(EndpointPort), { required: false, list: 'atomic' }),
});
export type EndpointSlice = Infer<typeof EndpointSlice>;
