/**
 * Loads the parts that a request needs (`std/part.ts`). The parts that every cluster needs are always loaded, so most
 * requests wait for nothing.
 */
import { jsonPatching } from '../../merge/index.ts';
import { parts, rulesPart, type Resource } from '../../schema/index.ts';
import { loadAll, Part, type Loadable } from '../../std/index.ts';
import { yamlReader } from '../codec/body.ts';
import { yamlWriter } from '../codec/yamlWriter.ts';
import { applying } from '../handlers/patch.ts';
import { sharedRanges } from '../registry/kinds/services.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { wantsWebSocket } from '../streams/asksUpgrade.ts';

const OTHER_BODIES = /^application\/((merge-patch\+|json-patch\+|strategic-merge-patch\+)?json|vnd\.[\w.]+)/;

/** Bodies of responses as messages. */
export const webSocketBodies = new Part(() => import('../streams/webSocketBody.ts'));

/** Loads the decoders of the body and the encoders of the response. Plain JSON is always available. */
export function missingFormats(request: Request): Promise<void> | undefined {
  const { method, headers } = request;
  const accept = headers.get('accept') ?? '';
  const reads = method === 'GET' || method === 'HEAD';
  const sent = reads ? undefined : (headers.get('content-type') ?? '').toLowerCase();
  return waitFor([
    accept.includes('protobuf') || sent?.includes('protobuf') ? parts.protobuf : undefined,
    accept.includes('Table') ? parts.tables : undefined,
    wantsWebSocket(request) ? webSocketBodies : undefined,
    accept.includes('yaml') ? yamlWriter : undefined,
    sent?.startsWith('application/json-patch') ? jsonPatching : undefined,
    sent?.startsWith('application/apply-patch') ? applying : undefined,
    // A body with an unknown type may be parsed as YAML.
    sent !== undefined && !OTHER_BODIES.test(sent) ? yamlReader : undefined,
  ]);
}

/**
 * Loads the code that changes objects of the resource or handles its subresources. Reading an object needs nothing
 * more.
 */
export function missingParts(
  { server, request, info }: ResourceContext,
  resource: Resource,
): Promise<void> | undefined {
  if ((request.method === 'GET' || request.method === 'HEAD') && info.subresource === '') return undefined;
  return waitFor([
    rulesPart(resource.declaration),
    ...server.registry.parts(resource, info.subresource),
    server.storage.shared ? sharedRanges : undefined,
  ]);
}

function waitFor(needed: readonly (Loadable | undefined)[]): Promise<void> | undefined {
  const missing = needed.filter((part) => part !== undefined && !part.loaded) as Loadable[];
  return missing.length === 0 ? undefined : loadAll(missing);
}
