import { keyOf, type PersistentVolume, type PersistentVolumeClaim } from '../client/index.ts';

/** Volumes and claims that are being bound for a pod: others must not use them until the caches contain the binding. */
export class AssumedVolumes {
  /** Claim by volume name. */
  readonly #claimOf = new Map<string, string>();
  /** Node by claim, for claims whose volume is provisioned at their pod's node. */
  readonly #nodeOf = new Map<string, string>();

  assume(bindings: Bindings, node: string): void {
    for (const { claim, volume } of bindings) {
      this.#nodeOf.set(keyOf(claim), node);
      if (volume) this.#claimOf.set(volume.metadata.name ?? '', keyOf(claim));
    }
  }

  forget(bindings: Bindings): void {
    for (const { claim, volume } of bindings) {
      this.#nodeOf.delete(keyOf(claim));
      if (volume) this.#claimOf.delete(volume.metadata.name ?? '');
    }
  }

  /** Whether a volume is reserved for another claim. */
  isTaken(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
    const taker = this.#claimOf.get(volume.metadata.name ?? '');
    return taker !== undefined && taker !== keyOf(claim);
  }

  /** The node for which a claim's volume is being bound. */
  nodeOf(claim: PersistentVolumeClaim): string | undefined {
    return this.#nodeOf.get(keyOf(claim));
  }
}

/** How each delayed claim gets its volume on a node: an existing one, or one to be provisioned there. */
export type Bindings = readonly {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume | undefined;
}[];
