/** EventRateLimit: limits the rate of events by server, namespace, user, or source and object. */
import { status, type objects } from '../../schema/index.ts';
import { TokenBucket, type Clock } from '../../std/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { configOf, integerIn, objectsIn, PluginConfigError } from './config.ts';

export const eventRateLimit: PluginDeclaration = {
  name: 'EventRateLimit',
  on: false,
  create: (deps) => {
    const limits = readLimits(deps).map((limit) => new Limiter(limit, deps.clock));
    return {
      name: 'EventRateLimit',
      handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
      validate: (attributes) => check(attributes, limits),
    };
  },
};

/** The key of each type of limit. */
const KEYS = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject: sourceAndObject,
} as const satisfies Readonly<Record<string, (attributes: AdmissionAttributes) => string>>;

type LimitType = keyof typeof KEYS;

interface Limit {
  readonly type: LimitType;
  /** The rate and burst of events. */
  readonly qps: number;
  readonly burst: number;
  /** The maximum number of keys; the least recently used one is reset. */
  readonly cacheSize: number;
}

const DEFAULT_CACHE_SIZE = 4096;

function readLimits({ config, names }: PluginDeps): Limit[] {
  const versions = [names.fill('eventratelimit.admission.{domain}/v1alpha1')];
  const limits = objectsIn(configOf(config, 'Configuration', versions) ?? {}, 'limits');
  if (limits.length === 0) throw new PluginConfigError('limits: must not be empty');
  return limits.map((limit, i) => readLimit(limit, `limits[${i}]`));
}

const isLimitType = (type: unknown): type is LimitType => typeof type === 'string' && Object.hasOwn(KEYS, type);

function readLimit(limit: Readonly<Record<string, unknown>>, path: string): Limit {
  const { type } = limit;
  if (!isLimitType(type))
    throw new PluginConfigError(`${path}.type: ${JSON.stringify(type)} is none of ${Object.keys(KEYS).join(', ')}`);
  const burst = positive(limit, 'burst', path);
  const qps = positive(limit, 'qps', path);
  const cacheSize = integerIn(limit, 'cacheSize', `${path}.cacheSize`);
  if (type !== 'Server' && cacheSize < 0) throw new PluginConfigError(`${path}.cacheSize: must not be negative`);
  return { type, qps, burst, cacheSize: type === 'Server' ? 1 : cacheSize || DEFAULT_CACHE_SIZE };
}

function positive(limit: Readonly<Record<string, unknown>>, name: string, path: string): number {
  const value = integerIn(limit, name, `${path}.${name}`);
  if (value <= 0) throw new PluginConfigError(`${path}.${name}: must be positive, got ${value}`);
  return value;
}

function sourceAndObject({ object }: AdmissionAttributes): string {
  const { source, involvedObject: about } = object as objects.Event;
  return [source?.component, source?.host, about.kind, about.namespace, about.name, about.uid, about.apiVersion].join(
    '',
  );
}

function check(attributes: AdmissionAttributes, limiters: readonly Limiter[]): void {
  const { kind, dryRun } = attributes;
  if (kind.group !== '' || kind.kind !== 'Event' || dryRun) return;
  // Each limit counts the event, regardless of the others.
  const refused = limiters.flatMap((limiter) => limiter.refusal(attributes) ?? []);
  if (refused.length === 0) return;
  const texts = refused.map(({ text }) => text);
  throw status.tooManyRequests(
    `Too many requests: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}`,
    Math.max(...refused.map(({ waitSeconds }) => waitSeconds)),
  );
}

/** Token buckets of one limit, by key. */
class Limiter {
  readonly #limit: Limit;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(limit: Limit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Takes a token; if there is none, returns the message and the seconds until there is one. */
  refusal(attributes: AdmissionAttributes): { readonly text: string; readonly waitSeconds: number } | undefined {
    const { type } = this.#limit;
    const key = KEYS[type](attributes);
    const now = this.#clock.now();
    const wait = this.#bucketOf(key, now).take(now);
    if (wait === 0) return undefined;
    return { text: `limit reached on type ${type} for key ${key}`, waitSeconds: Math.max(1, Math.ceil(wait / 1000)) };
  }

  #bucketOf(key: string, now: number): TokenBucket {
    const { qps, burst, cacheSize } = this.#limit;
    const bucket = this.#buckets.get(key) ?? new TokenBucket(qps, burst, now);
    // Maps keep insertion order: a used key moves to the end.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > cacheSize) {
      const oldest = this.#buckets.keys().next();
      if (!oldest.done) this.#buckets.delete(oldest.value);
    }
    return bucket;
  }
}
