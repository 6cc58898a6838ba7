/** Access to a node's agent. */
import { status, type objects, type Resource } from '../../../schema/index.ts';
import type { Answer } from '../../codec/answer.ts';
import { passOn, unreachable } from '../../streams/proxy.ts';
import type { ResourceContext } from '../registry.ts';
import { proxyTarget } from '../proxyTarget.ts';
import { getObject } from '../read.ts';
import type { KindFile } from '../registry.ts';

export const nodes: KindFile = { resource: 'nodes', subresources: { proxy } };

async function proxy(context: ResourceContext, resource: Resource): Promise<Answer> {
  const { name, port } = proxyTarget(context.info.name, 'node');
  const entry = await getObject(context, resource, name, '');
  const node = context.server.views.of(entry, resource.hub).object as objects.Node;
  if ((node.status.addresses ?? []).length === 0)
    throw status.unexpected('no preferred addresses found; known addresses: []');
  if (port !== '' && Number(port) !== AGENT_PORT)
    throw unreachable(`dial tcp ${node.status.addresses?.[0]?.address ?? ''}:${port}: connect: connection refused`);
  return { type: 'response', response: await passOn(context, { node: name }) };
}

/** The port of the agents. */
const AGENT_PORT = 10_250;
