/**
 * Attachments: each volume of a storage driver that a pod on a node uses has a VolumeAttachment, on which the driver's own
 * attacher acts; what is attached is told in the node's status. An attachment that no pod needs goes when the node no
 * longer has the volume in use.
 *
 * Watches pods, nodes, claims, volumes and attachments.
 */
import {
  keyOf,
  nodes as nodesRef,
  persistentVolumeClaims,
  persistentVolumes,
  pods as podsRef,
  volumeAttachments,
  type Informer,
  type Node,
  type PersistentVolume,
  type Pod,
  type VolumeAttachment,
} from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { isReason } from '../../schema/index.ts';
import { deepEqual, inOneTurn, toHex } from '../../std/index.ts';
import { isFinished, wakeOn, type ControllerContext } from '../runtime/index.ts';
import { claimsOf } from './protection.ts';

type Volume = PersistentVolume;
type Attached = NonNullable<Node['status']['volumesAttached']>[number];

/** The name under which a node's status tells of a driver's volume. */
export function attachedName(volume: Volume, names: Names): string {
  const { driver = '', volumeHandle = '' } = volume.spec.csi ?? {};
  return `${names.fill('{label}/csi')}/${driver}^${volumeHandle}`;
}

/** The name of a volume's attachment to a node: a digest, so that asking twice makes one. */
export async function attachmentName(volume: Volume, node: string): Promise<string> {
  const { driver = '', volumeHandle = '' } = volume.spec.csi ?? {};
  const bytes = new TextEncoder().encode(`${volumeHandle}${driver}${node}`);
  const digest = new Uint8Array(await inOneTurn(() => crypto.subtle.digest('SHA-256', bytes)));
  return `csi-${toHex(digest)}`;
}

export interface AttachmentPlan {
  readonly attach: readonly Volume[];
  readonly detach: readonly VolumeAttachment[];
  /** What the node's status should tell. */
  readonly attached: readonly Attached[];
}

/** What is to be attached to a node, detached from it and told of it. `wanted` are the volumes that its pods use. */
export function planAttachments(
  node: Node | undefined,
  wanted: readonly Volume[],
  attachments: readonly VolumeAttachment[],
  names: Names,
  volumeOf: (name: string) => Volume | undefined,
): AttachmentPlan {
  const sourceOf = ({ spec }: VolumeAttachment): string => spec.source.persistentVolumeName ?? '';
  const isWanted = (name: string): boolean => wanted.some(({ metadata }) => metadata.name === name);
  const inUse = new Set(node?.status.volumesInUse ?? []);
  const attached = attachments.filter(({ status }) => status?.attached).flatMap((a) => volumeOf(sourceOf(a)) ?? []);
  const isInUse = (name: string): boolean => {
    const volume = volumeOf(name);
    return volume !== undefined && inUse.has(attachedName(volume, names));
  };
  return {
    attach: wanted.filter(({ metadata }) => !attachments.some((a) => sourceOf(a) === metadata.name)),
    detach: attachments.filter((a) => !isWanted(sourceOf(a)) && !isInUse(sourceOf(a))),
    attached: attached.map((volume) => ({ name: attachedName(volume, names), devicePath: '' })),
  };
}

class Attachments {
  readonly #context: ControllerContext;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #attachments: Informer<VolumeAttachment>;

  constructor(context: ControllerContext) {
    const { informers } = context;
    this.#context = context;
    this.#pods = informers.of(podsRef);
    this.#nodes = informers.of(nodesRef);
    this.#attachments = informers.of(volumeAttachments);
    this.#pods.addIndex('node', (pod) => (pod.spec.nodeName ? [pod.spec.nodeName] : []));
    this.#pods.addIndex('claim', claimsOf);
    this.#attachments.addIndex('node', ({ spec }) => [spec.nodeName]);
    const loop = context.loop({ reconcile: (node) => this.#reconcile(node) });
    const nodeOf = (pod: Pod): string[] => (pod.spec.nodeName && claimsOf(pod).length > 0 ? [pod.spec.nodeName] : []);
    wakeOn(loop, this.#pods, nodeOf);
    wakeOn(loop, this.#attachments, ({ spec }) => [spec.nodeName]);
    wakeOn(loop, informers.of(persistentVolumeClaims), (claim) => this.#pods.by('claim', keyOf(claim)).flatMap(nodeOf));
    informers.of(persistentVolumes);
    this.#nodes.on({
      changed: (node, old) => {
        if (!deepEqual(node.status.volumesInUse, old.status.volumesInUse)) loop.add(node.metadata.name ?? '');
      },
    });
  }

  async #reconcile(name: string): Promise<void> {
    const { informers, names, client } = this.#context;
    const node = this.#nodes.get(name);
    const volumes = informers.of(persistentVolumes);
    const wanted = node && this.#isManaged(node) ? this.#wanted(name) : [];
    const existing = this.#attachments.by('node', name);
    const plan = planAttachments(node, wanted, existing, names, (volume) => volumes.get(volume));
    for (const volume of plan.attach) await this.#attach(volume, name);
    for (const attachment of plan.detach) {
      if (attachment.metadata.deletionTimestamp === undefined)
        await ignoring('NotFound', client.of(volumeAttachments).delete(attachment));
    }
    if (node) await this.#tell(node, plan.attached);
  }

  /** Only nodes that leave attaching to the controller. */
  #isManaged({ metadata }: Node): boolean {
    const annotation = this.#context.names.fill('volumes.{label}/controller-managed-attach-detach');
    return metadata.annotations?.[annotation] === 'true';
  }

  #wanted(node: string): Volume[] {
    const { informers } = this.#context;
    const running = this.#pods.by('node', node).filter((pod) => !isFinished(pod));
    const claims = new Set(running.flatMap(claimsOf));
    const volumes = Array.from(claims, (key) => informers.of(persistentVolumeClaims).get(key)?.spec.volumeName ?? '');
    return volumes
      .flatMap((name) => informers.of(persistentVolumes).get(name) ?? [])
      .filter(({ spec }) => spec.csi !== undefined);
  }

  async #attach(volume: Volume, node: string): Promise<void> {
    const spec = {
      attacher: volume.spec.csi?.driver ?? '',
      nodeName: node,
      source: { persistentVolumeName: volume.metadata.name ?? '' },
    };
    const metadata = { name: await attachmentName(volume, node) };
    await ignoring('AlreadyExists', this.#context.client.of(volumeAttachments).create({ metadata, spec }));
  }

  async #tell(node: Node, attached: readonly Attached[]): Promise<void> {
    const before = node.status.volumesAttached ?? [];
    if (deepEqual(before, attached)) return;
    const status = { volumesAttached: attached };
    await ignoring(
      'NotFound',
      this.#context.client.of(nodesRef).patch(node, 'merge', { status }, { subresource: 'status' }),
    );
    for (const { name } of attached) if (!before.some((known) => known.name === name)) this.#announce(node, name);
  }

  /** Tells the pods that waited for a volume. */
  #announce(node: Node, attached: string): void {
    const { informers, names, recorder } = this.#context;
    for (const pod of this.#pods.by('node', node.metadata.name ?? ''))
      for (const claim of claimsOf(pod)) {
        const volumeName = informers.of(persistentVolumeClaims).get(claim)?.spec.volumeName ?? '';
        const volume = informers.of(persistentVolumes).get(volumeName);
        if (!volume || attachedName(volume, names) !== attached) continue;
        const message = `AttachVolume.Attach succeeded for volume ${JSON.stringify(volumeName)} `;
        recorder.record(pod, 'Normal', 'SuccessfulAttachVolume', message);
      }
  }
}

async function ignoring(reason: 'NotFound' | 'AlreadyExists', write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (problem) {
    if (!isReason(problem, reason)) throw problem;
  }
}

export function startAttachDetach(context: ControllerContext): void {
  new Attachments(context);
}
