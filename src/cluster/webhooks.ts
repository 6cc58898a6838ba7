/** Provides user-written webhooks with the cluster's objects, its CA, and the host's sandbox. */
import type { Authority, RemoteFetch } from '../authn/index.ts';
import type { ApiObject, objects, Scheme } from '../schema/index.ts';
import type { Clock } from '../std/index.ts';
import type { Storage } from '../storage/index.ts';
import type { Tracer } from '../trace/index.ts';
import {
  createWebhooks,
  servingCertificates,
  type Objects,
  type Sandbox,
  type ServiceFetch,
  type Webhooks,
} from '../webhooks/index.ts';

export interface WebhookSettings {
  readonly clock: Clock;
  readonly tracer: Tracer;
  readonly scheme: Scheme;
  readonly storage: Storage;
  /** The cluster's CA; undefined if it has no key. */
  readonly authority: () => Promise<Authority | undefined>;
  readonly sandbox: Sandbox | undefined;
  /** Handles requests to addresses outside of the cluster. */
  readonly outside: RemoteFetch;
  /** Handles requests to services without a user-written webhook. */
  readonly inside: ServiceFetch;
}

export function startWebhooks(settings: WebhookSettings): Webhooks {
  const objects = objectsIn(settings);
  const certificates = servingCertificates({ ...settings, secret: (...where) => objects.secret(...where) });
  return createWebhooks({ ...settings, objects, certificates });
}

/** Reads directly from storage, so that a new webhook answers at once; core objects are stored in their API form. */
function objectsIn({ scheme, storage }: Pick<WebhookSettings, 'scheme' | 'storage'>): Objects {
  const prefixOf = (resource: string): string =>
    scheme.byResource({ group: '', version: 'v1', resource })?.prefix ?? '';
  const read = (resource: string, namespace: string, name: string): ApiObject | undefined => {
    const entry = storage.get(`${prefixOf(resource)}${namespace}/${name}`);
    return entry && (JSON.parse(entry.value) as ApiObject);
  };
  return {
    configMaps: (namespace) => {
      const start = prefixOf('configmaps') + (namespace === '' ? '' : `${namespace}/`);
      const { entries } = storage.range({ start, end: `${start.slice(0, -1)}0` });
      return entries.map((entry) => JSON.parse(entry.value) as objects.ConfigMap);
    },
    service: (namespace, name) => read('services', namespace, name) as objects.Service | undefined,
    secret: (namespace, name) => read('secrets', namespace, name) as objects.Secret | undefined,
  };
}
