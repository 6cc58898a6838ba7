/**
 * ImagePolicyWebhook: an external service decides whether a pod's images may run (specification, Image-policy review).
 */
import { post, readEndpoint, RemoteConfigError, type RemoteEndpoint } from '../../authn/index.ts';
import type { Names } from '../../names/index.ts';
import { ExpiringMap, getOwn, isObject } from '../../std/index.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginDeclaration, PluginDeps } from '../types.ts';
import { integerIn, PluginConfigError, section } from './config.ts';
import { annotate, isPod, podOf, type Pod } from './pods.ts';
import { refuse } from './refuse.ts';

export const imagePolicyWebhook: PluginDeclaration = {
  name: 'ImagePolicyWebhook',
  on: false,
  create: (deps) => {
    const reviewer = new Reviewer(readConfig(deps), deps);
    const plugin: AdmissionPlugin = {
      name: 'ImagePolicyWebhook',
      handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
      validate: (attributes) => (isPod(attributes) ? reviewer.review(attributes) : undefined),
    };
    return plugin;
  },
};

interface Config {
  readonly endpoint: RemoteEndpoint;
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
  readonly retryBackoffMs: number;
  /** Whether pods are admitted if the service does not answer. */
  readonly defaultAllow: boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const ATTEMPTS = 5;
const CACHE_SIZE = 1024;

function readConfig({ config, files, names, scheme }: PluginDeps): Config {
  if (config === undefined) throw new PluginConfigError('no config specified');
  const group = names.fill('imagepolicy.{domain}');
  if (!scheme.byKind({ group, version: 'v1alpha1', kind: 'ImageReview' }))
    throw new PluginConfigError(`webhook plugin requires enabling extension resource: ${group}/v1alpha1`);
  const policy = section(section(config)['imagePolicy'] ?? {}, 'imagePolicy');
  const { kubeConfigFile = '', defaultAllow = false } = policy;
  if (typeof defaultAllow !== 'boolean')
    throw new PluginConfigError(
      `imagePolicy.defaultAllow: expected true or false, got ${JSON.stringify(defaultAllow)}`,
    );
  return {
    retryBackoffMs: time(policy, 'retryBackoff', 1, 1, 5 * MINUTE, 500),
    allowTtlMs: time(policy, 'allowTTL', SECOND, SECOND, 30 * MINUTE, 5 * MINUTE),
    denyTtlMs: time(policy, 'denyTTL', SECOND, SECOND, 30 * MINUTE, 30 * SECOND),
    endpoint: endpointOf(String(kubeConfigFile), files),
    defaultAllow,
  };
}

/** A duration in milliseconds; in the file -1 means zero and 0 the default. */
function time(
  policy: Readonly<Record<string, unknown>>,
  name: string,
  scale: number,
  min: number,
  max: number,
  fallback: number,
): number {
  const value = integerIn(policy, name, `imagePolicy.${name}`);
  if (value === -1) return 0;
  if (value === 0) return fallback;
  const ms = value * scale;
  if (ms < min || ms > max)
    throw new PluginConfigError(`imagePolicy.${name}: valid value is between ${min} ms and ${max} ms, got ${ms} ms`);
  return ms;
}

function endpointOf(path: string, files: Readonly<Record<string, string>>): RemoteEndpoint {
  const text = getOwn(files, path);
  if (text === undefined)
    throw new PluginConfigError(`imagePolicy.kubeConfigFile: there is no file ${JSON.stringify(path)}`);
  try {
    const endpoint = readEndpoint(text, files);
    if (!endpoint.url.startsWith('https://'))
      throw new RemoteConfigError(`${endpoint.url} does not begin with https://`);
    return endpoint;
  } catch (problem) {
    throw new PluginConfigError(`${path}: ${problem instanceof Error ? problem.message : String(problem)}`);
  }
}

interface Verdict {
  readonly allowed: boolean;
  readonly reason: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

class Reviewer {
  readonly #config: Config;
  readonly #deps: PluginDeps;
  readonly #answers: ExpiringMap<Verdict>;

  constructor(config: Config, deps: PluginDeps) {
    this.#config = config;
    this.#deps = deps;
    this.#answers = new ExpiringMap(deps.clock, CACHE_SIZE);
  }

  /** Reviews the pod of a request; refuses it if the service denies it, or by default without an answer. */
  async review(attributes: AdmissionAttributes): Promise<void> {
    const audit = (key: string, value: string): void =>
      attributes.addAuditAnnotation(this.#deps.names.fill(`imagepolicywebhook.image-policy.{domain}/${key}`), value);
    const pod = podOf(attributes);
    let verdict: Verdict;
    try {
      verdict = await this.#verdictOn(specOf(pod, attributes.namespace, this.#deps.names));
    } catch (problem) {
      if (!this.#config.defaultAllow)
        throw refuse(attributes, problem instanceof Error ? problem.message : String(problem));
      audit('failed-open', 'true');
      annotate(pod, { [this.#deps.names.fill('alpha.image-policy.{domain}/failed-open')]: 'true' });
      return;
    }
    for (const [key, value] of Object.entries(verdict.auditAnnotations)) audit(key, value);
    if (!verdict.allowed) throw refuse(attributes, denialReason(verdict));
  }

  async #verdictOn(spec: object): Promise<Verdict> {
    const key = JSON.stringify(spec);
    const known = this.#answers.get(key);
    if (known) return known;
    const review = {
      kind: 'ImageReview',
      apiVersion: this.#deps.names.fill('imagepolicy.{domain}/v1alpha1'),
      metadata: { creationTimestamp: null },
      spec,
      status: { allowed: false },
    };
    const { endpoint, retryBackoffMs, allowTtlMs, denyTtlMs } = this.#config;
    const backoff = { attempts: ATTEMPTS, firstWaitMs: retryBackoffMs };
    const response = await post(this.#deps, endpoint, review, backoff);
    const verdict = readVerdict(await response.json(), endpoint.url);
    this.#answers.set(key, verdict, verdict.allowed ? allowTtlMs : denyTtlMs);
    return verdict;
  }
}

const denialReason = ({ reason }: Verdict): string =>
  reason === ''
    ? 'one or more images rejected by webhook backend'
    : `image policy webhook backend denied one or more images: ${reason}`;

/** The data for the service: images, namespace, and matching annotations. */
function specOf({ metadata, spec }: Pod, namespace: string, names: Names): object {
  const images = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].map(({ image }) => ({ image }));
  const meant = Object.entries(metadata?.annotations ?? {})
    .filter(([key]) => key.includes(names.fill('.image-policy.{domain}/')))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    containers: images,
    ...(meant.length > 0 ? { annotations: Object.fromEntries(meant) } : {}),
    namespace,
  };
}

/** Only the status is used; `spec` in the answer is ignored. */
function readVerdict(answer: unknown, url: string): Verdict {
  const said = isObject(answer) ? answer['status'] : undefined;
  if (!isObject(said)) throw new Error(`${url} answered no ImageReview`);
  const { allowed, reason, auditAnnotations } = said;
  const notes = isObject(auditAnnotations) ? Object.entries(auditAnnotations) : [];
  return {
    allowed: allowed === true,
    reason: typeof reason === 'string' ? reason : '',
    auditAnnotations: Object.fromEntries(notes.map(([key, value]) => [key, String(value)])),
  };
}
