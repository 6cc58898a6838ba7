/**
 * Which node needs which object: a pod needs what it refers to on its node, a volume needs its objects wherever its
 * claim is used. Counts by target and node make a check one or two lookups.
 */
import { getOwn } from '../../std/index.ts';
import type { Names } from '../../names/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { claimOf, nodeConfigMap, podTargets, target, volumeSecrets } from './references.ts';
import type { Target, TargetType } from './references.ts';

export class NodeGraph {
  readonly #mirror: string;
  /** target → node → how many pods (or attachments, or the node itself) need it there. */
  readonly #needed = new Map<Target, Map<string, number>>();
  /** The targets of an object, so that they can be removed. */
  readonly #brought = new Map<string, { readonly node: string; readonly targets: readonly Target[] }>();
  /** volume or its secret → the claims through which nodes need it. */
  readonly #claims = new Map<Target, Map<Target, number>>();
  readonly #volumes = new Map<string, { readonly claim: Target; readonly targets: readonly Target[] }>();

  constructor(names: Names) {
    this.#mirror = names.fill('{label}/config.mirror');
  }

  upsertPod(pod: ApiObject): void {
    const node = (pod.spec as { nodeName?: string } | undefined)?.nodeName ?? '';
    // A node writes its mirror pods itself: if their references counted, a node could grant itself rights.
    const mirror = getOwn(pod.metadata.annotations, this.#mirror) !== undefined;
    this.#bring(podKey(pod), node, mirror || node === '' ? [] : [...podTargets(pod)]);
  }

  removePod(pod: ApiObject): void {
    this.#takeBack(podKey(pod));
  }

  upsertNode(node: ApiObject): void {
    const map = nodeConfigMap(node);
    this.#bring(`node ${node.metadata.name ?? ''}`, node.metadata.name ?? '', map === undefined ? [] : [map]);
  }

  removeNode(node: ApiObject): void {
    this.#takeBack(`node ${node.metadata.name ?? ''}`);
  }

  upsertAttachment(attachment: ApiObject): void {
    const name = attachment.metadata.name ?? '';
    const node = (attachment.spec as { nodeName?: string } | undefined)?.nodeName ?? '';
    this.#bring(`attachment ${name}`, node, node === '' ? [] : [target('volumeattachments', '', name)]);
  }

  removeAttachment(attachment: ApiObject): void {
    this.#takeBack(`attachment ${attachment.metadata.name ?? ''}`);
  }

  upsertVolume(volume: ApiObject): void {
    this.removeVolume(volume);
    const claim = claimOf(volume);
    if (claim === undefined) return;
    const name = volume.metadata.name ?? '';
    const targets = [target('persistentvolumes', '', name), ...volumeSecrets(volume)];
    this.#volumes.set(name, { claim, targets });
    for (const one of targets) count(this.#claims, one, claim, 1);
  }

  removeVolume(volume: ApiObject): void {
    const known = this.#volumes.get(volume.metadata.name ?? '');
    if (!known) return;
    this.#volumes.delete(volume.metadata.name ?? '');
    for (const one of known.targets) count(this.#claims, one, known.claim, -1);
  }

  /** Whether anything on this node needs the object. */
  needs(node: string, type: TargetType, namespace: string, name: string): boolean {
    const wanted = target(type, namespace, name);
    if (this.#needed.get(wanted)?.has(node)) return true;
    for (const claim of this.#claims.get(wanted)?.keys() ?? []) if (this.#needed.get(claim)?.has(node)) return true;
    return false;
  }

  /** What needs an object on a node, for explanations: `pod a/b`, `attachment x`. */
  reasons(node: string, type: TargetType, namespace: string, name: string): readonly string[] {
    const wanted = target(type, namespace, name);
    const through = new Set([wanted, ...(this.#claims.get(wanted)?.keys() ?? [])]);
    return [...this.#brought]
      .filter(([, brought]) => brought.node === node && brought.targets.some((one) => through.has(one)))
      .map(([key]) => key);
  }

  #bring(key: string, node: string, targets: readonly Target[]): void {
    this.#takeBack(key);
    if (targets.length === 0) return;
    this.#brought.set(key, { node, targets });
    for (const one of targets) count(this.#needed, one, node, 1);
  }

  #takeBack(key: string): void {
    const known = this.#brought.get(key);
    if (!known) return;
    this.#brought.delete(key);
    for (const one of known.targets) count(this.#needed, one, known.node, -1);
  }
}

const podKey = (pod: ApiObject): string => `pod ${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`;

function count(map: Map<string, Map<string, number>>, key: string, inner: string, by: 1 | -1): void {
  let counts = map.get(key);
  if (!counts) map.set(key, (counts = new Map()));
  const next = (counts.get(inner) ?? 0) + by;
  if (next > 0) counts.set(inner, next);
  else counts.delete(inner);
  if (counts.size === 0) map.delete(key);
}
