/** From a URL to what answers there, as the reference resolves the address of a webhook: by service, type and port. */
import type { objects } from '../schema/index.ts';
import { isWritten, readWritten, type WrittenWebhook } from './written.ts';

/** How objects are read: straight from storage, as of now. */
export interface Objects {
  configMaps(namespace: string): readonly objects.ConfigMap[];
  service(namespace: string, name: string): objects.Service | undefined;
  secret(namespace: string, name: string): objects.Secret | undefined;
}

/** No connection comes about, or it breaks; the message is what a client of the network would read. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
}

/** What listens at an address. `webhooks` are all that stand there; which of them answers is a matter of the path. */
export interface Listener {
  /** `10.0.0.7:443`, as messages name it. */
  readonly address: string;
  readonly webhooks: readonly [WrittenWebhook, ...WrittenWebhook[]];
}

/**
 * What a connection to the URL's host and port meets; undefined where the host is no business of the cluster's.
 * Throws ConnectionError where the cluster knows that nothing can be there.
 */
export function listenerAt(url: URL, objects: Objects): Listener | undefined {
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port);
  const [, service, namespace] = /^([^.]+)\.([^.]+)\.svc(\.|$)/.exec(url.hostname) ?? [];
  if (service !== undefined && namespace !== undefined) return behindService(service, namespace, port, objects);
  const webhooks = written(objects, '').filter(({ hosts }) => hosts.includes(url.hostname));
  return isSome(webhooks) ? { address: `${url.hostname}:${port}`, webhooks } : undefined;
}

function behindService(name: string, namespace: string, port: number, objects: Objects): Listener {
  const service = objects.service(namespace, name);
  if (!service) throw new ConnectionError(`service ${JSON.stringify(name)} not found`);
  const address = `${addressOf(service, name, port)}:${port}`;
  const webhooks = written(objects, namespace).filter((webhook) => webhook.service === name);
  if (!isSome(webhooks)) throw new ConnectionError(`dial tcp ${address}: connect: connection refused`);
  return { address, webhooks };
}

function addressOf({ spec }: objects.Service, name: string, port: number): string {
  const { type = 'ClusterIP', clusterIP = '', ports = [], externalName = '' } = spec ?? {};
  if (type === 'ExternalName') return externalName;
  if (clusterIP === 'None') throw new ConnectionError('cannot route to service with ClusterIP "None"');
  if (!ports.some((one) => one.port === port))
    throw new ConnectionError(`no service port ${port} found for service ${JSON.stringify(name)}`);
  return clusterIP;
}

const written = (objects: Objects, namespace: string): WrittenWebhook[] =>
  objects.configMaps(namespace).filter(isWritten).map(readWritten);

const isSome = <T>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0;
