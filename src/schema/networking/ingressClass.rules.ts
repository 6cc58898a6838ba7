/** Ingress classes: what is checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { Rules } from '../define/kind.ts';
import { complaints, immutable, type Errors } from '../meta/checks.ts';
import { checkSubdomain } from '../values/names.ts';
import type { IngressClass, IngressClassSpec } from './ingressClass.ts';
import { validateTypedReference } from './ingressBackend.rules.ts';

const SPEC = Path.of('spec');
const CONTROLLER = SPEC.child('controller');
const MAX_CONTROLLER_LENGTH = 250;
const HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const HTTP_PATH_PATTERN = new RegExp(`^${HTTP_PATH}$`);

function* validateSpec({ controller = '', parameters }: IngressClassSpec): Errors {
  if (controller.length > MAX_CONTROLLER_LENGTH) yield field.tooLong(CONTROLLER, controller, MAX_CONTROLLER_LENGTH);
  yield* validateController(controller);
  if (parameters) yield* validateTypedReference(parameters, SPEC.child('parameters'));
}

/** A path behind a domain, such as `example.com/controller`. */
function* validateController(controller: string): Errors {
  if (controller === '') return yield field.required(CONTROLLER);
  const slash = controller.indexOf('/');
  const [host, path] = [controller.slice(0, Math.max(slash, 0)), controller.slice(slash + 1)];
  if (host === '' || path === '')
    return yield field.invalid(CONTROLLER, controller, 'must be a domain-prefixed path (such as "acme.io/foo")');
  yield* complaints(CONTROLLER, host, checkSubdomain(host));
  if (!HTTP_PATH_PATTERN.test(path))
    yield field.invalid(CONTROLLER, path, `Invalid path (regex used for validation is '${HTTP_PATH}')`);
}

export const ingressClassRules: Rules<IngressClass> = {
  generation: true,
  validate: ({ spec }) => [...validateSpec(spec)],
  updateChecks: ['metadata', 'change', 'alone'],
  validateUpdate: ({ spec }, { spec: old }) => immutable(spec.controller, old.controller, CONTROLLER),
};
