/** Resolves a URL to its listener, as the reference resolves the address of a webhook: by service, type and port. */
import type { objects } from '../schema/index.ts';
import { isWritten, readWritten, type WrittenWebhook } from './written.ts';

/** Reads objects from the current storage. */
export interface Objects {
  configMaps(namespace: string): readonly objects.ConfigMap[];
  service(namespace: string, name: string): objects.Service | undefined;
  secret(namespace: string, name: string): objects.Secret | undefined;
}

/** A connection can't be established or breaks; the message is that of a network client. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
}

/** The listener at an address. */
export interface Listener {
  /** The host of the service, or the external host. */
  readonly host: string;
  readonly port: number;
  /** All user-written webhooks at the address; the path decides which one answers. Without any the network is used. */
  readonly webhooks: readonly WrittenWebhook[];
}

/** `10.0.0.7:443`, for messages. */
export const addressText = ({ host, port }: Listener): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/**
 * The listener at a URL's host and port; undefined for a host outside of the cluster. Throws ConnectionError if the
 * cluster knows that nothing listens there.
 */
export function listenerAt(url: URL, objects: Objects): Listener | undefined {
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port);
  const [, service, namespace] = /^([^.]+)\.([^.]+)\.svc(\.|$)/.exec(url.hostname) ?? [];
  if (service !== undefined && namespace !== undefined) return behindService(service, namespace, port, objects);
  const webhooks = written(objects, '').filter(({ hosts }) => hosts.includes(url.hostname));
  return webhooks.length > 0 ? { host: url.hostname, port, webhooks } : undefined;
}

function behindService(name: string, namespace: string, port: number, objects: Objects): Listener {
  const service = objects.service(namespace, name);
  if (!service) throw new ConnectionError(`service ${JSON.stringify(name)} not found`);
  const webhooks = written(objects, namespace).filter((webhook) => webhook.service === name);
  return { host: addressOf(service, name, port), port, webhooks };
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
