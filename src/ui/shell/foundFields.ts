/** What the server's document says of fields, as the palette finds it: by a path such as `pod.spec.con`, or by a name. */
import { BookOpen } from 'lucide-preact';
import { useEffect, useMemo, useState } from 'preact/compat';
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

const documented = (definitions: Catalog['definitions'], path: readonly string[], field: unknown): FoundField => ({
  path: path.join('.'),
  type: typeOf(field),
  description: asText(at(field, 'description')) || asText(at(resolved(definitions, field), 'description')),
});

/** The type of a kind's objects; undefined if the document does not have it. */
function typeOfKind({ kinds, definitions }: Catalog, { group, version, kind }: KindName): unknown {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const known = kinds.find((each) => each.kind === kind && each.apiVersion === apiVersion);
  return known && resolved(definitions, getOwn(definitions, known.definition));
}

type KindName = Pick<Resource, 'group' | 'version' | 'kind'>;

/** The fields at a path of a kind whose names begin as its last segment does. */
export function fieldsAt(catalog: Catalog, kind: KindName, segments: readonly string[]): readonly FoundField[] {
  const { definitions } = catalog;
  const parents = segments.slice(0, -1);
  const last = (segments.at(-1) ?? '').toLowerCase();
  let schema = typeOfKind(catalog, kind);
  for (const segment of parents) schema = resolved(definitions, getOwn(asRecord(at(schema, 'properties')), segment));
  return Object.entries(asRecord(at(schema, 'properties')))
    .filter(([name]) => name.toLowerCase().startsWith(last))
    .map(([name, field]) => documented(definitions, [...parents, name], field));
}

export interface FieldOfKind<K extends KindName> extends FoundField {
  readonly of: K;
}

/**
 * Fields at any depth whose names begin with a word. The first kinds come first, fields near the top before deeper ones. A
 * type that several kinds share, such as that of a pod's template, is told of once.
 */
export function fieldsNamed<K extends KindName>(
  catalog: Catalog,
  kinds: readonly K[],
  word: string,
  most: number,
): readonly FieldOfKind<K>[] {
  const { definitions } = catalog;
  const wanted = word.toLowerCase();
  const found: FieldOfKind<K>[] = [];
  const seen = new Set<unknown>();
  const queue = kinds.map((of) => ({ of, path: [] as readonly string[], schema: typeOfKind(catalog, of) }));
  for (const { of, path, schema } of queue) {
    if (seen.has(schema) || found.length >= most) continue;
    seen.add(schema);
    for (const [name, field] of Object.entries(asRecord(at(schema, 'properties')))) {
      const place = [...path, name];
      if (name.toLowerCase().startsWith(wanted)) found.push({ of, ...documented(definitions, place, field) });
      queue.push({ of, path: place, schema: resolved(definitions, field) });
    }
  }
  return found.slice(0, most);
}

/** `pod.spec.`: a resource by any of its names, then a path; undefined for any other text. */
export const fieldPathIn = (text: string): readonly string[] | undefined => {
  const path = text.trim().split('.');
  return path.length > 1 && /^[a-z]/i.test(text) && !/\s/.test(text.trim()) ? path : undefined;
};

const MOST_NAMED = 6;
/** Fields are looked for by name from this many letters on: most short words mean something else. */
const FEWEST_LETTERS = 5;
/** The kinds that people ask about most; the others follow in the server's order. */
const FIRST = ['pods', 'deployments', 'services'];

/** The kinds that can be listed, those of `FIRST` first. */
function inOrder(resources: readonly Resource[]): readonly Resource[] {
  const rank = ({ resource }: Resource): number => (FIRST.includes(resource) ? FIRST.indexOf(resource) : FIRST.length);
  return resources.filter(({ verbs }) => verbs.includes('list')).toSorted((a, b) => rank(a) - rank(b));
}

/** Commands for the fields that `text` means: each puts its explanation into the terminal. */
export interface FoundFields {
  /** Those at the path that it is. */
  readonly atPath: readonly Command[];
  /** Those of its name. */
  readonly named: readonly Command[];
}

export function useFoundFields(text: string): FoundFields {
  const resources = useResources((state) => state.resources);
  const path = fieldPathIn(text);
  const word = text.trim();
  const isWord = /^[a-z]+$/i.test(word) && word.length >= FEWEST_LETTERS;
  const catalog = useCatalog(path !== undefined || isWord);
  return useMemo(() => {
    const segments = fieldPathIn(text);
    const resource = segments && resourceByWord(resources, segments[0] ?? '');
    const atPath = catalog && resource ? fieldsAt(catalog, resource, segments.slice(1)) : [];
    const named = catalog && isWord ? fieldsNamed(catalog, inOrder(resources), word, MOST_NAMED) : [];
    return {
      atPath: atPath.map((field) => explain(segments?.[0] ?? '', resource?.resource ?? '', field)),
      named: named.map((field) => explain(field.of.singularName || field.of.resource, field.of.resource, field)),
    };
  }, [text, word, isWord, catalog, resources]);
}

const explain = (shown: string, resource: string, { path, type, description }: FoundField): Command => ({
  key: `field:${resource}.${path}`,
  icon: BookOpen,
  label: `${shown}.${path}`,
  note: `<${type}> ${description}`,
  run: () => openTerminal(`kubectl explain ${resource}.${path}`),
});

/** The server's document; undefined until it is `asked` for and has come. */
function useCatalog(asked: boolean): Catalog | undefined {
  const client = useObserver();
  const [catalog, setCatalog] = useState<Catalog>();
  useEffect(() => {
    if (!asked) return undefined;
    let gone = false;
    loadCatalog(client)
      .then((loaded) => gone || setCatalog(loaded))
      .catch(() => undefined);
    return () => void (gone = true);
  }, [client, asked]);
  return catalog;
}
