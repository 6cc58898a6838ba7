/** Makes edits of roles and bindings, as the administrator. */
import { StatusError } from '../../../schema/index.ts';
import { delay, setOwn } from '../../../std/index.ts';
import { applyManifests } from '../../editor/apply.ts';
import { readManifests } from '../../editor/documents.ts';
import type { AccessEdit, AccessId } from '../../host.ts';
import { asList, at } from '../../stores/jsonValues.ts';
import { theClient } from '../../stores/clients.ts';
import { administrator } from '../../stores/identity.ts';
import { pageClock } from '../../stores/liveObjects.ts';
import { resourceOfKind, servedBy, useResources, type Resource } from '../../stores/resources.ts';
import { theCluster } from '../../stores/session.ts';
import { manifestsOf } from './manifests.ts';

const version = (): string => theCluster().names.fill('rbac.authorization.{domain}/v1');

function resourceOf({ kind }: AccessId): Resource {
  const found = resourceOfKind(useResources.getState().resources, version(), kind);
  if (!found) throw new Error(`The server does not serve ${kind}.`);
  return found;
}

/** `rules[2].verbs` or `subjects`, with one more item; an empty list may be missing. */
export function withAdded(object: unknown, field: string, value: unknown): unknown {
  const path = field.split(/[.[\]]+/).filter(Boolean);
  const copy: unknown = structuredClone(object);
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((part, key) => (Array.isArray(part) ? part[Number(key)] : at(part, key)), copy);
  const last = path.at(-1) ?? '';
  if (typeof parent !== 'object' || parent === null) throw new Error(`There is no ${field} any more.`);
  setOwn(parent as Record<string, unknown>, last, [...asList(at(parent, last)), value]);
  return copy;
}

async function add({ to, field, value }: Extract<AccessEdit, { do: 'add' }>): Promise<void> {
  const objects = theClient(administrator).of(resourceOf(to));
  const object = await objects.get(to.name, to.namespace);
  await objects.update(withAdded(object, field, value) as typeof object);
}

async function create(text: string): Promise<void> {
  const client = theClient(administrator);
  const how = { way: 'merge', force: false, dryRun: false, namespace: '' } as const;
  const wait = (ms: number): Promise<void> => delay(pageClock, ms);
  const outcomes = await applyManifests(client, servedBy(client), readManifests(text), how, wait);
  const failed = outcomes.find(({ did }) => did === 'failed');
  if (failed?.did === 'failed') throw new StatusError(failed.status);
}

/** Throws what the server answers to the first edit that it refuses. */
export async function applyEdits(edits: readonly AccessEdit[]): Promise<void> {
  const text = manifestsOf(edits, theCluster().names);
  if (text !== '') await create(text);
  for (const edit of edits) if (edit.do === 'add') await add(edit);
}
