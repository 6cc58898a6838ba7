/** Network policies: what is checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { Rules } from '../define/kind.ts';
import { each, oneOf, present, type Errors } from '../meta/checks.ts';
import { validateLabelSelector } from '../meta/labelSelector.rules.ts';
import { PROTOCOLS, validatePort } from '../core/ports.rules.ts';
import { contains, parseBlock } from '../values/addresses.ts';
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from './networkPolicy.ts';

const SPEC = Path.of('spec');
const TYPES = ['Egress', 'Ingress'];

function* validateSpec(spec: NetworkPolicySpec): Errors {
  yield* validateLabelSelector(spec.podSelector, SPEC.child('podSelector'));
  yield* each(spec.ingress, SPEC.child('ingress'), function* ({ ports, from }, at) {
    yield* each(ports, at.child('ports'), validatePolicyPort);
    yield* each(from, at.child('from'), validatePeer);
  });
  yield* each(spec.egress, SPEC.child('egress'), function* ({ ports, to }, at) {
    yield* each(ports, at.child('ports'), validatePolicyPort);
    yield* each(to, at.child('to'), validatePeer);
  });
  const [types, path] = [spec.policyTypes ?? [], SPEC.child('policyTypes')];
  if (types.length > TYPES.length) return yield field.invalid(path, types, 'may not specify more than two policyTypes');
  yield* each(types, path, (type, at) => oneOf(type, TYPES, at));
}

function* validatePolicyPort({ protocol, port }: NetworkPolicyPort, path: Path): Errors {
  if (protocol !== undefined) yield* oneOf(protocol, PROTOCOLS, path.child('protocol'));
  if (port !== undefined) yield* validatePort(port, path.child('port'));
}

function* validatePeer({ podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer, path: Path): Errors {
  yield* validateLabelSelector(podSelector, path.child('podSelector'));
  yield* validateLabelSelector(namespaceSelector, path.child('namespaceSelector'));
  if (ipBlock) yield* validateBlock(ipBlock, path.child('ipBlock'));
  if (!podSelector && !namespaceSelector && !ipBlock) yield field.required(path, 'must specify a peer');
  if (ipBlock && (podSelector || namespaceSelector))
    yield field.forbidden(path, 'may not specify both ipBlock and another peer');
}

function* validateBlock({ cidr, except = [] }: IPBlock, path: Path): Errors {
  if (cidr === '') return yield* present(cidr, path.child('cidr'));
  const block = parseBlock(cidr);
  if (!block) return yield field.invalid(path.child('cidr'), cidr, 'not a valid CIDR');
  for (const [i, text] of except.entries()) {
    const at = path.child('except').index(i);
    const hole = parseBlock(text);
    if (!hole) return yield field.invalid(at, text, 'not a valid CIDR');
    if (!contains(block, hole.address) || hole.length <= block.length)
      yield field.invalid(at, text, 'must be a strict subset of `cidr`');
  }
}

export const networkPolicyRules: Rules<NetworkPolicy> = {
  generation: true,
  emptyCounts: true,
  validate: ({ spec }) => [...validateSpec(spec)],
  validateUpdate: ({ spec }) => [...validateSpec(spec)],
};
