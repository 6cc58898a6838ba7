/** Webhooks as the page shows them, and the objects of which one consists. */
import type { Names } from '../../../names/index.ts';
import type { ApiObject } from '../../../schema/index.ts';
import { asText, at } from '../../stores/jsonValues.ts';
import type { WebhookExample } from './examples.ts';

const PREFIX = 'simulation.vitrine.dev/webhook';
/** Selects the config maps that are webhooks. */
export const SELECTOR = `${PREFIX}=true`;
export const HANDLER_KEY = 'handler.js';

/** The annotations that a person turns. */
const KNOBS = ['service', 'path', 'delay', 'fail', 'certificate', 'hosts'] as const;
export type Knob = (typeof KNOBS)[number];

export interface Written {
  readonly object: ApiObject;
  readonly name: string;
  readonly namespace: string;
  readonly code: string;
  readonly knobs: Readonly<Record<Knob, string>>;
  /** Where it is reached. */
  readonly address: string;
}

export function writtenOf(object: ApiObject): Written {
  const { name = '', namespace = '' } = object.metadata;
  const knob = (each: Knob): string => object.metadata.annotations?.[`${PREFIX}-${each}`] ?? '';
  const knobs = Object.fromEntries(KNOBS.map((each) => [each, knob(each)])) as Record<Knob, string>;
  const address = `https://${knobs.service || name}.${namespace}.svc${knobs.path || '/'}`;
  return { object, name, namespace, code: asText(at(object, 'data', HANDLER_KEY)), knobs, address };
}

/** The config map with another code and other knobs; an empty knob is taken away. */
export function withChanges(written: Written, code: string, knobs: Readonly<Record<Knob, string>>): ApiObject {
  const { object } = written;
  const annotations: Record<string, string> = { ...object.metadata.annotations };
  for (const knob of KNOBS) {
    if (knobs[knob].trim() === '') Reflect.deleteProperty(annotations, `${PREFIX}-${knob}`);
    else annotations[`${PREFIX}-${knob}`] = knobs[knob].trim();
  }
  const data = { ...(at(object, 'data') as Record<string, string> | undefined), [HANDLER_KEY]: code };
  return { ...object, metadata: { ...object.metadata, annotations }, data };
}

export function serviceOf(name: string, namespace: string): ApiObject {
  return objectOf('v1', 'Service', name, namespace, { spec: { ports: [{ name: 'https', port: 443 }] } });
}

export function configMapOf(name: string, namespace: string, code: string): ApiObject {
  const made = objectOf('v1', 'ConfigMap', name, namespace, { data: { [HANDLER_KEY]: code } });
  return { ...made, metadata: { ...made.metadata, labels: { [PREFIX]: 'true' } } };
}

/** The configuration that has admission ask a webhook; `authority` is PEM. */
export function configurationOf(
  { name, askedBy, rule = { group: '', resource: 'pods' } }: WebhookExample,
  namespace: string,
  authority: string,
  names: Names,
): ApiObject {
  const kind = askedBy === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
  const webhook = {
    name: `${name}.example.com`,
    clientConfig: { service: { namespace, name }, caBundle: btoa(authority) },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    timeoutSeconds: 5,
    // What only adds must not keep everybody from creating anything while its code is mended.
    failurePolicy: askedBy === 'mutating' ? 'Ignore' : 'Fail',
    rules: [
      { operations: ['CREATE', 'UPDATE'], apiGroups: [rule.group], apiVersions: ['*'], resources: [rule.resource] },
    ],
  };
  return objectOf(names.fill('admissionregistration.{domain}/v1'), kind, name, '', { webhooks: [webhook] });
}

function objectOf(apiVersion: string, kind: string, name: string, namespace: string, rest: object): ApiObject {
  const metadata = { name, ...(namespace ? { namespace } : {}) } as ApiObject['metadata'];
  return { apiVersion, kind, metadata, ...rest } as ApiObject;
}
