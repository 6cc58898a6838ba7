/** Ingresses: what is checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { keepSpec } from '../meta/keepSpec.ts';
import { clearStatus, complaints, each, type Errors } from '../meta/checks.ts';
import { validateLoadBalancerStatus } from '../core/service.rules.ts';
import { parseAddress } from '../values/addresses.ts';
import { checkSubdomain, checkWildcardSubdomain } from '../values/names.ts';
import type { HTTPIngressPath, Ingress, IngressRule, IngressTLS } from './ingress.ts';
import { isBeta, validateBackend } from './ingressBackend.rules.ts';

const SPEC = Path.of('spec');
const FORBIDDEN_SEQUENCES = ['//', '/./', '/../', '%2f', '%2F'];
const FORBIDDEN_ENDS = ['/..', '/.'];

/** What the beta versions accepted, and what existing objects may keep. */
interface Allowed {
  readonly beta: boolean;
  readonly anySecretName: boolean;
  readonly anyWildcardRule: boolean;
}

function allowedIn({ requested }: RuleContext, old?: Ingress): Allowed {
  const beta = isBeta(requested);
  return {
    beta,
    anySecretName: beta || hasBadSecretName(old),
    anyWildcardRule: beta || hasBadWildcardRule(old, beta),
  };
}

const hasBadSecretName = (old: Ingress | undefined): boolean =>
  (old?.spec.tls ?? []).some(({ secretName = '' }) => secretName !== '' && checkSubdomain(secretName).length > 0);

const hasBadWildcardRule = (old: Ingress | undefined, beta: boolean): boolean =>
  (old?.spec.rules ?? []).some(
    (rule) => rule.host?.includes('*') && [...validateRuleValue(rule, SPEC, beta)].length > 0,
  );

function* validateSpec({ spec }: Ingress, allowed: Allowed): Errors {
  const { defaultBackend, rules = [], tls = [], ingressClassName } = spec;
  const name = allowed.beta ? 'backend' : 'defaultBackend';
  if (rules.length === 0 && !defaultBackend)
    yield field.invalid(SPEC, rules, `either \`${name}\` or \`rules\` must be specified`);
  if (defaultBackend) yield* validateBackend(defaultBackend, SPEC.child(name), allowed.beta);
  yield* each(rules, SPEC.child('rules'), (rule, at) => validateRule(rule, at, allowed));
  yield* each(tls, SPEC.child('tls'), (entry, at) => validateTLS(entry, at, allowed));
  if (ingressClassName === undefined) return;
  yield* complaints(SPEC.child('ingressClassName'), ingressClassName, checkSubdomain(ingressClassName));
}

const checkHost = (host: string): readonly string[] =>
  host.includes('*') ? checkWildcardSubdomain(host) : checkSubdomain(host);

function* validateTLS({ hosts, secretName = '' }: IngressTLS, path: Path, { anySecretName }: Allowed): Errors {
  yield* each(hosts, path.child('hosts'), (host, at) => complaints(at, host, checkHost(host)));
  if (secretName === '' || anySecretName) return;
  yield* complaints(path.child('secretName'), secretName, checkSubdomain(secretName));
}

function* validateRule(rule: IngressRule, path: Path, { beta, anyWildcardRule }: Allowed): Errors {
  const { host = '' } = rule;
  if (parseAddress(host)) yield field.invalid(path.child('host'), host, 'must be a DNS name, not an IP address');
  if (host !== '') yield* complaints(path.child('host'), host, checkHost(host));
  if (!host.includes('*') || !anyWildcardRule) yield* validateRuleValue(rule, path, beta);
}

function* validateRuleValue({ http }: IngressRule, path: Path, beta: boolean): Errors {
  if (!http) return;
  const at = path.child('http', 'paths');
  if ((http.paths ?? []).length === 0) yield field.required(at);
  yield* each(http.paths, at, (entry, item) => validatePath(entry, item, beta));
}

function* validatePath({ path: text = '', pathType, backend }: HTTPIngressPath, path: Path, beta: boolean): Errors {
  const at = path.child('path');
  if (pathType === undefined) return yield field.required(path.child('pathType'), 'pathType must be specified');
  if (pathType === 'Exact' || pathType === 'Prefix') yield* validateMatchedPath(text, at);
  else if (pathType !== 'ImplementationSpecific')
    yield field.notSupported(path.child('pathType'), pathType, ['Exact', 'ImplementationSpecific', 'Prefix']);
  else if (text !== '' && !text.startsWith('/')) yield field.invalid(at, text, 'must be an absolute path');
  yield* validateBackend(backend, path.child('backend'), beta);
}

/** A path that requests are compared with, piece by piece. */
function* validateMatchedPath(text: string, path: Path): Errors {
  if (!text.startsWith('/')) yield field.invalid(path, text, 'must be an absolute path');
  for (const part of FORBIDDEN_SEQUENCES)
    if (text.includes(part)) yield field.invalid(path, text, `must not contain '${part}'`);
  for (const end of FORBIDDEN_ENDS) if (text.endsWith(end)) yield field.invalid(path, text, `cannot end with '${end}'`);
}

/** A new ingress says its class once: by the field, or by the annotation that there was before. */
function* validateClass({ metadata, spec }: Ingress, { names }: RuleContext): Errors {
  const key = names.fill('{label}/ingress.class');
  const value = metadata.annotations?.[key];
  if (value !== undefined && spec.ingressClassName !== undefined)
    yield field.invalid(Path.of('annotations', key), value, 'can not be set when the class field is also set');
}

export const ingressRules: Rules<Ingress> = {
  generation: true,
  prepareCreate: clearStatus,
  prepareStatusUpdate: keepSpec,
  validateCreate: (ingress, context) => [
    ...validateSpec(ingress, allowedIn(context)),
    ...validateClass(ingress, context),
  ],
  updateChecks: ['metadata', 'alone', 'change'],
  validateUpdate: (ingress, old, context) => [...validateSpec(ingress, allowedIn(context, old))],
  validateStatusUpdate: ({ status }) => [
    ...validateLoadBalancerStatus(status.loadBalancer, Path.of('status', 'loadBalancer')),
  ],
};
