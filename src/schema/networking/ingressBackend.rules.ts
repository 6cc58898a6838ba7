/** The rules for what ingresses lead to; each version reports mistakes under its own names of fields. */
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import type { RuleContext } from '../define/kind.ts';
import { complaints, type Errors } from '../meta/checks.ts';
import type { TypedLocalObjectReference } from '../core/references.ts';
import {
  checkPathSegment,
  checkPortName,
  checkPortNumber,
  checkServiceLabel,
  checkSubdomain,
} from '../values/names.ts';
import type { IngressBackend, IngressServiceBackend } from './ingress.ts';

/** Whether the request came through one of the beta versions, which two groups serve. */
export const isBeta = (requested: RuleContext['requested']): boolean => requested.version === 'v1beta1';

export function* validateBackend({ resource, service }: IngressBackend, path: Path, beta: boolean): Errors {
  if (resource && service) yield field.invalid(path, '', 'cannot set both resource and service backends');
  else if (resource) yield* validateTypedReference(resource, path.child('resource'));
  else if (service) yield* validateService(service, path, beta);
  else yield field.invalid(path, '', 'resource or service backend is required');
}

function* validateService({ name, port }: IngressServiceBackend, path: Path, beta: boolean): Errors {
  const nameAt = beta ? path.child('serviceName') : path.child('service', 'name');
  const portAt = (part: string): Path => (beta ? path.child('servicePort') : path.child('service', 'port', part));
  if (name === '') yield field.required(nameAt);
  else yield* complaints(nameAt, name, checkServiceLabel(name));
  const { name: portName = '', number = 0 } = port;
  if (portName !== '' && number !== 0) yield field.invalid(path, '', 'cannot set both port name & port number');
  else if (portName !== '') yield* complaints(portAt('name'), portName, checkPortName(portName));
  else if (number !== 0) yield* complaints(portAt('number'), number, checkPortNumber(number));
  else yield field.required(path, 'port name or number is required');
}

/** A reference to an object of any kind in the same namespace. */
export function* validateTypedReference(reference: TypedLocalObjectReference, path: Path): Errors {
  const { apiGroup, kind, name } = reference;
  if (apiGroup != null) yield* complaints(path.child('apiGroup'), apiGroup, checkSubdomain(apiGroup));
  for (const [part, text] of [
    ['kind', kind],
    ['name', name],
  ] as const) {
    if (text === '') yield field.required(path.child(part), `${part} is required`);
    else yield* complaints(path.child(part), text, checkPathSegment(text));
  }
}
