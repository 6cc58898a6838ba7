/** Endpoints: what is checked before they are stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { Rules } from '../define/kind.ts';
import { complaints, each, oneOf, type Errors } from '../meta/checks.ts';
import { checkAddress, contains, parseAddress, parseBlock, type Block } from '../values/addresses.ts';
import { checkLabel, checkPortNumber, checkQualifiedName, checkSubdomain } from '../values/names.ts';
import { PROTOCOLS } from './ports.rules.ts';
import type { EndpointAddress, EndpointPort, Endpoints, EndpointSubset } from './endpoints.ts';

function* validateSubset(subset: EndpointSubset, path: Path): Errors {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
  if (addresses.length === 0 && notReadyAddresses.length === 0)
    yield field.required(path, 'must specify `addresses` or `notReadyAddresses`');
  yield* each(addresses, path.child('addresses'), validateEndpoint);
  yield* each(notReadyAddresses, path.child('notReadyAddresses'), validateEndpoint);
  yield* each(ports, path.child('ports'), (port, at) => validatePort(port, ports.length > 1, at));
}

function* validateEndpoint({ ip, hostname = '', nodeName }: EndpointAddress, path: Path): Errors {
  yield* complaints(path.child('ip'), ip, checkAddress(ip));
  if (hostname !== '') yield* complaints(path.child('hostname'), hostname, checkLabel(hostname));
  if (nodeName !== undefined) yield* complaints(path.child('nodeName'), nodeName, checkSubdomain(nodeName));
  yield* validateNonSpecialAddress(ip, path.child('ip'));
}

function* validatePort(
  { name = '', port, protocol = '', appProtocol }: EndpointPort,
  named: boolean,
  path: Path,
): Errors {
  if (name !== '') yield* complaints(path.child('name'), name, checkLabel(name));
  else if (named) yield field.required(path.child('name'));
  yield* complaints(path.child('port'), port, checkPortNumber(port));
  if (protocol === '') yield field.required(path.child('protocol'));
  else yield* oneOf(protocol, PROTOCOLS, path.child('protocol'));
  if (appProtocol !== undefined)
    yield* complaints(path.child('appProtocol'), appProtocol, checkQualifiedName(appProtocol));
}

const blocks = (...texts: string[]): readonly Block[] => texts.flatMap((text) => parseBlock(text) ?? []);

/** Addresses that mean something else on every machine. */
const SPECIAL: readonly (readonly [readonly Block[], string])[] = [
  [blocks('0.0.0.0/32', '::/128'), 'may not be unspecified (0.0.0.0)'],
  [blocks('127.0.0.0/8', '::1/128'), 'may not be in the loopback range (127.0.0.0/8)'],
  [blocks('169.254.0.0/16', 'fe80::/10'), 'may not be in the link-local range (169.254.0.0/16)'],
  [blocks('224.0.0.0/24', 'ff02::/16'), 'may not be in the link-local multicast range (224.0.0.0/24)'],
];

/** An address that can be an endpoint, or a service's external one. */
export function* validateNonSpecialAddress(text: string, path: Path): Errors {
  const address = parseAddress(text);
  if (!address) return yield field.invalid(path, text, 'must be a valid IP address');
  for (const [ranges, detail] of SPECIAL)
    if (ranges.some((range) => contains(range, address))) yield field.invalid(path, text, detail);
}

export const endpointsRules: Rules<Endpoints> = {
  createOnUpdate: 'object',
  validate: ({ subsets }) => [...each(subsets, Path.of('subsets'), validateSubset)],
  updateChecks: ['metadata', 'alone'],
};
