/** Makes edits of roles and bindings, as the administrator. */
import type { Client } from '../../../client/index.ts';
import { setOwn } from '../../../std/index.ts';
import type { AccessEdit, AccessId } from '../../host.ts';
import { asList, at } from '../../stores/jsonValues.ts';
import { administrator } from '../../stores/identity.ts';
import { resourceOfKind, useResources, type Resource } from '../../stores/resources.ts';
import { theCluster } from '../../stores/session.ts';
import type { Write } from '../../stores/writes.ts';
import { applyText } from '../editor/applying.ts';
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

async function add(client: Client, { to, field, value }: Extract<AccessEdit, { do: 'add' }>): Promise<void> {
  const objects = client.of(resourceOf(to));
  const object = await objects.get(to.name, to.namespace);
  await objects.update(withAdded(object, field, value) as typeof object);
}

/** It fails with what the server answers to the first edit that it refuses. */
export const applyingEdits = (edits: readonly AccessEdit[]): Write => ({
  label: 'Apply as administrator',
  done: 'It was applied as the administrator.',
  failed: 'It was not applied.',
  as: administrator,
  send: async (client) => {
    const text = manifestsOf(edits, theCluster().names);
    if (text !== '') await applyText(client, text);
    for (const edit of edits) if (edit.do === 'add') await add(client, edit);
  },
});
