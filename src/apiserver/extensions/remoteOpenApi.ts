/**
 * The OpenAPI documents of other API servers, as part of the own: their paths below the group and version that they answer
 * for, and the definitions that these use. A document is asked for when somebody reads the whole, at most once a minute.
 */
import type { OpenApiDocument } from '../../schema/index.ts';
import { deepEqual, delay, getOwn, isObject, setOwn } from '../../std/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { RequestContext } from '../context.ts';
import { addressOf, type AggregationServer, type ApiService } from './aggregation.ts';

type Json = Record<string, unknown>;

/** What a server answered last. */
interface Known {
  /** The API service as it was when it was asked. */
  readonly about: string | undefined;
  readonly at: number;
  readonly document: Json | undefined;
}

/** Milliseconds after which a document is asked for again, and for which an answer is waited. */
const [FRESH, LIMIT] = [60_000, 5_000];
/** Characters of a document. */
const LARGEST = 4 * 1024 * 1024;
const REF = '#/definitions/';

const known = new WeakMap<Storage, Map<string, Known>>();
const merged = new WeakMap<OpenApiDocument, { readonly of: readonly unknown[]; readonly document: OpenApiDocument }>();

/** The document with what other servers add to it. The same value until one of them says something else. */
export async function withRemote(
  { server }: RequestContext<AggregationServer>,
  own: OpenApiDocument,
  services: readonly ApiService[],
): Promise<OpenApiDocument> {
  const found = await Promise.all(services.map((service) => documentOf(server, service)));
  const parts = services.flatMap((service, i) => {
    const document = found[i];
    return document ? [{ prefix: `/apis/${service.spec.group}/${service.spec.version}/`, document }] : [];
  });
  const before = merged.get(own);
  if (before && deepEqualRefs(before.of, found)) return before.document;
  const document = mergeDocuments(own, parts);
  merged.set(own, { of: found, document });
  return document;
}

const deepEqualRefs = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i]);

async function documentOf(server: AggregationServer, service: ApiService): Promise<Json | undefined> {
  const cache = known.get(server.storage) ?? new Map<string, Known>();
  known.set(server.storage, cache);
  const { name = '', resourceVersion: about } = service.metadata;
  const last = cache.get(name);
  const now = server.clock.now();
  if (last && last.about === about && now < last.at + FRESH) return last.document;
  const asked = await ask(server, service);
  // One that says the same as before is the same.
  const document = asked && deepEqual(asked, last?.document) ? last?.document : (asked ?? last?.document);
  cache.set(name, { about, at: now, document });
  return document;
}

/** Undefined where the server doesn't answer with a document. */
async function ask({ fetch, clock }: AggregationServer, service: ApiService): Promise<Json | undefined> {
  const { base, trust } = addressOf(service);
  const over = new AbortController();
  const headers = {
    accept: 'application/json',
    'x-remote-user': 'system:aggregator',
    'x-remote-group': 'system:masters',
  };
  const request = new Request(`${base}/openapi/v2`, { headers, signal: over.signal });
  const late = delay(clock, LIMIT, over.signal).then(() => undefined);
  const answered = async (): Promise<Json | undefined> => {
    const answer = await fetch?.(request, trust);
    const text = answer?.ok ? await answer.text() : '';
    const value: unknown = text === '' || text.length > LARGEST ? undefined : JSON.parse(text);
    return isObject(value) ? value : undefined;
  };
  try {
    return await Promise.race([answered().catch(() => undefined), late]);
  } finally {
    over.abort();
  }
}

export interface RemotePart {
  /** What the paths of the server begin with. */
  readonly prefix: string;
  readonly document: Json;
}

/** Adds paths and definitions of other servers. What the own document has already stays; another definition of the same name gets a number. */
export function mergeDocuments(own: OpenApiDocument, parts: readonly RemotePart[]): OpenApiDocument {
  const paths: Json = { ...own.paths };
  const definitions: Json = { ...own.definitions };
  for (const { prefix, document } of parts) {
    const given = isObject(document['paths']) ? document['paths'] : {};
    const added = Object.entries(given).filter(([path]) => path.startsWith(prefix) && !Object.hasOwn(paths, path));
    const names = addDefinitions(definitions, isObject(document['definitions']) ? document['definitions'] : {}, added);
    for (const [path, item] of added) setOwn(paths, path, renamed(item, names));
  }
  const sorted = (all: Json): Json => Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...own, paths: sorted(paths), definitions: sorted(definitions) } as OpenApiDocument;
}

/** Adds what is used of a server's definitions; the result says under which names. */
function addDefinitions(definitions: Json, given: Json, users: unknown): ReadonlyMap<string, string> {
  const used = new Set<string>();
  collect(users, given, used);
  const names = new Map<string, string>();
  for (const name of used) names.set(name, freeName(definitions, name, getOwn(given, name)));
  for (const [name, as] of names)
    if (!Object.hasOwn(definitions, as)) setOwn(definitions, as, renamed(getOwn(given, name), names));
  return names;
}

function freeName(definitions: Json, name: string, definition: unknown): string {
  let as = name;
  for (let i = 2; Object.hasOwn(definitions, as) && !deepEqual(getOwn(definitions, as), definition); i++)
    as = `${name}_v${i}`;
  return as;
}

/** The definitions of `given` that a value refers to, and those that these refer to. */
function collect(value: unknown, given: Json, used: Set<string>): void {
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) open.push(...(next as unknown[]));
    else if (isObject(next)) {
      const name = refOf(next);
      if (name !== undefined && !used.has(name) && Object.hasOwn(given, name)) {
        used.add(name);
        open.push(given[name]);
      }
      open.push(...Object.values(next));
    }
  }
}

const refOf = (value: Json): string | undefined => {
  const ref = getOwn(value, '$ref');
  return typeof ref === 'string' && ref.startsWith(REF) ? ref.slice(REF.length) : undefined;
};

/** A value whose references have other names. */
function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => renamed(each, names));
  if (!isObject(value)) return value;
  const as = names.get(refOf(value) ?? '');
  const copy: Json = {};
  for (const [key, each] of Object.entries(value)) setOwn(copy, key, renamed(each, names));
  if (as !== undefined) copy['$ref'] = REF + as;
  return copy;
}
