/**
 * Sets an annotation on each node: how long it may cache secrets and config maps, longer in larger clusters.
 *
 * Watches nodes.
 */
import { nameOf, nodes as nodesRef } from '../client/index.ts';
import { found } from '../schema/index.ts';
import { wakeOn, type Controller } from './runtime/index.ts';

interface Step {
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
}

/** Seconds by the number of nodes. The steps overlap, so that one node more or less does not change all annotations. */
const STEPS: readonly Step[] = [
  { from: 0, to: 100, seconds: 0 },
  { from: 90, to: 500, seconds: 15 },
  { from: 450, to: 1000, seconds: 30 },
  { from: 900, to: 2000, seconds: 60 },
  { from: 1800, to: Infinity, seconds: 300 },
];

/** The step for a number of nodes, given the current step. */
export function stepFor(nodes: number, current: Step | undefined): Step | undefined {
  if (!current || nodes > current.to) return STEPS.find(({ to }) => nodes <= to);
  return nodes < current.from ? STEPS.findLast(({ from }) => nodes >= from) : current;
}

export const nodeTtl: Controller = {
  name: 'ttl',
  account: 'ttl-controller',
  start(context) {
    const nodes = context.informers.of(nodesRef);
    const key = context.names.fill('node.alpha.{label}/ttl');
    let step = stepFor(0, undefined);
    const loop = context.loop({
      reconcile: async (name) => {
        const node = nodes.get(name);
        const ttl = String(step?.seconds);
        if (!node || node.metadata.annotations?.[key] === ttl) return;
        await found(
          context.client.of(nodesRef).patch(node, 'strategic', { metadata: { annotations: { [key]: ttl } } }),
        );
      },
    });
    wakeOn(loop, nodes);
    const count = (): void => {
      const next = stepFor(nodes.list().length, step);
      if (next !== step) for (const node of nodes.list()) loop.add(nameOf(node));
      step = next;
    };
    nodes.on({ added: count, deleted: count });
  },
};
