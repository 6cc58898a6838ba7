/**
 * The state of flow control, derived from all flow schemas and priority levels: schemas in matching order, levels with
 * their queues and their share of the server's seats. A deleted level serves its queued requests before it is removed.
 */
import { mandatoryFlowSchemas, mandatoryPriorityLevels, type objects } from '../../schema/index.ts';
import type { UserInfo } from '../../authn/index.ts';
import { must, type Clock, type Metrics } from '../../std/index.ts';
import { candidatesFor, covers, inMatchingOrder, type Candidate, type Digest, type FlowSchema } from './matching.ts';
import { LevelMetrics } from './metrics.ts';
import { QueueSet } from './queueSet.ts';

/** What flow control needs of a priority level, stored or mandatory. */
export interface PriorityLevel {
  readonly metadata: { readonly name?: string; readonly uid?: string };
  readonly spec: objects.PriorityLevelConfigurationSpec;
}

/** An active priority level. */
export interface Level {
  readonly name: string;
  readonly metrics: LevelMetrics;
  object: PriorityLevel;
  /** Undefined if the level is exempt from limits. */
  queues: QueueSet | undefined;
  /** Its object is deleted; it only serves its queued requests. */
  quiescing: boolean;
}

/** Whether the level of a schema exists. The schema's condition reports it. */
export interface Reference {
  readonly schema: FlowSchema;
  readonly level: string;
  readonly dangling: boolean;
}

interface Known {
  readonly groups: readonly string[];
  readonly candidates: readonly Candidate[];
}

/** More than there are nodes in the largest clusters. */
const MOST_KNOWN = 10_000;

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((one, i) => one === b[i]));

export interface LevelsOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** The number of requests that the whole server runs concurrently. */
  readonly concurrency: number;
  /** Milliseconds. */
  readonly waitLimit: number;
}

export class Levels {
  readonly #options: LevelsOptions;
  #levels = new Map<string, Level>();
  #schemas: readonly FlowSchema[] = [];
  /** Candidate schemas by user name: the same users return often, and schemas seldom change. */
  readonly #candidates = new Map<string, Known>();
  /** The same by the rules that name a user: most users have theirs in common with others. */
  readonly #alike = new Map<string, readonly Candidate[]>();

  constructor(options: LevelsOptions) {
    this.#options = options;
    this.update([], []);
  }

  all(): readonly Level[] {
    return [...this.#levels.values()];
  }

  /** Replaces the objects. Returns for each schema whether its level exists. */
  update(objects: readonly PriorityLevel[], schemas: readonly FlowSchema[]): Reference[] {
    const next = new Map<string, Level>();
    for (const object of objects.filter(isSound)) next.set(nameOf(object), this.#take(object));
    const references = schemas.map((schema) => referenceOf(schema, next));
    this.#candidates.clear();
    this.#alike.clear();
    this.#schemas = withMandatory(references.flatMap(({ schema, dangling }) => (dangling ? [] : schema)));
    for (const [name, spec] of Object.entries(mandatoryPriorityLevels))
      if (!next.has(name)) next.set(name, this.#levels.get(name) ?? this.#take(imagined(name, spec)));
    for (const level of this.#levels.values()) if (!next.has(level.name)) this.#quiesce(level, next);
    this.#share(next);
    this.#levels = next;
    return references;
  }

  /** Every request has a schema and a level: the catch-all schema matches the rest. */
  classify(digest: Digest): { schema: FlowSchema; level: Level } {
    const schema =
      this.#candidatesOf(digest.user).find((candidate) => covers(candidate, digest.info))?.schema ??
      must(
        this.#schemas.find(({ metadata }) => metadata.name === 'catch-all'),
        'there is always a schema that catches all',
      );
    const name = schema.spec.priorityLevelConfiguration.name;
    return { schema, level: must(this.#levels.get(name), 'schemas without a level are left out') };
  }

  #candidatesOf(user: UserInfo): readonly Candidate[] {
    const { name, groups } = user;
    const known = this.#candidates.get(name);
    if (known && isSame(known.groups, groups)) return known.candidates;
    if (this.#candidates.size >= MOST_KNOWN) this.#candidates.clear();
    const found = candidatesFor(user, this.#schemas);
    const which = JSON.stringify(found.map(({ schema, rules }) => [nameOf(schema), rules]));
    const candidates = this.#alike.get(which) ?? found;
    this.#alike.set(which, candidates);
    this.#candidates.set(name, { groups, candidates });
    return candidates;
  }

  /** Removes deleted levels that have no more requests. */
  reap(level: Level): void {
    if (!level.quiescing || level.queues?.idle === false) return;
    this.#levels.delete(level.name);
    level.metrics.end();
    this.#share(this.#levels);
  }

  #take(object: PriorityLevel): Level {
    const name = nameOf(object);
    const known = this.#levels.get(name);
    if (known) return Object.assign(known, { object, quiescing: false });
    const { clock, waitLimit } = this.#options;
    const metrics = new LevelMetrics(this.#options.metrics, clock, name);
    const queues = object.spec.type === 'Exempt' ? undefined : new QueueSet({ clock, waitLimit, observer: metrics });
    return { name, metrics, object, queues, quiescing: false };
  }

  #quiesce(level: Level, next: Map<string, Level>): void {
    if (!level.queues || level.queues.idle) return level.metrics.end();
    level.quiescing = true;
    next.set(level.name, level);
  }

  /**
   * Each level's share of the seats is proportional to its shares, rounded up; levels that are being removed keep
   * theirs.
   */
  #share(levels: ReadonlyMap<string, Level>): void {
    const sharesOf = ({ object }: Level): number => object.spec.limited?.assuredConcurrencyShares ?? 0;
    const sum = [...levels.values()].reduce((total, level) => total + sharesOf(level), 0);
    for (const level of levels.values()) {
      if (!level.queues) continue;
      const limit = Math.ceil((this.#options.concurrency * sharesOf(level)) / sum);
      const queuing = level.object.spec.limited?.limitResponse.queuing ?? undefined;
      level.metrics.limit(limit, queuing?.queueLengthLimit ?? 1);
      level.queues.configure(queuing, limit);
    }
  }
}

const nameOf = ({ metadata }: FlowSchema | PriorityLevel): string => metadata.name ?? '';

/** An invalid level is treated as missing. */
function isSound({ metadata, spec }: PriorityLevel): boolean {
  if ((spec.type === 'Exempt') !== (metadata.name === 'exempt')) return false;
  if (spec.type === 'Exempt') return !spec.limited;
  if (!spec.limited) return false;
  const { type, queuing } = spec.limited.limitResponse;
  return (type === 'Queue') === Boolean(queuing);
}

function referenceOf(schema: FlowSchema, levels: ReadonlyMap<string, Level>): Reference {
  const level = schema.spec.priorityLevelConfiguration.name;
  return { schema, level, dangling: !levels.has(level) };
}

/** The schemas in order, including the mandatory ones even if their objects are missing. */
function withMandatory(schemas: readonly FlowSchema[]): FlowSchema[] {
  const missing = Object.entries(mandatoryFlowSchemas).filter(([name]) => !schemas.some((s) => nameOf(s) === name));
  return inMatchingOrder([...schemas, ...missing.map(([name, spec]) => imagined(name, spec))]);
}

/** An object that is not stored. */
const imagined = <S>(name: string, spec: S): { metadata: { name: string }; spec: S } => ({ metadata: { name }, spec });
