/**
 * Attachments: each volume of a storage driver that a pod on a node uses has a VolumeAttachment for the driver's
 * attacher. The node's status lists the attached volumes. An unneeded attachment is deleted when the node no longer
 * uses the volume, or after six minutes, because a node that is off can't report. Drivers without attachment have none.
 * A volume for one node waits until another node has released it. Failures are events of each waiting pod.
 *
 * Watches pods, nodes, claims, volumes, drivers and attachments.
 */
import {
  csiDrivers,
  keyOf,
  nameOf,
  nodes as nodesRef,
  persistentVolumeClaims,
  persistentVolumes,
  pods as podsRef,
  type Informer,
  type Node,
  type PersistentVolume,
  type Pod,
  type VolumeAttachment,
  uidOf,
  volumeAttachments,
} from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { found, attachedVolumeName, isReason, timeOf } from '../../schema/index.ts';
import { deepEqual, inOneTurn, toHex } from '../../std/index.ts';
import { isFinished, wakeOn, type ControllerContext } from '../runtime/index.ts';
import { claimsOf } from './protection.ts';

type Volume = PersistentVolume;
type Attached = NonNullable<Node['status']['volumesAttached']>[number];

/** The name of a volume's attachment to a node: a digest, so that it is unique. */
export async function attachmentName(volume: Volume, node: string): Promise<string> {
  const { driver = '', volumeHandle = '' } = volume.spec.csi ?? {};
  const bytes = new TextEncoder().encode(`${volumeHandle}${driver}${node}`);
  const digest = new Uint8Array(await inOneTurn(() => crypto.subtle.digest('SHA-256', bytes)));
  return `csi-${toHex(digest)}`;
}

/** Milliseconds after which an attachment without a result has failed. */
const ATTACH_TIMEOUT = 120_000;
/** Milliseconds after which an unneeded volume is detached although its node reports that it uses it. */
const FORCED_AFTER = 360_000;
/** Milliseconds until an event repeats a problem; doubled each time. */
const [FIRST_REPEAT, LONGEST_REPEAT] = [500, 122_000];

/** Why a volume is not attached, for the event; undefined while its attacher may still respond. */
export function attachProblem(volume: Volume, { metadata, status }: VolumeAttachment, now: number): string | undefined {
  if (status?.attached) return undefined;
  const what = `AttachVolume.Attach failed for volume ${JSON.stringify(nameOf(volume))} : `;
  if (status?.attachError) return what + (status.attachError.message ?? '');
  const age = now - (timeOf(metadata.creationTimestamp) ?? now);
  return age < ATTACH_TIMEOUT ? undefined : `${what}attachment timeout for volume ${volume.spec.csi?.volumeHandle}`;
}

/** The name of the attached volume. */
const sourceOf = ({ spec }: VolumeAttachment): string => spec.source.persistentVolumeName ?? '';

/** Whether only one node may use the volume. */
export const isForOneNode = ({ spec }: Volume): boolean => {
  const modes = spec.accessModes ?? [];
  return modes.length > 0 && !modes.includes('ReadWriteMany') && !modes.includes('ReadOnlyMany');
};

export interface AttachmentPlan {
  readonly attach: readonly Volume[];
  readonly detach: readonly VolumeAttachment[];
  /** Unneeded attachments that the node still reports as in use. */
  readonly held: readonly VolumeAttachment[];
  /** The volumes that the node's status should list. */
  readonly attached: readonly Attached[];
}

/**
 * The volumes to attach to and detach from a node, and the list for its status. `wanted` are the volumes that its pods
 * use.
 */
export function planAttachments(
  node: Node | undefined,
  wanted: readonly Volume[],
  attachments: readonly VolumeAttachment[],
  names: Names,
  volumeOf: (name: string) => Volume | undefined,
): AttachmentPlan {
  const isWanted = (name: string): boolean => wanted.some(({ metadata }) => metadata.name === name);
  const inUse = new Set(node?.status.volumesInUse ?? []);
  const attached = attachments.filter(({ status }) => status?.attached).flatMap((a) => volumeOf(sourceOf(a)) ?? []);
  const isInUse = (name: string): boolean => {
    const volume = volumeOf(name);
    return volume !== undefined && inUse.has(attachedVolumeName(volume, names));
  };
  const unwanted = attachments.filter((a) => !isWanted(sourceOf(a)));
  return {
    attach: wanted.filter(({ metadata }) => !attachments.some((a) => sourceOf(a) === metadata.name)),
    detach: unwanted.filter((a) => !isInUse(sourceOf(a))),
    held: unwanted.filter((a) => isInUse(sourceOf(a))),
    attached: attached.map((volume) => ({ name: attachedVolumeName(volume, names), devicePath: '' })),
  };
}

/** A problem that was reported in an event. */
interface ReportedProblem {
  readonly problem: string;
  /** When it is reported again. */
  readonly again: number;
  readonly wait: number;
}

const soonest = (...times: readonly (number | undefined)[]): number | undefined => {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
};

class Attachments {
  readonly #context: ControllerContext;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #attachments: Informer<VolumeAttachment>;
  /** The reported problems, by the uid of a pod and the name of a volume. */
  readonly #said = new Map<string, Map<string, ReportedProblem>>();
  /** Since when an attachment that its node still uses is unneeded, by the attachment's uid. */
  readonly #unwantedSince = new Map<string, number>();
  /** Nodes that wait for a volume that another node has. */
  readonly #blocked = new Map<string, Set<string>>();

  constructor(context: ControllerContext) {
    const { informers } = context;
    this.#context = context;
    this.#pods = informers.of(podsRef);
    this.#nodes = informers.of(nodesRef);
    this.#attachments = informers.of(volumeAttachments);
    this.#pods.addIndex('node', (pod) => (pod.spec.nodeName ? [pod.spec.nodeName] : []));
    this.#pods.addIndex('claim', claimsOf);
    this.#attachments.addIndex('node', ({ spec }) => [spec.nodeName]);
    this.#attachments.addIndex('volume', (attachment) => [sourceOf(attachment)]);
    const loop = context.loop({ reconcile: (node) => this.#reconcile(node) });
    const nodeOf = (pod: Pod): string[] => (pod.spec.nodeName && claimsOf(pod).length > 0 ? [pod.spec.nodeName] : []);
    wakeOn(loop, this.#pods, nodeOf);
    wakeOn(loop, this.#attachments, ({ spec }) => [spec.nodeName]);
    wakeOn(loop, informers.of(persistentVolumeClaims), (claim) => this.#pods.by('claim', keyOf(claim)).flatMap(nodeOf));
    informers.of(persistentVolumes);
    informers.of(csiDrivers);
    this.#pods.on({ deleted: (pod) => void this.#said.delete(uidOf(pod)) });
    this.#attachments.on({
      deleted: (attachment) => {
        this.#unwantedSince.delete(uidOf(attachment));
        const volume = sourceOf(attachment);
        for (const node of this.#blocked.get(volume) ?? []) loop.add(node);
        this.#blocked.delete(volume);
      },
    });
    this.#nodes.on({
      changed: (node, old) => {
        if (!deepEqual(node.status.volumesInUse, old.status.volumesInUse)) loop.add(nameOf(node));
      },
    });
  }

  async #reconcile(name: string): Promise<number | void> {
    const { informers, names, client } = this.#context;
    const node = this.#nodes.get(name);
    const volumes = informers.of(persistentVolumes);
    const wanted = node && this.#isManaged(node) ? this.#wanted(name) : [];
    const existing = this.#attachments.by('node', name);
    const plan = planAttachments(node, wanted, existing, names, (volume) => volumes.get(volume));
    for (const volume of plan.attach) if (!this.#isElsewhere(volume, name)) await this.#attach(volume, name);
    const { forced, next } = this.#heldTooLong(plan, existing);
    for (const attachment of [...plan.detach, ...forced]) {
      if (attachment.metadata.deletionTimestamp === undefined)
        await found(client.of(volumeAttachments).delete(attachment));
    }
    if (!node) return;
    await this.#list(node, plan.attached);
    return soonest(next, this.#sayProblems(name, wanted, existing));
  }

  /** The volumes that the node has used for too long since they became unneeded, and the delay until the next check. */
  #heldTooLong(
    { held }: AttachmentPlan,
    existing: readonly VolumeAttachment[],
  ): { readonly forced: readonly VolumeAttachment[]; readonly next: number | undefined } {
    const now = this.#context.clock.now();
    for (const attachment of existing.filter((each) => !held.includes(each)))
      this.#unwantedSince.delete(uidOf(attachment));
    const leftOf = (attachment: VolumeAttachment): number => {
      const uid = uidOf(attachment);
      const since = this.#unwantedSince.get(uid) ?? now;
      this.#unwantedSince.set(uid, since);
      return since + FORCED_AFTER - now;
    };
    const left = held.map((attachment) => ({ attachment, ms: leftOf(attachment) }));
    return {
      forced: left.flatMap(({ attachment, ms }) => (ms <= 0 ? [attachment] : [])),
      next: soonest(...left.map(({ ms }) => (ms > 0 ? ms : undefined))),
    };
  }

  /**
   * Whether another node has the single-node volume: an event of its pods says so once, and the volume is attached
   * after its release.
   */
  #isElsewhere(volume: Volume, node: string): boolean {
    const name = nameOf(volume);
    const others = this.#attachments.by('volume', name).filter(({ spec }) => spec.nodeName !== node);
    if (!isForOneNode(volume) || others.length === 0) return false;
    const waiting = this.#blocked.get(name) ?? new Set();
    this.#blocked.set(name, waiting.add(node));
    const users = others.flatMap(({ spec }) => this.#podsWith(name, spec.nodeName)).map((pod) => pod.metadata.name);
    const why = users.length
      ? `Volume is already used by pod(s) ${users.join(', ')}`
      : "Volume is already exclusively attached to one node and can't be attached to another";
    this.#warn(name, node, `Multi-Attach error for volume ${JSON.stringify(name)} ${why}`, false);
    return true;
  }

  /** Records events for failed attachments. Returns the delay until the next check. */
  #sayProblems(node: string, wanted: readonly Volume[], attachments: readonly VolumeAttachment[]): number | undefined {
    const now = this.#context.clock.now();
    let next: number | undefined;
    for (const volume of wanted) {
      const name = nameOf(volume);
      const attachment = attachments.find((each) => sourceOf(each) === name);
      if (!attachment) continue;
      if (attachment.status?.attached) {
        for (const pod of this.#podsWith(name, node)) this.#said.get(uidOf(pod))?.delete(name);
        continue;
      }
      const problem = attachProblem(volume, attachment, now);
      const left = (timeOf(attachment.metadata.creationTimestamp) ?? now) + ATTACH_TIMEOUT - now;
      next = soonest(next, left > 0 ? left : undefined);
      if (problem !== undefined) next = soonest(next, this.#warn(name, node, problem, true));
    }
    return next;
  }

  /**
   * Records an event for each pod on the node that waits for a volume. With `repeats` it is repeated with back-off,
   * like the reference's attempts. Returns the delay.
   */
  #warn(volume: string, node: string, problem: string, repeats: boolean): number | undefined {
    const { clock, recorder } = this.#context;
    const now = clock.now();
    let next: number | undefined;
    for (const pod of this.#podsWith(volume, node)) {
      const uid = uidOf(pod);
      const ofPod = this.#said.get(uid) ?? new Map<string, ReportedProblem>();
      this.#said.set(uid, ofPod);
      const said = ofPod.get(volume);
      const isKnown = said?.problem === problem;
      if (!isKnown || said.again <= now) {
        recorder.record(pod, 'Warning', 'FailedAttachVolume', problem);
        const wait = isKnown ? Math.min(said.wait * 2, LONGEST_REPEAT) : FIRST_REPEAT;
        ofPod.set(volume, { problem, again: repeats ? now + wait : Infinity, wait });
      }
      if (repeats) next = soonest(next, (ofPod.get(volume)?.again ?? now) - now);
    }
    return next;
  }

  #podsWith(volume: string, node: string): Pod[] {
    const claims = this.#context.informers.of(persistentVolumeClaims);
    const has = (pod: Pod): boolean => claimsOf(pod).some((claim) => claims.get(claim)?.spec.volumeName === volume);
    return this.#pods.by('node', node).filter((pod) => !isFinished(pod) && has(pod));
  }

  /** Whether the node leaves attaching to the controller. */
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
      .filter(({ spec }) => spec.csi !== undefined && this.#isAttachable(spec.csi.driver));
  }

  /** Drivers declare whether their volumes are attached; the default is yes. */
  #isAttachable(driver: string): boolean {
    return this.#context.informers.of(csiDrivers).get(driver)?.spec.attachRequired !== false;
  }

  async #attach(volume: Volume, node: string): Promise<void> {
    const spec = {
      attacher: volume.spec.csi?.driver ?? '',
      nodeName: node,
      source: { persistentVolumeName: nameOf(volume) },
    };
    const metadata = { name: await attachmentName(volume, node) };
    await unlessExists(this.#context.client.of(volumeAttachments).create({ metadata, spec }));
  }

  async #list(node: Node, attached: readonly Attached[]): Promise<void> {
    const before = node.status.volumesAttached ?? [];
    if (deepEqual(before, attached)) return;
    const status = { volumesAttached: attached };
    await found(this.#context.client.of(nodesRef).patch(node, 'merge', { status }, { subresource: 'status' }));
    for (const { name } of attached) if (!before.some((known) => known.name === name)) this.#announce(node, name);
  }

  /** Records an event for each waiting pod that its volume is attached. */
  #announce(node: Node, attached: string): void {
    const { informers, names, recorder } = this.#context;
    for (const pod of this.#pods.by('node', nameOf(node)))
      for (const claim of claimsOf(pod)) {
        const volumeName = informers.of(persistentVolumeClaims).get(claim)?.spec.volumeName ?? '';
        const volume = informers.of(persistentVolumes).get(volumeName);
        if (!volume || attachedVolumeName(volume, names) !== attached) continue;
        const message = `AttachVolume.Attach succeeded for volume ${JSON.stringify(volumeName)} `;
        recorder.record(pod, 'Normal', 'SuccessfulAttachVolume', message);
      }
  }
}

async function unlessExists(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (problem) {
    if (!isReason(problem, 'AlreadyExists')) throw problem;
  }
}

export function startAttachDetach(context: ControllerContext): void {
  new Attachments(context);
}
