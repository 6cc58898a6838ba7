/** Endpoint slices: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { PROTOCOLS } from '../core/ports.rules.ts';
import { complaints, each, immutable, oneOf, sameValue, type Errors } from '../meta/checks.ts';
import { validateDomainName } from '../meta/names.rules.ts';
import { validateLabels } from '../meta/objectMeta.rules.ts';
import { isIPv6, parseAddress } from '../values/addresses.ts';
import { checkLabel, checkQualifiedName, checkSubdomain } from '../values/names.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from './endpointSlice.ts';

const ADDRESS_TYPE = Path.of('addressType');
const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6'];
const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 100;
const MAX_TOPOLOGY = 16;

function* validate({ addressType, endpoints, ports }: EndpointSlice): Errors {
  if (addressType === '') yield field.required(ADDRESS_TYPE);
  else yield* oneOf(addressType, ADDRESS_TYPES, ADDRESS_TYPE);
  const [count, portCount] = [(endpoints ?? []).length, (ports ?? []).length];
  if (count > MAX_ENDPOINTS) yield field.tooMany('endpoints', count, MAX_ENDPOINTS);
  else yield* each(endpoints, Path.of('endpoints'), (endpoint, at) => validateEndpoint(endpoint, addressType, at));
  if (portCount > MAX_PORTS) yield field.tooMany('ports', portCount, MAX_PORTS);
  else yield* validatePorts(ports ?? []);
}

function* validateEndpoint(endpoint: Endpoint, addressType: string, path: Path): Errors {
  const { addresses, hostname, nodeName, topology = {} } = endpoint;
  const at = path.child('addresses');
  const count = (addresses ?? []).length;
  if (count === 0) yield field.required(at, 'must contain at least 1 address');
  if (count > MAX_ADDRESSES) yield field.tooMany(at, count, MAX_ADDRESSES);
  yield* each(addresses, at, (address, item) => validateAddress(address, addressType, item));
  if (nodeName !== undefined) yield* complaints(path.child('nodeName'), nodeName, checkSubdomain(nodeName));
  const labels = Object.keys(topology).length;
  if (labels > MAX_TOPOLOGY) yield field.tooMany(path.child('topology'), labels, MAX_TOPOLOGY);
  yield* validateLabels(topology, path.child('topology'));
  if (hostname !== undefined) yield* complaints(path.child('hostname'), hostname, checkLabel(hostname));
}

function* validateAddress(text: string, addressType: string, path: Path): Errors {
  const address = parseAddress(text);
  if (addressType === 'FQDN') yield* validateDomainName(text, path);
  else if (addressType === 'IPv4' && (!address || isIPv6(address)))
    yield field.invalid(path, text, 'must be a valid IPv4 address');
  else if (addressType === 'IPv6' && (!address || !isIPv6(address)))
    yield field.invalid(path, text, 'must be a valid IPv6 address');
}

function* validatePorts(ports: readonly EndpointPort[]): Errors {
  const names = new Set<string>();
  yield* each(ports, Path.of('ports'), function* ({ name = '', protocol, appProtocol }, at) {
    if (name !== '') yield* complaints(at.child('name'), name, checkLabel(name));
    if (names.has(name)) yield field.duplicate(at.child('name'), name);
    names.add(name);
    yield* oneOf(protocol, PROTOCOLS, at.child('protocol'));
    if (appProtocol !== undefined)
      yield* complaints(at.child('appProtocol'), appProtocol, checkQualifiedName(appProtocol));
  });
}

const usesTerminating = ({ endpoints }: EndpointSlice): boolean =>
  (endpoints ?? []).some(({ conditions }) => conditions.serving !== undefined || conditions.terminating !== undefined);
const usesNodeName = ({ endpoints }: EndpointSlice): boolean =>
  (endpoints ?? []).some(({ nodeName }) => nodeName !== undefined);

function dropDisabledFields(slice: EndpointSlice, old: EndpointSlice | undefined, { gate }: RuleContext): void {
  const keepTerminating = gate('EndpointSliceTerminatingCondition') || (old !== undefined && usesTerminating(old));
  const keepNodeName = gate('EndpointSliceNodeName') || (old !== undefined && usesNodeName(old));
  for (const endpoint of slice.endpoints ?? []) {
    if (!keepNodeName) delete endpoint.nodeName;
    if (keepTerminating) continue;
    delete endpoint.conditions.serving;
    delete endpoint.conditions.terminating;
  }
}

/** Counts every change but those to metadata. It runs before disabled fields are dropped, which therefore count, too. */
function countChange(slice: EndpointSlice, old: EndpointSlice): void {
  const { metadata: _, ...content } = slice;
  const { metadata, ...oldContent } = old;
  if (!sameValue(content, oldContent)) slice.metadata.generation = (metadata.generation ?? 0) + 1;
}

export const endpointSliceRules: Rules<EndpointSlice> = {
  generation: () => false,
  prepareCreate: (slice, context) => dropDisabledFields(slice, undefined, context),
  prepareUpdate: (slice, old, context) => {
    countChange(slice, old);
    dropDisabledFields(slice, old, context);
  },
  validate: (slice) => [...validate(slice)],
  updateChecks: ['alone', 'change'],
  validateUpdate: (slice, old) => immutable(slice.addressType, old.addressType, ADDRESS_TYPE),
};
