/** The way to a node's agent; nothing listens on simulated nodes. */
import { status, type objects, type Resource } from '../../../schema/index.ts';
import type { Answer } from '../../codec/answer.ts';
import type { ResourceContext } from '../registry.ts';
import { proxyTarget } from '../proxyTarget.ts';
import { getObject } from '../read.ts';
import type { KindFile } from '../registry.ts';

export const nodes: KindFile = { resource: 'nodes', subresources: { proxy } };

async function proxy(context: ResourceContext, resource: Resource): Promise<Answer> {
  const { name } = proxyTarget(context.info.name, 'node');
  const entry = await getObject(context, resource, name, '');
  const node = context.server.views.of(entry, resource.hub).object as unknown as objects.Node;
  if ((node.status.addresses ?? []).length === 0)
    throw status.unexpected('no preferred addresses found; known addresses: []');
  const why = 'error trying to reach service: nodes here are simulated and accept no connections';
  throw status.failure(503, 'ServiceUnavailable', why);
}
