/**
 * Resource quotas: `status.hard` follows the spec, `status.used` is what the namespace's objects use. The admission
 * plugin adds the usage of new objects; this loop recalculates when objects are deleted and when a quota changes.
 *
 * Watches quotas and, for each kind that a quota measures, the objects (pods, services, claims) or their metadata.
 */
import {
  keyOf,
  namespaceOf,
  persistentVolumeClaims,
  pods,
  resourceQuotas,
  services,
  type Informer,
  type ResourceQuota,
  type ResourceRef,
} from '../client/index.ts';
import { evaluatorOf, isUncounted, Quantity, type ApiObject, type Evaluator } from '../schema/index.ts';
import { deepEqual } from '../std/index.ts';
import { wakeOn, wakingBy, type ControllerContext, type Loop } from './runtime/index.ts';

/** One kind that a quota measures. */
interface Measured {
  readonly evaluator: Evaluator;
  readonly objects: readonly ApiObject[];
}

/** Kinds of which a quota measures more than their number. */
const OWN: readonly ResourceRef[] = [pods, services, persistentVolumeClaims] as ResourceRef[];

const LEGACY_COUNTS = ['configmaps', 'secrets', 'replicationcontrollers', 'resourcequotas'];

/** The desired status of a quota. */
export function planStatus(quota: ResourceQuota, measured: readonly Measured[], now: number): ResourceQuota['status'] {
  const hard = quota.spec.hard ?? {};
  // Unmeasured resources (kinds that are not served, events) keep the usage in the status.
  const names = Object.keys(hard).filter((name) => measured.some(({ evaluator }) => evaluator.measures(name)));
  const used = new Map(names.map((name) => [name, Quantity.zero]));
  for (const { evaluator, objects } of measured) {
    for (const object of objects) {
      if (!evaluator.matches(quota, object)) continue;
      for (const [name, amount] of evaluator.usage(object, now))
        if (used.has(name)) used.set(name, (used.get(name) ?? Quantity.zero).add(amount));
    }
  }
  const known = Object.entries(quota.status.used ?? {}).filter(([name]) => Object.hasOwn(hard, name));
  const measuredNow = [...used].map(([name, amount]) => [name, amount.toString()] as const);
  return { hard: { ...hard }, used: Object.fromEntries([...known, ...measuredNow]) };
}

class Counter {
  readonly #context: ControllerContext;
  readonly #quotas: Informer<ResourceQuota>;
  readonly #loop: Loop;
  readonly #followed = new Map<string, Informer>();
  /** The revision at which each quota was last calculated; missing while it is being calculated. */
  readonly #countedAt = new Map<string, bigint>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#quotas = context.informers.of(resourceQuotas);
    this.#loop = context.loop({
      workers: context.flags.number('concurrent-resource-quota-syncs'),
      reconcile: (key) => this.#reconcile(key),
    });
    // A status written by the admission plugin includes objects that are not stored yet: only a new spec is
    // recalculated at once.
    wakeOn(this.#loop, this.#quotas, undefined, (quota, old) => !deepEqual(quota.spec, old.spec));
    for (const ref of OWN) this.#follow(ref, context.informers.of(ref));
  }

  /**
   * Deleted or completed objects free usage. New objects were added by the admission plugin, unless the quota was not
   * calculated yet: an object that is older than the calculation and observed after it is missing from it.
   */
  #follow(ref: ResourceRef, informer: Informer): Informer {
    const quotasOf = (object: ApiObject): string[] => this.#quotas.by('namespace', namespaceOf(object)).map(keyOf);
    const recount = (object: ApiObject): void => {
      for (const key of quotasOf(object)) this.#loop.add(key, () => wakingBy(object, 'changed'));
    };
    const added = (object: ApiObject, initial: boolean): void => {
      if (initial) return;
      for (const key of quotasOf(object))
        if (this.#isNewsTo(key, object)) this.#loop.add(key, () => wakingBy(object, 'added'));
    };
    const changed = (object: ApiObject, old: ApiObject): void => {
      const mayCount = this.#quotas.by('namespace', namespaceOf(object)).length > 0;
      if (mayCount && this.#shrank(ref, object, old)) recount(object);
    };
    informer.on({ added, deleted: recount, ...(OWN.includes(ref) ? { changed } : {}) });
    this.#followed.set(`${ref.resource}.${ref.group}`, informer);
    return informer;
  }

  /** Whether a quota may have been calculated without an existing object. */
  #isNewsTo(key: string, object: ApiObject): boolean {
    const countedAt = this.#countedAt.get(key);
    return countedAt === undefined || BigInt(object.metadata.resourceVersion ?? 0) < countedAt;
  }

  /** Whether a change frees usage: a completed pod, a service without its ports. Increases were already added. */
  #shrank(ref: ResourceRef, object: ApiObject, old: ApiObject): boolean {
    const { names, clock } = this.#context;
    const evaluator = evaluatorOf({ group: names.fill(ref.group), resource: ref.resource }, names);
    const after = evaluator.usage(object, clock.now());
    const before = evaluator.usage(old, clock.now());
    return [...before].some(([name, amount]) => amount.compare(after.get(name) ?? Quantity.zero) > 0);
  }

  /** Also recalculates periodically, because a request that failed after its usage was added does not free it. */
  async #reconcile(key: string): Promise<number | void> {
    const quota = this.#quotas.get(key);
    this.#countedAt.delete(key);
    if (!quota) return;
    const measured = await this.#measure(quota);
    const status = planStatus(quota, measured, this.#context.clock.now());
    const counted = deepEqual(status, quota.status)
      ? quota
      : await this.#context.client.of(resourceQuotas).updateStatus({ ...quota, status });
    this.#countedAt.set(key, BigInt(counted.metadata.resourceVersion ?? 0));
    return this.#context.flags.duration('resource-quota-sync-period');
  }

  async #measure(quota: ResourceQuota): Promise<Measured[]> {
    const { names } = this.#context;
    const refs = await this.#refsOf(Object.keys(quota.spec.hard ?? {}));
    return Promise.all(
      refs.map(async (ref) => {
        const informer =
          this.#followed.get(`${ref.resource}.${ref.group}`) ??
          this.#follow(ref, this.#context.informers.metadataOf(ref));
        await informer.synced;
        return {
          evaluator: evaluatorOf({ group: names.fill(ref.group), resource: ref.resource }, names),
          objects: informer.by('namespace', namespaceOf(quota)),
        };
      }),
    );
  }

  /** The kinds that these resources measure; object counts need a served kind. */
  async #refsOf(resources: readonly string[]): Promise<readonly ResourceRef[]> {
    const counted = resources
      .filter((r) => r.startsWith('count/') || LEGACY_COUNTS.includes(r))
      .map((r) => r.replace(/^count\//, ''));
    const others = counted.filter((r) => !OWN.some((ref) => ref.resource === r));
    if (others.length === 0) return OWN;
    const { preferred } = await this.#context.served.discovery();
    return [
      ...OWN,
      ...preferred.filter(
        (ref) => !isUncounted(ref) && others.includes(ref.group === '' ? ref.resource : `${ref.resource}.${ref.group}`),
      ),
    ];
  }
}

export function startResourceQuotas(context: ControllerContext): void {
  new Counter(context);
}
