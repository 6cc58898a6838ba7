import {
  controllerRevisions,
  identityOf,
  keyOf,
  nameOf,
  namespaceOf,
  type Client,
  type ControllerRevision,
  type Draft,
  type Informer,
  type ResourceRef,
} from '../../client/index.ts';
import { isReason, selectorOfObject, type ApiObject, type LabelSelector, type objects } from '../../schema/index.ts';
import { deepEqual, getOwn, sortKeys } from '../../std/index.ts';
import { claim, controllerReference, deleteIfPresent } from '../runtime/index.ts';

type Template = objects.PodTemplateSpec;

/** An owner with a revision history: stateful sets and daemon sets. */
export interface Historied extends ApiObject {
  readonly spec: {
    readonly selector?: LabelSelector | null;
    readonly template: Template;
    readonly revisionHistoryLimit?: number;
  };
  readonly status: { readonly collisionCount?: number };
}

/** The data of a revision: the template, as a patch that restores it. Its keys are sorted, as in the reference. */
export function revisionData(template: Template): unknown {
  return sortKeys({ spec: { template: { ...template, $patch: 'replace' } } });
}

/** The template in a revision. */
export function templateOf(revision: ControllerRevision): Template {
  const { $patch: _, ...template } = (revision.data as { spec: { template: Template & { $patch?: string } } }).spec
    .template;
  return template;
}

export const holdsTemplate = (revision: ControllerRevision, template: Template): boolean =>
  deepEqual(revision.data, revisionData(template));

export const byRevision = (a: ControllerRevision, b: ControllerRevision): number => a.revision - b.revision;

export type RevisionStep =
  | { readonly do: 'keep'; readonly revision: ControllerRevision }
  /** An earlier template is used again: its revision becomes the newest. */
  | { readonly do: 'renumber'; readonly revision: ControllerRevision; readonly number: number }
  | { readonly do: 'create'; readonly number: number };

/** How the newest revision gets the owner's template. */
export function planRevision(template: Template, revisions: readonly ControllerRevision[]): RevisionStep {
  const sorted = [...revisions].sort(byRevision);
  const newest = sorted.at(-1);
  const equal = sorted.filter((revision) => holdsTemplate(revision, template)).at(-1);
  const number = (newest?.revision ?? 0) + 1;
  if (!equal) return { do: 'create', number };
  return equal === newest ? { do: 'keep', revision: equal } : { do: 'renumber', revision: equal, number };
}

/** Revisions beyond the history limit, except those in use, oldest first. */
export function surplusRevisions(
  revisions: readonly ControllerRevision[],
  inUse: ReadonlySet<string>,
  limit: number,
): ControllerRevision[] {
  const idle = revisions.filter((revision) => !inUse.has(nameOf(revision))).sort(byRevision);
  return idle.slice(0, Math.max(0, idle.length - limit));
}

export interface HistoryOptions<T extends Historied> {
  readonly client: Client;
  readonly cache: Informer<ControllerRevision>;
  readonly ownerRef: ResourceRef<T>;
  /** The label that holds a revision's hash. */
  readonly hashLabel: string;
  /** How the newest revision gets the owner's template. */
  readonly plan: typeof planRevision;
  /** The hash in the name of a new revision of the owner's template. */
  readonly hash: (owner: T) => string;
}

/** The revisions of one kind of owner. */
export class History<T extends Historied> {
  readonly #options: HistoryOptions<T>;

  constructor(options: HistoryOptions<T>) {
    this.#options = options;
  }

  of(owner: T): Promise<ControllerRevision[]> {
    const { client, cache, ownerRef } = this.#options;
    const candidates = cache.by('namespace', namespaceOf(owner));
    return claim(
      { client, ref: controllerRevisions, cache, owner, ownerRef },
      selectorOfObject(owner.spec.selector),
      candidates,
    );
  }

  hashOf(revision: ControllerRevision): string {
    return getOwn(revision.metadata.labels, this.#options.hashLabel) ?? '';
  }

  /**
   * Ensures that the newest revision has the owner's template; returns all revisions and that one. `revisions` are the
   * existing ones, if known. Throws on a collision after incrementing the count with `collided`.
   */
  async sync(
    owner: T,
    collided: (count: number) => Promise<void>,
    revisions?: readonly ControllerRevision[],
  ): Promise<{ readonly newest: ControllerRevision; readonly all: readonly ControllerRevision[] }> {
    const all = revisions ?? (await this.of(owner));
    const step = this.#options.plan(owner.spec.template, all);
    if (step.do === 'keep') return { newest: step.revision, all };
    if (step.do === 'create') {
      const newest = await this.#create(owner, step.number, collided);
      return { newest, all: [...all, newest] };
    }
    const newest = await this.#options.client
      .of(controllerRevisions)
      .update({ ...step.revision, revision: step.number });
    await this.#options.cache.until(keyOf(newest), (seen) => seen?.revision === step.number);
    return { newest, all: all.map((revision) => (revision === step.revision ? newest : revision)) };
  }

  async truncate(owner: T, revisions: readonly ControllerRevision[], inUse: ReadonlySet<string>): Promise<void> {
    for (const revision of surplusRevisions(revisions, inUse, owner.spec.revisionHistoryLimit ?? 10)) {
      await deleteIfPresent(this.#options.client, controllerRevisions, revision);
    }
  }

  async #create(owner: T, revision: number, collided: (count: number) => Promise<void>): Promise<ControllerRevision> {
    const { client, cache } = this.#options;
    const draft = this.#draft(owner, revision);
    try {
      const made = await client.of(controllerRevisions).create(draft);
      await cache.until(keyOf(made), (seen) => seen !== undefined);
      return made;
    } catch (problem) {
      if (!isReason(problem, 'AlreadyExists')) throw problem;
      const taken = await client.of(controllerRevisions).get(draft.metadata?.name ?? '', owner.metadata.namespace);
      if (deepEqual(taken.data, draft.data)) return taken;
      await collided((owner.status.collisionCount ?? 0) + 1);
      throw problem;
    }
  }

  #draft(owner: T, revision: number): Draft<ControllerRevision> {
    const { client, ownerRef, hashLabel } = this.#options;
    const hash = this.#options.hash(owner);
    const { name, namespace } = identityOf(owner);
    const { annotations } = owner.metadata;
    return {
      metadata: {
        name: `${name.slice(0, 223)}-${hash}`,
        namespace,
        labels: { ...owner.spec.template.metadata?.labels, [hashLabel]: hash },
        ...(annotations ? { annotations } : {}),
        ownerReferences: [controllerReference(owner, ownerRef, client.names)],
      },
      data: revisionData(owner.spec.template),
      revision,
    };
  }
}
