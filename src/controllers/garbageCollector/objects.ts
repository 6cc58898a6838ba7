import type { Client, DiscoveredResource } from '../../client/index.ts';
import { found, isReason, type ApiObject } from '../../schema/index.ts';
import { isConflict } from '../runtime/index.ts';
import type { Served } from '../runtime/served.ts';
import type { Identity } from './graph.ts';

const PATCH_ATTEMPTS = 5;

/** Objects of any kind by identity. */
export class AnyObjects {
  readonly #client: Client;
  readonly #served: Served;

  constructor(client: Client, served: Served) {
    this.#client = client;
    this.#served = served;
  }

  /** The resource of a kind. Throws if it is not served (yet): its definition may come later. */
  resourceOf(apiVersion: string, kind: string): Promise<DiscoveredResource> {
    return this.#served.resourceOf(apiVersion, kind);
  }

  /** The object's metadata; undefined if there is no object of that name and uid. */
  async get(identity: Identity): Promise<ApiObject | undefined> {
    const resource = await this.resourceOf(identity.apiVersion, identity.kind);
    const object = await found(this.#client.metadataOf(resource).get(identity.name, identity.namespace));
    return object?.metadata.uid === identity.uid ? object : undefined;
  }

  async delete(identity: Identity, propagationPolicy: 'Orphan' | 'Foreground' | 'Background'): Promise<void> {
    const resource = await this.resourceOf(identity.apiVersion, identity.kind);
    await this.#client
      .of(resource)
      .delete(targetOf(identity), { propagationPolicy, preconditions: { uid: identity.uid } });
  }

  /** Removes the references to these owners; does nothing if the object was deleted. */
  async disown(identity: Identity, owners: readonly string[]): Promise<void> {
    const isLost = (uid: string): boolean => owners.includes(uid);
    await this.#changeOwners(identity, (references) => references.filter((reference) => !isLost(reference.uid)));
  }

  /** Sets all owner references of the object to non-blocking. */
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

  /** A merge patch works for every kind, including custom ones; the revision in it detects concurrent writes. */
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
