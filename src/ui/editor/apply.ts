/** Brings what a text says into the cluster: each document created, or updated where it is there already. */
import type { Client } from '../../client/index.ts';
import { StatusError, type ApiObject, type Status } from '../../schema/index.ts';
import { versionOf, type ObjectRef, type Resource } from '../stores/resources.ts';
import type { Manifest, Manifests, Problem } from './documents.ts';
import { placeOfField } from './fieldPath.ts';

export interface ApplyOptions {
  /** `replace`: create, or update as a whole. `apply`: server-side apply, which merges by field ownership. */
  readonly way: 'replace' | 'apply';
  /** Takes fields over from other managers; server-side apply only. */
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Where documents go that name no namespace. */
  readonly namespace: string;
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

const unknownKind = ({ apiVersion, kind }: Manifest): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason: 'NotFound',
  code: 404,
  message: `The server does not serve ${kind} in ${apiVersion}.`,
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

async function write(
  client: Client,
  target: ObjectRef,
  object: ApiObject,
  before: ApiObject | undefined,
  options: ApplyOptions,
): Promise<ApiObject> {
  const resource = client.of(target.resource);
  const { dryRun, force } = options;
  if (options.way === 'apply') {
    const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata;
    return resource.patch(object, 'apply', { ...object, metadata }, { dryRun, force, fieldManager: FIELD_MANAGER });
  }
  if (before) return resource.update(object, { dryRun, fieldManager: FIELD_MANAGER });
  return resource.create(object, {
    dryRun,
    fieldManager: FIELD_MANAGER,
    ...(target.namespace ? { namespace: target.namespace } : {}),
  });
}

async function applyOne(
  client: Client,
  resource: Resource,
  manifest: Manifest,
  options: ApplyOptions,
): Promise<Outcome> {
  const namespace = resource.namespaced ? manifest.namespace || options.namespace || 'default' : '';
  const asked: ObjectRef = { resource, namespace, name: manifest.name };
  const before = await present(client, asked);
  const after = await write(client, asked, objectToSend(manifest, asked, before), before, options);
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

/** Applies the documents in their order. One that is refused does not stop the others. */
export async function applyManifests(
  client: Client,
  versions: readonly Resource[],
  manifests: Manifests,
  options: ApplyOptions,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const manifest of manifests.manifests) {
    const fail = (status: Status): Outcome => ({
      manifest,
      line: manifest.line,
      did: 'failed',
      status,
      problems: problemsOf(status, manifest, manifests),
    });
    const resource = resourceFor(versions, manifest);
    try {
      outcomes.push(resource ? await applyOne(client, resource, manifest, options) : fail(unknownKind(manifest)));
    } catch (error) {
      outcomes.push(fail(statusOf(error)));
    }
  }
  return outcomes;
}
