/**
 * Namespaces: empties a namespace that is being deleted, reports in its conditions what still blocks it, and finalizes
 * it when nothing is left and no other finalizer is set.
 *
 * Watches namespaces.
 */
import { nameOf, namespaces, type Namespace } from '../../client/index.ts';
import { found, isReason } from '../../schema/index.ts';
import { isConflict, wakingBy, type ControllerContext, type Run } from '../runtime/index.ts';
import { planConditions, type Emptying } from './conditions.ts';
import { deleteContent, leavingSince } from './content.ts';

/**
 * Milliseconds before the first round, so that every API server has observed that the namespace accepts no new objects.
 */
const GRACE = 5_000;

/** The next action for a namespace, given its state on the server. */
export function planNamespace(namespace: Namespace, finalizer: string): 'nothing' | 'empty' | 'finalized' {
  if (namespace.metadata.deletionTimestamp === undefined) return 'nothing';
  return namespace.spec.finalizers?.includes(finalizer) ? 'empty' : 'finalized';
}

class NamespaceLifecycle {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  async reconcile(name: string, run: Run): Promise<number | void> {
    const namespace = await this.#live(name);
    if (!namespace || planNamespace(namespace, this.#context.names.product) !== 'empty') return;
    const terminating = namespace.status.phase === 'Terminating' ? namespace : await this.#markTerminating(namespace);
    const emptying = await this.#empty(terminating);
    run.plan(
      emptying.remaining.map(({ resource, count, finalizers }) => ({ waits: resource.resource, count, finalizers })),
    );
    await this.#tell(name, emptying);
    const problem = emptying.problems[0] ?? emptying.undiscovered[0];
    if (problem !== undefined) throw new Error(problem);
    if (emptying.estimate > 0) return (Math.floor(emptying.estimate / 2) + 1) * 1000;
    await this.#finalize(name);
  }

  #live(name: string): Promise<Namespace | undefined> {
    return found(this.#context.client.of(namespaces).get(name));
  }

  #markTerminating(namespace: Namespace): Promise<Namespace> {
    const status = { ...namespace.status, phase: 'Terminating' };
    return this.#context.client.of(namespaces).updateStatus({ ...namespace, status });
  }

  async #empty(namespace: Namespace): Promise<Emptying> {
    const now = this.#context.clock.now();
    const served = await this.#context.served.discovery();
    return deleteContent(this.#context.client, nameOf(namespace), served, leavingSince(namespace) ?? now, now);
  }

  async #tell(name: string, emptying: Emptying): Promise<void> {
    await this.#change(name, async (namespace) => {
      const conditions = planConditions(namespace.status.conditions, emptying, this.#context.clock.now());
      if (conditions)
        await this.#context.client
          .of(namespaces)
          .updateStatus({ ...namespace, status: { ...namespace.status, conditions } });
    });
  }

  async #finalize(name: string): Promise<void> {
    const own = this.#context.names.product;
    await this.#change(name, async (namespace) => {
      const finalizers = (namespace.spec.finalizers ?? []).filter((finalizer) => finalizer !== own);
      await this.#context.client
        .of(namespaces)
        .update({ ...namespace, spec: { finalizers } }, { subresource: 'finalize' });
    });
  }

  /** Writes to the newest state of a namespace; retries after a conflict. */
  async #change(name: string, write: (namespace: Namespace) => Promise<void>): Promise<void> {
    for (;;) {
      const namespace = await this.#live(name);
      if (!namespace) return;
      try {
        return await write(namespace);
      } catch (problem) {
        if (isReason(problem, 'NotFound')) return;
        if (!isConflict(problem)) throw problem;
      }
    }
  }
}

export function startNamespaces(context: ControllerContext): void {
  const lifecycle = new NamespaceLifecycle(context);
  const workers = context.flags.number('concurrent-namespace-syncs');
  const loop = context.loop({ workers, reconcile: (key, run) => lifecycle.reconcile(key, run) });
  const wake = (namespace: Namespace): void => {
    const name = nameOf(namespace);
    if (namespace.metadata.deletionTimestamp === undefined) return;
    loop.addAfter(name, GRACE, () => wakingBy(namespace, 'changed'));
  };
  context.informers.of(namespaces).on({ added: wake, changed: wake });
}
