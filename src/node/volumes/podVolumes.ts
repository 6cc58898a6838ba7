import {
  csiDrivers,
  persistentVolumeClaims,
  persistentVolumes,
  serviceAccounts,
  type Client,
  type EventRecorder,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
} from '../../client/index.ts';
import { found, attachedVolumeName, quantityOf, timeOf, type ApiObject, type objects } from '../../schema/index.ts';
import { Device, Tree, type DirectoryNode, type FileNode } from '../../programs/index.ts';
import { inBackground, type Clock, type Timer } from '../../std/index.ts';
import type { Names } from '../../names/index.ts';
import type { Whereabouts } from '../pod/references.ts';
import type { Keeper } from '../keeping/keeper.ts';
import { restoreTree, textOfTree } from '../keeping/trees.ts';
import { AtomicVolume } from './atomic.ts';
import { hostNode, hostTreeOf } from './hostFiles.ts';
import type { Cache, ObjectCache, Watched } from './objectCache.ts';
import type { NodeAttachments } from './attachments.ts';
import { ClaimProblem, NotAttached, payloadOf, VolumeProblem, type Sources } from './projections.ts';

/** What the volumes of all pods of a node need. */
export interface VolumesEnvironment {
  readonly client: Client;
  readonly clock: Clock;
  readonly now: () => number;
  readonly objects: ObjectCache;
  /** Trees that outlive a pod, by key: `node:node-1`, `volume:pv-1`. */
  readonly kept: Map<string, Tree>;
  readonly keeper: Keeper;
  readonly keepVolumes: () => void;
  readonly recorder: EventRecorder;
  readonly node: string;
  readonly names: Names;
  readonly attachments: NodeAttachments;
  /** Starts the simulated storage drivers. */
  readonly startDrivers: () => void;
}

/** The pod whose volumes they are. */
export interface VolumesOwner {
  where(): Whereabouts;
  onProblem(problem: unknown): void;
}

/** What a pod waits for before its first container. */
export interface Unready {
  /** The reasons, for events. */
  readonly problems: readonly string[];
  /** The missing volumes. */
  readonly volumes: readonly string[];
}

/** A volume for mounting into containers. */
export interface Mounted {
  /** A host path volume may be a single file. */
  readonly root: DirectoryNode | FileNode;
  readonly tree: Tree;
  readonly readOnly: boolean;
}

interface IssuedToken {
  readonly token: string;
  readonly expirationTimestamp: string;
}

/** The key of a volume's saved files. */
export const keyOfVolume = (name: string): string => `${VOLUMES}${name}`;
export const VOLUMES = 'volume:';

const NOT_WHOLE =
  'The volume has too many files, or too large ones: what goes beyond about 1 MiB, 10000 files or paths of 1024 characters is gone after a reload';
const NO_ROOM =
  'There is no room for the files of the volume: 6 MiB are kept of all volumes, and what has changed in this one is gone after a reload';

const GB = 1024 ** 3;
const PLAIN = ['configMap', 'secret', 'downwardAPI', 'projected'] as const;
/** The fraction of a token's lifetime after which it is replaced. */
const ROTATES_AT = 0.8;
/** The minimum of milliseconds between two token requests. */
const RENEWS_EVERY = 10_000;

const NONE: readonly Watched[] = [];

/** The volumes of one pod: set up before its first container, kept up to date until its containers have ended. */
export class PodVolumes {
  readonly #setup: VolumesEnvironment;
  readonly #owner: VolumesOwner;
  // Few pods have all of the following, so that the collections are made for those that do.
  #mounted: Map<string, Mounted> | undefined;
  /** The config maps and secrets that it watches. */
  #watched: readonly Watched[] = NONE;
  #timers: Set<Timer> | undefined;
  /** Volumes reported as in use, by their names on the node. */
  #uses: Map<string, () => void> | undefined;
  #tokens: Map<string, { readonly token: string; readonly renewAt: number }> | undefined;
  /** The number of reported changes that may affect files. */
  #changes = 0;
  #stopped = false;

  constructor(setup: VolumesEnvironment, owner: VolumesOwner) {
    this.#setup = setup;
    this.#owner = owner;
  }

  get(name: string): Mounted | undefined {
    return this.#mounted?.get(name);
  }

  #put(name: string, mounted: Mounted): void {
    (this.#mounted ??= new Map()).set(name, mounted);
  }

  /** The source of config maps and secrets in the pod's namespace. */
  get sources(): Sources {
    return {
      where: () => this.#owner.where(),
      configMap: (name) => this.#watch(this.#setup.objects.configMaps, name),
      secret: (name) => this.#watch(this.#setup.objects.secrets, name),
      token: (source) => this.#token(source),
    };
  }

  /** Sets up missing volumes; resolves to those that failed, and why. */
  async prepare(): Promise<Unready | undefined> {
    const problems: string[] = [];
    const claims: string[] = [];
    const volumes: string[] = [];
    for (const volume of this.#pod.spec.volumes ?? []) {
      try {
        await this.#prepareOne(volume);
      } catch (problem) {
        volumes.push(volume.name);
        if (problem instanceof ClaimProblem) claims.push(problem.message);
        else if (!(problem instanceof NotAttached))
          problems.push(`MountVolume.SetUp failed for volume ${JSON.stringify(volume.name)} : ${messageOf(problem)}`);
      }
    }
    if (volumes.length === 0) return undefined;
    if (claims.length > 0) problems.push(this.unmountedText(volumes, claims.join('; ')));
    return { problems, volumes };
  }

  /** The event text for missing volumes. Until all are mounted, all of a pod's volumes count as not attached. */
  unmountedText(unmounted: readonly string[], why: string): string {
    const all = (this.#pod.spec.volumes ?? []).map(({ name }) => name);
    const lists = `unmounted volumes=[${unmounted.join(' ')}], unattached volumes=[${all.join(' ')}]`;
    return `Unable to attach or mount volumes: ${lists}: ${why}`;
  }

  /** Updates the files that show the pod's labels and annotations. */
  refresh(): void {
    this.#changes++;
    const isAtomic = [...(this.#mounted?.values() ?? [])].some((mounted) => mounted instanceof AtomicVolume);
    if (isAtomic) inBackground(this.#writeAll(), (problem) => this.#owner.onProblem(problem));
  }

  /** Returns an `emptyDir` that exceeds its limit. */
  overLimit(): { readonly name: string; readonly limit: string } | undefined {
    for (const { name, emptyDir } of this.#pod.spec.volumes ?? []) {
      const limit = emptyDir?.sizeLimit;
      if (!limit) continue;
      const used = this.get(name)?.tree.device.used ?? 0;
      if (quantityOf(limit).sign > 0 && used > quantityOf(limit).value()) return { name, limit: String(limit) };
    }
    return undefined;
  }

  /** Stops updating files and releases the volumes that were attached for the pod. */
  stop(): void {
    this.#stopped = true;
    for (const watched of this.#watched) watched.leave(this);
    for (const release of this.#uses?.values() ?? []) release();
    this.#watched = NONE;
    this.#uses = undefined;
    for (const timer of this.#timers ?? []) this.#setup.clock.clearTimeout(timer);
  }

  get #pod(): Pod {
    return this.#owner.where().pod;
  }

  async #prepareOne(volume: objects.Volume): Promise<void> {
    if (PLAIN.some((kind) => volume[kind] !== undefined)) return this.#writeAtomic(volume);
    if (this.get(volume.name)) return;
    const { emptyDir, hostPath, persistentVolumeClaim } = volume;
    if (emptyDir) this.#mount(volume.name, this.#emptyDirectory(emptyDir));
    else if (hostPath) this.#mountHost(volume.name, hostPath);
    else if (persistentVolumeClaim) await this.#mountClaim(volume.name, persistentVolumeClaim);
    else this.#mount(volume.name, this.#tree('ext4', 10 * GB));
  }

  async #writeAtomic(volume: objects.Volume): Promise<void> {
    const files = await this.#latestPayload(volume);
    const isSecret = volume.secret !== undefined || volume.projected !== undefined;
    const known = this.get(volume.name);
    const found =
      known instanceof AtomicVolume
        ? known
        : new AtomicVolume(this.#device(isSecret ? 'tmpfs' : 'ext4', GB), this.#setup.now);
    found.write(files);
    this.#put(volume.name, found);
  }

  /**
   * The files as of the last change: a change while they are collected may be missing from them, and is not reported
   * again.
   */
  async #latestPayload(volume: objects.Volume): ReturnType<typeof payloadOf> {
    for (;;) {
      const changes = this.#changes;
      const files = await payloadOf(volume, this.sources);
      if (changes === this.#changes) return files;
    }
  }

  async #writeAll(): Promise<void> {
    for (const volume of this.#pod.spec.volumes ?? []) {
      if (this.#stopped || !(this.get(volume.name) instanceof AtomicVolume)) continue;
      try {
        await this.#writeAtomic(volume);
      } catch (problem) {
        // A mounted volume stays unchanged while its source is missing.
        if (!(problem instanceof VolumeProblem)) throw problem;
      }
    }
  }

  #mount(name: string, tree: Tree, readOnly = false): void {
    const group = this.#pod.spec.securityContext?.fsGroup;
    if (group !== undefined && !readOnly) Object.assign(tree.root, { gid: group, mode: tree.root.mode | 0o2070 });
    this.#put(name, { root: tree.root, tree, readOnly });
  }

  #mountHost(name: string, { path, type }: objects.HostPathVolumeSource, readOnly = false): void {
    const { kept, node, names, now } = this.#setup;
    const tree = hostTreeOf(kept, node, names, now);
    this.#put(name, { root: hostNode(tree, path, type ?? ''), tree, readOnly });
  }

  /** The limit does not refuse writes: a pod that exceeds it is evicted. */
  #emptyDirectory({ medium }: objects.EmptyDirVolumeSource): Tree {
    return this.#tree(medium === 'Memory' ? 'tmpfs' : 'ext4', Infinity);
  }

  async #mountClaim(name: string, { claimName, readOnly }: objects.PersistentVolumeClaimVolumeSource): Promise<void> {
    const { namespace } = this.#pod.metadata;
    const claim = await this.#claim(namespace, claimName);
    const problem = claimProblem(claim, claimName, this.#pod.status.podIP !== undefined);
    if (!claim || problem !== undefined)
      throw new ClaimProblem(`error processing PVC ${namespace}/${claimName}: ${problem}`);
    const { volumeName = '' } = claim.spec;
    const volume = await found(this.#setup.client.of(persistentVolumes).get(volumeName));
    if (volume?.spec.csi) await this.#waitForAttachment(volume, volume.spec.csi.driver);
    const path = pathOfNode(volume);
    if (path) this.#mountHost(name, path, readOnly);
    else this.#mount(name, this.#kept(volumeName, claim), readOnly ?? false);
  }

  /** A driver's volume is mounted when the node's status lists it as attached; some drivers need no attaching. */
  async #waitForAttachment(volume: PersistentVolume, driverName: string): Promise<void> {
    const { client, attachments, names, startDrivers } = this.#setup;
    const driver = await found(client.of(csiDrivers).get(driverName));
    if (driver?.spec.attachRequired === false || this.#stopped) return;
    const name = attachedVolumeName(volume, names);
    this.#uses ??= new Map();
    if (!this.#uses.has(name)) this.#uses.set(name, attachments.use(name));
    startDrivers();
    if (!attachments.isAttached(name)) throw new NotAttached();
  }

  #claim(namespace: string, name: string): Promise<PersistentVolumeClaim | undefined> {
    return found(this.#setup.client.of(persistentVolumeClaims).get(name, namespace));
  }

  #kept(volume: string, claim: PersistentVolumeClaim): Tree {
    const { kept, keepVolumes } = this.#setup;
    const key = keyOfVolume(volume);
    const known = kept.get(key);
    if (known) return known;
    const made = this.#tree('ext4', 10 * GB);
    kept.set(key, made);
    this.#keep(key, made, claim);
    keepVolumes();
    return made;
  }

  /**
   * Saves a tree so that it survives a reload. An event on the claim lists unsaved files, once until everything fits
   * again.
   */
  #keep(key: string, tree: Tree, claim: PersistentVolumeClaim): void {
    const { keeper, recorder } = this.#setup;
    let said: string | undefined;
    const say = (problem: string | undefined): void => {
      if (problem !== undefined && problem !== said) recorder.record(claim, 'Warning', 'FilesNotKept', problem);
      said = problem;
    };
    const text = (): string => {
      const { text: kept, isWhole } = textOfTree(tree);
      say(isWhole ? undefined : NOT_WHOLE);
      return kept;
    };
    restoreTree(tree, keeper.read(key) ?? '[]');
    tree.device.onChange = () => keeper.changed(key, text, () => say(NO_ROOM));
  }

  #tree(type: string, limit: number): Tree {
    return new Tree(this.#device(type, limit), this.#setup.now, 0o777);
  }

  #device(type: string, limit: number): Device {
    return new Device(type === 'tmpfs' ? 'tmpfs' : '/dev/sda1', type, limit, this.#pod.spec.securityContext?.fsGroup);
  }

  async #watch<T extends ApiObject>(cache: Cache<T>, name: string): Promise<T | undefined> {
    const { namespace } = this.#pod.metadata;
    if (!this.#stopped) {
      const watched = cache.watch(namespace, name, this);
      if (!this.#watched.includes(watched)) this.#watched = this.#watched.concat([watched]);
    }
    return cache.get(namespace, name);
  }

  /**
   * A token for this pod, replaced before it expires. If a request fails, the old token stays and another request
   * follows.
   */
  async #token(source: objects.ServiceAccountTokenProjection): Promise<string> {
    const { clock } = this.#setup;
    const key = `${source.audience ?? ''}/${source.path}`;
    const known = this.#tokens?.get(key);
    if (known && known.renewAt > clock.now()) return known.token;
    try {
      const { token, expirationTimestamp } = await this.#requestToken(source);
      const left = (timeOf(expirationTimestamp) ?? 0) - clock.now();
      return this.#keepToken(key, token, Math.max(RENEWS_EVERY, left * ROTATES_AT));
    } catch (problem) {
      if (!known) throw new VolumeProblem(`failed to fetch token: ${messageOf(problem)}`);
      this.#owner.onProblem(problem);
      return this.#keepToken(key, known.token, RENEWS_EVERY);
    }
  }

  #keepToken(key: string, token: string, ms: number): string {
    const { clock } = this.#setup;
    (this.#tokens ??= new Map()).set(key, { token, renewAt: clock.now() + ms });
    if (!this.#stopped) (this.#timers ??= new Set()).add(clock.setTimeout(() => this.refresh(), ms));
    return token;
  }

  async #requestToken({ audience, expirationSeconds }: objects.ServiceAccountTokenProjection): Promise<IssuedToken> {
    const { metadata, spec } = this.#pod;
    const target = { metadata: { namespace: metadata.namespace, name: spec.serviceAccountName ?? 'default' } };
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: metadata.name, uid: metadata.uid };
    const wanted = {
      ...(audience ? { audiences: [audience] } : {}),
      expirationSeconds: expirationSeconds ?? 3600,
      boundObjectRef,
    };
    const accounts = this.#setup.client.of(serviceAccounts);
    const { status } = await accounts.post<{ readonly status: IssuedToken }>(target, 'token', { spec: wanted });
    return status;
  }
}

const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));

/** Why a claim can't be used; undefined if it can. */
function claimProblem(claim: PersistentVolumeClaim | undefined, name: string, hasRun: boolean): string | undefined {
  if (!claim) return `failed to fetch PVC from API server: persistentvolumeclaims ${JSON.stringify(name)} not found`;
  // A pod that ran before its agent was restarted continues.
  if (claim.metadata.deletionTimestamp !== undefined && !hasRun) return 'PVC is being deleted';
  return claim.status.phase === 'Bound' ? undefined : 'PVC is not bound';
}

/** The host path of a volume. A provisioned volume represents storage that every node can reach. */
function pathOfNode(volume: PersistentVolume | undefined): objects.HostPathVolumeSource | undefined {
  const isProvisioned = Object.keys(volume?.metadata.annotations ?? {}).some((key) => key.endsWith('/provisioned-by'));
  if (!volume || isProvisioned) return undefined;
  const { hostPath, local } = volume.spec;
  return hostPath ?? (local && { path: local.path, type: 'Directory' });
}
