/**
 * Writes heartbeats into the status of many nodes at once: reports in which nothing but `lastHeartbeatTime` has changed.
 * Each has the effects of the patch that the node's agent would send: its own revision, its events, its counts. What
 * could tell the two apart makes it a patch again.
 */
import type { UserInfo } from '../../authn/index.ts';
import type { ApiObject, ManagedFieldsEntry, Resource } from '../../schema/index.ts';
import { deepEqual, getOwn, isObject } from '../../std/index.ts';
import type { PutOp } from '../../storage/index.ts';
import { objectKey } from '../registry/keys.ts';
import { putOp } from '../registry/store.ts';
import { firstOf, type QuietContext, type QuietWrites, type TogetherServer } from './quiet.ts';

interface Condition {
  readonly type: string;
  readonly lastHeartbeatTime?: string | null;
}

/** A node as its agent has last seen it, and its conditions as the agent reports them. */
export interface Report {
  readonly as: UserInfo;
  readonly node: ApiObject;
  readonly conditions: readonly Condition[];
}

/** The conditions with the heartbeats that are reported; undefined if anything else differs, or nothing does. */
function withHeartbeats(
  before: readonly Condition[],
  reported: readonly Condition[],
): readonly Condition[] | undefined {
  const timeless = ({ lastHeartbeatTime: _, ...condition }: Condition): object => condition;
  if (!deepEqual(before.map(timeless), reported.map(timeless))) return undefined;
  const after = before.map((condition, i) => ({ ...condition, lastHeartbeatTime: reported[i]?.lastHeartbeatTime }));
  return deepEqual(before, after) ? undefined : (after as readonly Condition[]);
}

export class Reports {
  readonly #server: TogetherServer;
  readonly #quiet: QuietWrites;
  readonly #nodes: Resource | undefined;
  /** A request that stands for all of them. */
  readonly #context: QuietContext;

  constructor(server: TogetherServer, quiet: QuietWrites) {
    this.#server = server;
    this.#quiet = quiet;
    this.#nodes = quiet.resource('', 'nodes');
    this.#context = quiet.contextOfAgents('PATCH', '/api/v1/nodes/node/status');
  }

  /** Returns the nodes of the first ones, up to one that has to be patched; undefined if all of them have to be. */
  async report(reports: readonly Report[]): Promise<readonly ApiObject[] | undefined> {
    const { clock, views, tracer } = this.#server;
    const nodes = this.#nodes;
    if (!nodes || !this.#quiet.mayWrite(nodes)) return undefined;
    const started = clock.now();
    const puts = firstOf(reports, (report) => this.#putOf(report, nodes));
    if (puts.length === 0) return [];
    const written = await this.#quiet.store(puts);
    const last = written.at(-1);
    if (!last) return [];
    this.#quiet.count(this.#context, nodes, { operation: 'UPDATE', code: 200 }, written.length, started);
    if (tracer.wants('together'))
      tracer.emit({ topic: 'together', what: 'reports', count: written.length, revision: last.revision });
    return written.map((entry) => views.of(entry, nodes).object);
  }

  #putOf({ as: user, node, conditions }: Report, nodes: Resource): PutOp | undefined {
    const { storage, views, retryQueues, random } = this.#server;
    const { name = '' } = node.metadata;
    const previous = storage.get(objectKey(nodes, '', name));
    if (!previous || retryQueues.has(previous.key)) return undefined;
    const known = views.of(previous, nodes).object;
    const { uid, resourceVersion, deletionTimestamp } = known.metadata;
    if (deletionTimestamp || uid !== node.metadata.uid || resourceVersion !== node.metadata.resourceVersion)
      return undefined;
    const status = known['status'] as { readonly conditions?: readonly Condition[] } | undefined;
    const after = withHeartbeats(status?.conditions ?? [], conditions);
    if (!after || !this.#ownsAll(known, after) || !this.#quiet.admits(user, { ...this.#context.info, name }))
      return undefined;
    // The id that a patch would have.
    random.uuid();
    const form = { ...known, status: { ...status, conditions: after } };
    return putOp(this.#context, nodes, previous.key, form, previous.revision);
  }

  /** Whether the agent's patches own the heartbeats of all conditions, and nobody else owns any condition. */
  #ownsAll({ metadata }: ApiObject, conditions: readonly Condition[]): boolean {
    const owners = (metadata.managedFields ?? []).filter((entry) => ownedConditions(entry) !== undefined);
    const [owner] = owners;
    if (!owner || owners.length > 1) return false;
    const { manager, operation, apiVersion } = owner;
    const owned = ownedConditions(owner) ?? {};
    return (
      manager === this.#server.names.agent &&
      operation === 'Update' &&
      apiVersion === this.#nodes?.apiVersion &&
      conditions.every(({ type }) => {
        const fields = getOwn(owned, `k:${JSON.stringify({ type })}`);
        return isObject(fields) && isObject(fields['f:lastHeartbeatTime']);
      })
    );
  }
}

/** The conditions of which an owner has fields. */
function ownedConditions({ fieldsV1 }: ManagedFieldsEntry): Readonly<Record<string, unknown>> | undefined {
  const status = fieldsV1?.['f:status'];
  const conditions = isObject(status) ? status['f:conditions'] : undefined;
  return isObject(conditions) ? conditions : undefined;
}
