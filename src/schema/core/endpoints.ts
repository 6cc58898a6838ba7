import { always, int32, list, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';
import { ObjectReference } from './references.ts';

export const EndpointAddress = struct(
  'api.core.v1.EndpointAddress',
  {
    ip: always(1, string, { doc: 'IP address; loopback, link-local and multicast addresses are refused.' }),
    hostname: opt(3, string, { doc: 'Name of the endpoint.' }),
    nodeName: ptr(4, string, { doc: 'Node on which the endpoint runs.' }),
    targetRef: ptr(2, ObjectReference, { doc: 'Object that stands behind the endpoint.' }),
  },
  { doc: 'An address of a service.' },
);
export type EndpointAddress = Infer<typeof EndpointAddress>;

export const EndpointPort = struct(
  'api.core.v1.EndpointPort',
  {
    name: opt(1, string, { doc: 'Name of the port, as the service has it; may be left out where there is only one.' }),
    port: always(2, int32, { doc: 'Number of the port.' }),
    protocol: opt(3, string, { default: 'TCP', doc: '`TCP`, `UDP` or `SCTP`; TCP by default.' }),
    appProtocol: ptr(4, string, {
      doc: 'Protocol that is spoken on the port; names without a prefix are those of IANA.',
    }),
  },
  { doc: 'A port of a service.' },
);
export type EndpointPort = Infer<typeof EndpointPort>;

export const EndpointSubset = struct(
  'api.core.v1.EndpointSubset',
  {
    addresses: opt(1, list(EndpointAddress), { doc: 'Addresses that are ready and safe to use.' }),
    notReadyAddresses: opt(2, list(EndpointAddress), { doc: 'Addresses that still start, or have failed a check.' }),
    ports: opt(3, list(EndpointPort), { doc: 'Ports on the addresses.' }),
  },
  { doc: 'Addresses and ports; every port belongs to every address.' },
);
export type EndpointSubset = Infer<typeof EndpointSubset>;

export const Endpoints = object('api.core.v1.Endpoints', {
  subsets: opt(2, list(EndpointSubset), {
    doc: 'Groups of addresses that share ports; all of them together are the endpoints.',
  }),
});
export type Endpoints = Infer<typeof Endpoints>;
