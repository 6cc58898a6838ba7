import type { Client, DiscoveredResource } from '../../client/index.ts';
import { isReason, type ApiObject } from '../../schema/index.ts';
import { isConflict } from '../runtime/index.ts';
import type { Served } from '../runtime/served.ts';
import type { Identity } from './graph.ts';

const PATCH_ATTEMPTS = 5;

/** Objects of any kind, by their identity. */
export class AnyObjects {
  readonly #client: Client;
  readonly #served: Served;

  constructor(client: Client, served: Served) {
    this.#client = client;
    this.#served = served;
  }

  /** The resource that serves a kind. Throws where there is none (yet): its definition may come later. */
  resourceOf(apiVersion: string, kind: string): Promise<DiscoveredResource> {
    return this.#served.resourceOf(apiVersion, kind);
  }

  /** The object's metadata; undefined where there is none of that name, or another one than is meant. */
  async get(identity: Identity): Promise<ApiObject | undefined> {
    const resource = await this.resourceOf(identity.apiVersion, identity.kind);
    try {
      const object = await this.#client.metadataOf(resource).get(identity.name, identity.namespace);
      return object.metadata.uid === identity.uid ? object : undefined;
    } catch (problem) {
      if (isReason(problem, 'NotFound')) return undefined;
      throw problem;
    }
  }

  async delete(identity: Identity, propagationPolicy: 'Orphan' | 'Foreground' | 'Background'): Promise<void> {
    const resource = await this.resourceOf(identity.apiVersion, identity.kind);
    await this.#client
      .of(resource)
      .delete(targetOf(identity), { propagationPolicy, preconditions: { uid: identity.uid } });
  }

  /** Takes references to these owners away; nothing where the object is gone. */
  async disown(identity: Identity, owners: readonly string[]): Promise<void> {
    const isLost = (uid: string): boolean => owners.includes(uid);
    await this.#changeOwners(identity, (references) => references.filter((reference) => !isLost(reference.uid)));
  }

  /** Lets no owner wait for this object any more. */
  async unblock(identity: Identity): Promise<void> {
    await this.#changeOwners(identity, (references) =>
      references.map((reference) => ({ ...reference, blockOwnerDeletion: false })),
    );
  }

  async removeFinalizer(identity: Identity, finalizer: string): Promise<void> {
    await this.#patch(identity, ({ metadata }) => {
      const { finalizers = [], resourceVersion } = metadata;
      if (!finalizers.includes(finalizer)) return undefined;
      return { resourceVersion, finalizers: finalizers.filter((f) => f !== finalizer) };
    });
  }

  #changeOwners(
    identity: Identity,
    change: (references: NonNullable<ApiObject['metadata']['ownerReferences']>) => unknown,
  ): Promise<void> {
    return this.#patch(identity, ({ metadata }) => {
      const { ownerReferences = [], resourceVersion, uid } = metadata;
      return { resourceVersion, uid, ownerReferences: change(ownerReferences) };
    });
  }

  /** A merge patch works for every kind, custom ones too; the revision in it guards what others wrote meanwhile. */
  async #patch(identity: Identity, metadata: (latest: ApiObject) => unknown): Promise<void> {
    const resource = await this.resourceOf(identity.apiVersion, identity.kind);
    for (let attempt = 1; ; attempt++) {
      const latest = await this.get(identity);
      const change = latest && metadata(latest);
      if (change === undefined) return;
      try {
        await this.#client.of(resource).patch(targetOf(identity), 'merge', { metadata: change });
        return;
      } catch (problem) {
        if (isReason(problem, 'NotFound')) return;
        if (!isConflict(problem) || attempt === PATCH_ATTEMPTS) throw problem;
      }
    }
  }
}

function targetOf({ namespace, name }: Identity): { metadata: { namespace: string; name: string } } {
  return { metadata: { namespace, name } };
}
