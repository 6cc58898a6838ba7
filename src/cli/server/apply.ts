/** Brings one manifest into the cluster, by comparing texts on this side or by field ownership on the server's. */
import type { Client } from '../../client/index.ts';
import { conflicts, threeWayPatch } from '../../merge/index.ts';
import { StatusError, type ApiObject } from '../../schema/index.ts';
import { getOwn, sortKeys } from '../../std/index.ts';
import { compactJson } from '../output/json.ts';
import { printYaml } from '../output/yaml.ts';
import type { DryRun } from '../command/dryRun.ts';
import { complaint } from '../command/errors.ts';
import { mergeFormOf } from './change.ts';
import { lastApplied, lastAppliedKey, lastAppliedText, withLastApplied } from '../../merge/index.ts';
import { atSource, type Manifest } from './manifests.ts';
import { groupVersionOf } from './served.ts';

export interface Applying {
  readonly dryRun: DryRun;
  readonly fieldManager: string;
  /** Deletes and creates what can't be changed. */
  readonly force: boolean;
  /** Whether fields that somebody else changed since the last apply are changed back; by default they are. */
  readonly overwrite?: boolean;
  /** Called with a warning before a conflict is refused. */
  readonly onConflict?: (warning: string) => void;
  /** Called before changing an object that was never applied. */
  readonly onFirst: () => void;
  /** Whether the last applied manifest is kept in an annotation. */
  readonly note: boolean;
}

export interface Applied {
  readonly object: ApiObject;
  readonly did: 'created' | 'configured' | 'unchanged';
}

/** Creates the object, or merges what the manifest says into it. Throws StatusError, CommandError. */
export async function applyThreeWay(client: Client, manifest: Manifest, options: Applying): Promise<Applied> {
  const live = await liveObject(client, manifest);
  const object = options.note ? withLastApplied(manifest.object, client.names) : withAnnotations(manifest.object);
  if (!live) return { object: await create(client, manifest, object, options), did: 'created' };
  if (options.dryRun === 'client') return { object: live, did: 'configured' };
  if (lastAppliedText(live, client.names) === undefined) options.onFirst();
  const after = await patch(client, manifest, { live, object }, options);
  return { object: after ?? live, did: after ? 'configured' : 'unchanged' };
}

/** As manifests that are kept have them: one without any took none away. */
const withAnnotations = (object: ApiObject): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: object.metadata.annotations ?? {} },
});

/** The live object with the manifest's name; undefined if there is none. */
export async function liveObject(client: Client, manifest: Manifest): Promise<ApiObject | undefined> {
  const { resource, namespace, object, source } = manifest;
  const name = object.metadata.name ?? '';
  try {
    if (name === '') throw new Error('resource name may not be empty');
    return await client.of(resource).get(name, namespace);
  } catch (error) {
    if (error instanceof StatusError && error.status.code === 404) return undefined;
    throw atSource(error, `retrieving current configuration of:\n${described(manifest)}\nfrom server for:`, source);
  }
}

async function create(client: Client, manifest: Manifest, object: ApiObject, options: Applying): Promise<ApiObject> {
  const { resource, namespace, source } = manifest;
  const { dryRun, fieldManager } = options;
  if (dryRun === 'client') return object;
  try {
    return await client.of(resource).create(object, { namespace, fieldManager, dryRun: dryRun === 'server' });
  } catch (error) {
    throw atSource(error, 'creating', source);
  }
}

interface Change {
  readonly live: ApiObject;
  readonly object: ApiObject;
}

/** Undefined if there is nothing to change. */
async function patch(
  client: Client,
  manifest: Manifest,
  { live, object }: Change,
  { dryRun, fieldManager, force, overwrite = true, onConflict }: Applying,
): Promise<ApiObject | undefined> {
  const { resource, source } = manifest;
  const form = mergeFormOf(resource);
  const body = threeWayPatch(lastApplied(live, client.names), { ...object }, { ...live }, form);
  if (Object.keys(body).length === 0) return undefined;
  if (!overwrite && form === 'strategic') checkConflicts(client, manifest, { live, object }, body, onConflict);
  const options = { fieldManager, dryRun: dryRun === 'server' };
  try {
    return await client.of(resource).patch(object, form, body, options);
  } catch (error) {
    if (force && error instanceof StatusError && [409, 422].includes(error.status.code)) {
      await client.of(resource).delete(live, { propagationPolicy: 'Background' });
      return client.of(resource).create(object, options);
    }
    const sent = JSON.stringify(sortKeys(body));
    throw atSource(error, `applying patch:\n${sent}\nto:\n${described(manifest)}\nfor:`, source);
  }
}

/** Throws where the patch changes what somebody else has changed since the last apply. */
function checkConflicts(
  client: Client,
  manifest: Manifest,
  { live, object }: Change,
  patch: Fields,
  warn: Applying['onConflict'],
): void {
  const before = lastApplied(live, client.names);
  const since = threeWayPatch(before, { ...live }, before, 'strategic');
  if (!conflicts(patch, since)) return;
  const source = JSON.stringify(manifest.source);
  const between = `patch:\n${printYaml(patch)}\nconflicts with changes made from original to current:\n${printYaml(since)}\n`;
  warn?.(`warning: error calculating patch from openapi spec: ${between}\n`);
  throw complaint(
    [
      `error when applying patch:\n\nto:\n${described(manifest)}\nfor: ${source}: error when creating patch with:`,
      `original:\n${lastAppliedText(live, client.names) ?? ''}\nmodified:\n${compactJson(object)}\n`,
      `current:\n${compactJson(live)}\n\nfor: ${source}: ${between.trimEnd()}\n`,
    ].join('\n'),
  );
}

type Fields = Readonly<Record<string, unknown>>;

function described({ resource, namespace, object }: Manifest): string {
  const version = resource.group === '' ? `/${resource.version}` : groupVersionOf(resource);
  return [
    `Resource: "${version}, Resource=${resource.resource}", GroupVersionKind: "${version}, Kind=${resource.kind}"`,
    `Name: ${JSON.stringify(object.metadata.name ?? '')}, Namespace: ${JSON.stringify(namespace)}`,
  ].join('\n');
}

/** Sends the manifest for the server to merge. Throws StatusError, CommandError. */
export async function applyServerSide(
  client: Client,
  { resource, object, source }: Manifest,
  options: { readonly dryRun: boolean; readonly fieldManager: string; readonly force: boolean },
): Promise<ApiObject> {
  try {
    return await client.of(resource).patch(object, 'apply', object, options);
  } catch (error) {
    if (isConflict(error)) throw complaint(`${error.status.message}\n${CONFLICT_HELP}`);
    throw atSource(error, 'serverside-applied', source);
  }
}

const isConflict = (error: unknown): error is StatusError => error instanceof StatusError && error.status.code === 409;

const CONFLICT_HELP = `Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See http://k8s.io/docs/reference/using-api/api-concepts/#conflicts`;

/** What an apply says of an object that was not applied before. */
export const firstApplyWarning = (client: Client, program: string, { resource, object }: Manifest): string => {
  const key = lastAppliedKey(client.names);
  return `Warning: resource ${resource.resource}/${object.metadata.name} is missing the ${key} annotation which is required by ${program} apply. ${program} apply should only be used on resources created declaratively by either ${program} create --save-config or ${program} apply. The missing annotation will be patched automatically.\n`;
};

/** Whether the object was created by an apply. */
export const wasApplied = ({ metadata }: ApiObject, client: Client): boolean =>
  getOwn(metadata.annotations, lastAppliedKey(client.names)) !== undefined;
