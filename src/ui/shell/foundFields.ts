/** What the server's document says of fields, as the palette finds it by a path such as `pod.spec.con`. */
import { BookOpen } from 'lucide-react';
import { useEffect, useState } from 'react';
import { getOwn } from '../../std/index.ts';
import { loadCatalog, type Catalog } from '../editor/schema.ts';
import { openTerminal } from '../panels/terminal/opened.ts';
import { useObserver } from '../stores/clients.ts';
import { asRecord, asText, at } from '../stores/jsonValues.ts';
import { resourceByWord, useResources, type Resource } from '../stores/resources.ts';
import type { Command } from './commands.ts';

const POINTER = '#/definitions/';

/** The schema behind references and lists: where its fields stand. */
function resolved(definitions: Catalog['definitions'], schema: unknown): unknown {
  const reference = asText(at(schema, '$ref'));
  if (reference !== '') return resolved(definitions, getOwn(definitions, reference.slice(POINTER.length)));
  const items = at(schema, 'items');
  return items === undefined ? schema : resolved(definitions, items);
}

/** `Object`, `[]string`: what a field holds, in short. */
function typeOf(schema: unknown): string {
  const items = at(schema, 'items');
  if (items !== undefined) return `[]${typeOf(items)}`;
  const type = at(schema, 'type');
  return typeof type === 'string' && type !== 'object' ? type : 'Object';
}

export interface FoundField {
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

/** The fields at a path of a kind whose names begin as its last segment does. */
export function fieldsAt(
  { kinds, definitions }: Catalog,
  { group, version, kind }: Pick<Resource, 'group' | 'version' | 'kind'>,
  segments: readonly string[],
): readonly FoundField[] {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const known = kinds.find((each) => each.kind === kind && each.apiVersion === apiVersion);
  const parents = segments.slice(0, -1);
  const last = (segments.at(-1) ?? '').toLowerCase();
  let schema: unknown = known && resolved(definitions, getOwn(definitions, known.definition));
  for (const segment of parents) schema = resolved(definitions, getOwn(asRecord(at(schema, 'properties')), segment));
  return Object.entries(asRecord(at(schema, 'properties')))
    .filter(([name]) => name.toLowerCase().startsWith(last))
    .map(([name, field]) => ({
      path: [...parents, name].join('.'),
      type: typeOf(field),
      description: asText(at(field, 'description')) || asText(at(resolved(definitions, field), 'description')),
    }));
}

/** `pod.spec.`: a resource by any of its names, then a path; undefined for any other text. */
export const fieldPathIn = (text: string): readonly string[] | undefined => {
  const path = text.trim().split('.');
  return path.length > 1 && /^[a-z]/i.test(text) && !/\s/.test(text.trim()) ? path : undefined;
};

/** A command for each field at the path that `text` names; it puts the explanation into the terminal. */
export function useFoundFields(text: string): readonly Command[] {
  const client = useObserver();
  const resources = useResources((state) => state.resources);
  const [catalog, setCatalog] = useState<Catalog>();
  const path = fieldPathIn(text);
  const asked = path !== undefined;
  useEffect(() => {
    if (!asked) return undefined;
    let gone = false;
    loadCatalog(client)
      .then((loaded) => gone || setCatalog(loaded))
      .catch(() => undefined);
    return () => void (gone = true);
  }, [client, asked]);
  const resource = path && resourceByWord(resources, path[0] ?? '');
  if (!path || !resource || !catalog) return [];
  return fieldsAt(catalog, resource, path.slice(1)).map(({ path: field, type, description }) => ({
    key: `field:${resource.resource}.${field}`,
    icon: BookOpen,
    label: `${path[0] ?? ''}.${field}`,
    note: `<${type}> ${description}`,
    run: () => openTerminal(`kubectl explain ${resource.resource}.${field}`),
  }));
}
