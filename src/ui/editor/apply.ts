/** Brings what a text says into the cluster: each document created, or updated where it is there already. */
import { serviceAccounts, type Client } from '../../client/index.ts';
import { lastApplied, threeWayPatch, withLastApplied, type MergeForm } from '../../merge/index.ts';
import { isObject } from '../../std/index.ts';
import { status, StatusError, type ApiObject, type Status } from '../../schema/index.ts';
import { versionOf, type ObjectRef, type Resource } from '../stores/resources.ts';
import { asText, at } from '../stores/jsonValues.ts';
import { inApplyOrder } from './applyOrder.ts';
import type { Manifest, Manifests, Problem } from './documents.ts';
import { placeOfField } from './fieldPath.ts';
import { retryApply, type Wait } from './retryApply.ts';

/**
 * `merge`: as `kubectl apply`, by what the last apply said. `serverSide`: server-side apply, by field ownership.
 * `replace`: the object as a whole. Each creates what is not there.
 */
export type ApplyWay = 'merge' | 'serverSide' | 'replace';

export interface ApplyOptions {
  readonly way: ApplyWay;
  /** Takes fields over from other managers; server-side apply only. */
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Where documents go that name no namespace. */
  readonly namespace: string;
}

/** What the server serves; a new definition adds to it. */
export interface Served {
  versions(): readonly Resource[];
  /** Asks the server anew. */
  reload(): Promise<void>;
}

/** What became of one document. */
export type Outcome = { readonly manifest: Manifest; readonly line: number } & (
  | {
      readonly did: 'created' | 'changed' | 'unchanged';
      readonly target: ObjectRef;
      readonly before: ApiObject | undefined;
      readonly after: ApiObject;
    }
  | { readonly did: 'failed'; readonly status: Status; readonly problems: readonly Problem[] }
);

const FIELD_MANAGER = 'vitrine';

/** The resource at the version that a manifest asks for. */
const resourceFor = (versions: readonly Resource[], { apiVersion, kind }: Manifest): Resource | undefined =>
  versions.find((each) => each.kind === kind && versionOf(each) === apiVersion);

/** `soon`: it may be served in a moment. */
const unknownKind = ({ apiVersion, kind }: Manifest, soon: boolean): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason: 'NotFound',
  code: 404,
  message: `The server does not serve ${kind} in ${apiVersion}.`,
  ...(soon ? { details: { retryAfterSeconds: 1 } } : {}),
});

const isMissing = (error: unknown): boolean => error instanceof StatusError && error.status.code === 404;

async function present(client: Client, { resource, namespace, name }: ObjectRef): Promise<ApiObject | undefined> {
  if (name === '') return undefined;
  try {
    return await client.of(resource).get(name, namespace);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The object to send: in its namespace, and for an update at the revision that it replaces. */
function objectToSend(manifest: Manifest, target: ObjectRef, before: ApiObject | undefined): ApiObject {
  const metadata = { ...(manifest.value['metadata'] as ApiObject['metadata'] | undefined) } as ApiObject['metadata'];
  if (target.namespace) metadata.namespace = target.namespace;
  // An edit that says which revision it began from is refused when somebody else has written meanwhile.
  const revision = before && (metadata.resourceVersion ?? before.metadata.resourceVersion);
  if (revision) metadata.resourceVersion = revision;
  else delete metadata.resourceVersion;
  return { ...manifest.value, apiVersion: manifest.apiVersion, kind: manifest.kind, metadata };
}

/** The manifest, with the last-applied annotation by which the next apply finds the fields that were removed. */
function noted(object: ApiObject, { names }: Client): ApiObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return withLastApplied({ ...object, metadata }, names);
}

type Writing = (client: Client, target: ObjectRef, object: ApiObject, options: ApplyOptions) => Promise<ApiObject>;

const create: Writing = (client, { resource, namespace }, object, { dryRun }) =>
  client.of(resource).create(object, { dryRun, fieldManager: FIELD_MANAGER, ...(namespace ? { namespace } : {}) });

const update: Writing = (client, { resource }, object, { dryRun }) =>
  client.of(resource).update(object, { dryRun, fieldManager: FIELD_MANAGER });

const applyServerSide: Writing = (client, { resource }, object, { dryRun, force }) => {
  const { managedFields: _, ...metadata } = object.metadata;
  const patch = { ...object, metadata };
  return client.of(resource).patch(object, 'apply', patch, { dryRun, force, fieldManager: FIELD_MANAGER });
};

/** A patch that is refused when somebody else has written meanwhile. */
function atRevision(patch: Readonly<Record<string, unknown>>, { metadata: { resourceVersion } }: ApiObject): unknown {
  const { metadata } = patch;
  return { ...patch, metadata: { ...(isObject(metadata) ? metadata : {}), resourceVersion } };
}

/** Merges into `before`. Kinds without a strategic merge, custom resources among them, get a plain one. */
async function merge(
  client: Client,
  { resource }: ObjectRef,
  object: ApiObject,
  before: ApiObject,
  { dryRun }: ApplyOptions,
): Promise<ApiObject> {
  const earlier = lastApplied(before, client.names);
  const send = (form: MergeForm): Promise<ApiObject> => {
    const wanted = { ...noted(object, client) };
    const patch = atRevision(threeWayPatch(earlier, wanted, { ...before }, form), object);
    return client.of(resource).patch(object, form, patch, { dryRun, fieldManager: FIELD_MANAGER });
  };
  try {
    return await send('strategic');
  } catch (error) {
    if (error instanceof StatusError && error.status.code === UNSUPPORTED_MEDIA_TYPE) return send('merge');
    throw error;
  }
}

const UNSUPPORTED_MEDIA_TYPE = 415;

function write(
  client: Client,
  target: ObjectRef,
  object: ApiObject,
  before: ApiObject | undefined,
  options: ApplyOptions,
): Promise<ApiObject> {
  // A name that the server is to generate can only be created.
  if (options.way === 'serverSide' && target.name !== '') return applyServerSide(client, target, object, options);
  if (options.way === 'replace')
    return before ? update(client, target, object, options) : create(client, target, object, options);
  if (before) return merge(client, target, object, before, options);
  return create(client, target, noted(object, client), options);
}

/** How many times an apply reads the object and tries to write it while others change it, as in `kubectl apply`. */
const MOST_READS = 5;

const CONFLICT = 409;

/** Whether another writer came between the read and the write, though the manifest names no revision. */
const wasOvertaken = (error: unknown, { value }: Manifest): boolean =>
  error instanceof StatusError &&
  error.status.code === CONFLICT &&
  // Fields that another manager owns: reading again changes nothing.
  (error.status.details?.causes ?? []).length === 0 &&
  at(value, 'metadata', 'resourceVersion') === undefined;

/**
 * Server-side apply needs no revision. With the one that was read, the answer differs from it only by what the apply itself
 * changed. Where others write too often for that, it is sent without.
 */
function lastResort(object: ApiObject, { way }: ApplyOptions): ApiObject {
  if (way !== 'serverSide') return object;
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

async function applyOne(
  client: Client,
  resource: Resource,
  manifest: Manifest,
  options: ApplyOptions,
): Promise<Outcome> {
  for (let reads = 1; ; reads++) {
    try {
      return await readAndWrite(client, resource, manifest, options, reads === MOST_READS);
    } catch (error) {
      if (reads === MOST_READS || !wasOvertaken(error, manifest)) throw error;
    }
  }
}

async function readAndWrite(
  client: Client,
  resource: Resource,
  manifest: Manifest,
  options: ApplyOptions,
  isLast: boolean,
): Promise<Outcome> {
  const namespace = resource.namespaced ? manifest.namespace || options.namespace || 'default' : '';
  const asked: ObjectRef = { resource, namespace, name: manifest.name };
  const before = await present(client, asked);
  const object = objectToSend(manifest, asked, before);
  const after = await write(client, asked, isLast ? lastResort(object, options) : object, before, options);
  const target = { ...asked, name: after.metadata.name ?? asked.name };
  const same = before?.metadata.resourceVersion === after.metadata.resourceVersion;
  return {
    manifest,
    line: manifest.line,
    did: before ? (same && !options.dryRun ? 'unchanged' : 'changed') : 'created',
    target,
    before,
    after,
  };
}

/** A refusal's causes at the lines of their fields; one without causes at the document's first line. */
export function problemsOf(status: Status, manifest: Manifest, { problemAt }: Manifests): readonly Problem[] {
  const start = manifest.document.contents?.range?.[0] ?? 0;
  const causes = (status.details?.causes ?? []).filter((cause) => cause.field);
  if (causes.length === 0)
    return [problemAt(status.message ?? status.reason ?? 'The server refused it.', start, start + 1)];
  return causes.map(({ field = '', message = '' }) => {
    const place = placeOfField(manifest.document, field) ?? { start, end: start + 1 };
    return problemAt(`${field}: ${message}`, place.start, place.end);
  });
}

const statusOf = (error: unknown): Status =>
  error instanceof StatusError
    ? error.status
    : {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        code: 0,
        reason: 'Unreachable',
        message: error instanceof Error ? error.message : String(error),
      };

const DEFINITION = 'CustomResourceDefinition';

/** Applies the documents of one text. */
class Applying {
  readonly #client: Client;
  readonly #served: Served;
  readonly #options: ApplyOptions;
  readonly #wait: Wait;
  /** The namespaces that were applied, and the kinds that applied definitions define. */
  readonly #namespaces = new Set<string>();
  readonly #defined = new Set<string>();
  /** The service accounts whose tokens were waited for, once. */
  readonly #awaited = new Set<string>();

  constructor(client: Client, served: Served, options: ApplyOptions, wait: Wait) {
    this.#client = client;
    this.#served = served;
    this.#options = options;
    this.#wait = wait;
  }

  /** Rejects with a StatusError where the server refuses for good. */
  async apply(manifest: Manifest): Promise<Outcome> {
    const attempt = async (): Promise<Outcome> =>
      applyOne(this.#client, await this.#resourceFor(manifest), manifest, this.#options);
    if (!this.#options.dryRun) await this.#untilPodsAreTaken(manifest);
    // Nothing that a dry run is told becomes true by waiting.
    const outcome = this.#options.dryRun ? await attempt() : await retryApply(attempt, this.#namespaces, this.#wait);
    if (manifest.kind === 'Namespace') this.#namespaces.add(manifest.name);
    if (manifest.kind === DEFINITION && !this.#options.dryRun)
      this.#defined.add(asText(at(manifest.value, 'spec', 'names', 'kind')));
    return outcome;
  }

  /**
   * Pods are refused in a namespace that was made just now until their service account has its token. What makes pods waits
   * for it, so that nobody sees a refusal that means nothing. Who may not list the accounts does not wait.
   */
  async #untilPodsAreTaken({ kind, value, namespace = '' }: Manifest): Promise<void> {
    const spec = kind === 'Pod' ? at(value, 'spec') : at(value, 'spec', 'template', 'spec');
    const name = asText(at(spec, 'serviceAccountName')) || 'default';
    const account = `${namespace}/${name}`;
    if (spec === undefined || !this.#namespaces.has(namespace) || this.#awaited.has(account)) return;
    this.#awaited.add(account);
    const accounts = this.#client.of(serviceAccounts);
    const requireToken = async (): Promise<void> => {
      const { items } = await accounts.list({ namespace, fieldSelector: `metadata.name=${name}` });
      if (items.some(({ secrets = [] }) => secrets.length > 0)) return;
      throw status.failure(500, 'InternalError', `No API token found for service account ${JSON.stringify(name)}`);
    };
    // Where it doesn't come, the server says what is missing.
    await retryApply(requireToken, this.#namespaces, this.#wait).catch(() => undefined);
  }

  async #resourceFor(manifest: Manifest): Promise<Resource> {
    const known = resourceFor(this.#served.versions(), manifest);
    if (known) return known;
    // A kind that was defined just now takes a moment until it is served.
    const soon = this.#defined.has(manifest.kind);
    if (soon) await this.#served.reload();
    const found = resourceFor(this.#served.versions(), manifest);
    if (!found) throw new StatusError(unknownKind(manifest, soon));
    return found;
  }
}

/** Applies the documents: first what others need. One that is refused does not stop the others. */
export async function applyManifests(
  client: Client,
  served: Served,
  manifests: Manifests,
  options: ApplyOptions,
  wait: Wait,
): Promise<readonly Outcome[]> {
  const applying = new Applying(client, served, options, wait);
  const outcomes: Outcome[] = [];
  for (const manifest of inApplyOrder(manifests.manifests)) {
    try {
      outcomes.push(await applying.apply(manifest));
    } catch (error) {
      const status = statusOf(error);
      const problems = problemsOf(status, manifest, manifests);
      outcomes.push({ manifest, line: manifest.line, did: 'failed', status, problems });
    }
  }
  return outcomes;
}
