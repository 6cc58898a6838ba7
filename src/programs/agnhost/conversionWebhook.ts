/** The reference's example of a conversion webhook. */
import type { Program } from '../process.ts';
import { serveReviews } from './reviews.ts';

interface Conversion {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly Convertible[];
  };
}

type Convertible = Readonly<Record<string, unknown>> & { readonly apiVersion: string };

/** Between v1 and v2 of the example, `hostPort` is one field or two. */
function convert(object: Convertible, apiVersion: string): Convertible {
  const { host, port, hostPort, ...rest } = object;
  if (apiVersion.endsWith('/v2') && typeof hostPort === 'string') {
    const [first = '', second = ''] = hostPort.split(':');
    return { ...rest, apiVersion, host: first, port: second };
  }
  if (apiVersion.endsWith('/v1') && host !== undefined)
    return { ...rest, apiVersion, hostPort: `${String(host)}:${String(port)}` };
  return { ...object, apiVersion };
}

/** Serves conversions of the example's custom resources over TLS. */
export const conversionWebhook: Program = (process) =>
  serveReviews(process, [], ({ pathname }, body) => {
    if (pathname !== '/crdconvert') return undefined;
    const { request, ...review } = JSON.parse(body) as Conversion;
    const convertedObjects = request.objects.map((object) => convert(object, request.desiredAPIVersion));
    return { ...review, response: { uid: request.uid, result: { status: 'Success' }, convertedObjects } };
  });
