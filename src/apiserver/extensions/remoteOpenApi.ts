/**
 * Merges the OpenAPI documents of other API servers into the own: the paths of their group and version, and the
 * definitions that these use. A document is fetched when somebody reads the merged one, at most once a minute.
 */
import { encodeOpenApi, type OpenApiDocument } from '../../schema/index.ts';
import { deepEqual, delay, getOwn, isObject, nestsDeeper, setOwn } from '../../std/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { RequestContext } from '../context.ts';
import { addressOf, type AggregationServer, type ApiService } from './aggregation.ts';

type Json = Record<string, unknown>;

/** The last answer of a server. */
interface Known {
  /** The API service at the time of the request. */
  readonly service: ApiService;
  readonly at: number;
  readonly document: Json | undefined;
}

/** Milliseconds after which a document is fetched again, and the time limit of a fetch. */
const [FRESH, LIMIT] = [60_000, 5_000];
/** The maximum size of a document in characters. */
const LARGEST = 4 * 1024 * 1024;
/** The maximum nesting of a document, so that recursion over it can't exhaust the stack. */
const MOST_LEVELS = 200;
const REF = '#/definitions/';

const known = new WeakMap<Storage, Map<string, Known>>();
const merged = new WeakMap<OpenApiDocument, { readonly of: readonly unknown[]; readonly document: OpenApiDocument }>();

/** The merged document. It returns the same value until a remote document changes. */
export async function withRemote(
  { server }: RequestContext<AggregationServer>,
  own: OpenApiDocument,
  services: readonly ApiService[],
): Promise<OpenApiDocument> {
  const found = await Promise.all(services.map((service) => documentOf(server, service)));
  const before = merged.get(own);
  if (before && deepEqualRefs(before.of, found)) return before.document;
  const parts = services.flatMap((service, i) => {
    const part = { prefix: `/apis/${service.spec.group}/${service.spec.version}/`, document: found[i] ?? {} };
    return isSound(own, part) ? [part] : [];
  });
  const document = mergeDocuments(own, parts);
  merged.set(own, { of: found, document });
  return document;
}

/** Whether a part can be encoded by itself, so that an invalid part does not break the others. */
function isSound(own: OpenApiDocument, part: RemotePart): boolean {
  try {
    encodeOpenApi(mergeDocuments({ ...own, paths: {}, definitions: {} }, [part]));
    return true;
  } catch {
    return false;
  }
}

const deepEqualRefs = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i]);

async function documentOf(server: AggregationServer, service: ApiService): Promise<Json | undefined> {
  const cache = known.get(server.storage) ?? new Map<string, Known>();
  known.set(server.storage, cache);
  const { name = '', resourceVersion } = service.metadata;
  const before = cache.get(name);
  const last = before && isSameServer(before.service, service) ? before : undefined;
  const now = server.clock.now();
  if (last && last.service.metadata.resourceVersion === resourceVersion && now < last.at + FRESH) return last.document;
  const asked = await ask(server, service);
  // Equal documents are replaced by the previous value, to keep its identity.
  const document = asked && deepEqual(asked, last?.document) ? last?.document : (asked ?? last?.document);
  cache.set(name, { service, at: now, document });
  return document;
}

/** A document is not reused for another server that replaced the first. */
const isSameServer = (before: ApiService, now: ApiService): boolean =>
  before.metadata.uid === now.metadata.uid && deepEqual(before.spec, now.spec);

/** Undefined if the server doesn't answer with a document. */
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
    return isObject(value) && !nestsDeeper(value, MOST_LEVELS) ? value : undefined;
  };
  try {
    return await Promise.race([answered().catch(() => undefined), late]);
  } finally {
    over.abort();
  }
}

export interface RemotePart {
  /** The prefix of the server's paths. */
  readonly prefix: string;
  readonly document: Json;
}

/**
 * Adds paths and definitions of other servers. Existing ones stay; a different definition of the same name gets a
 * number.
 */
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

/** Adds the used definitions of a server; returns their new names. */
function addDefinitions(definitions: Json, given: Json, users: unknown): ReadonlyMap<string, string> {
  const used = new Set<string>();
  collect(users, given, used);
  const names = namesFor(definitions, given, used);
  for (const [name, as] of names)
    if (!Object.hasOwn(definitions, as)) setOwn(definitions, as, renamed(getOwn(given, name), names));
  return names;
}

/**
 * A name for each definition: its own, or a numbered one if another definition has that name. Definitions are compared
 * with their new names inside, so a definition that refers to a numbered one gets a number too.
 */
function namesFor(definitions: Json, given: Json, used: ReadonlySet<string>): ReadonlyMap<string, string> {
  const names = new Map([...used].map((name) => [name, name]));
  const differs = ([name, as]: readonly [string, string]): boolean =>
    Object.hasOwn(definitions, as) && !deepEqual(getOwn(definitions, as), renamed(getOwn(given, name), names));
  const numbers = new Map<string, number>();
  for (let taken = [...names].filter(differs); taken.length > 0; taken = [...names].filter(differs))
    for (const [name] of taken) names.set(name, nextName(name, numbers, names));
  return names;
}

/** The name with the next number that is not in use. */
function nextName(name: string, numbers: Map<string, number>, names: ReadonlyMap<string, string>): string {
  const others = new Set(names.values());
  for (let number = (numbers.get(name) ?? 1) + 1; ; number += 1) {
    numbers.set(name, number);
    const as = `${name}_v${number}`;
    if (!names.has(as) && !others.has(as)) return as;
  }
}

/** The definitions of `given` that a value refers to, transitively. */
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

/** A copy of a value with renamed references. */
function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => renamed(each, names));
  if (!isObject(value)) return value;
  const as = names.get(refOf(value) ?? '');
  const copy: Json = {};
  for (const [key, each] of Object.entries(value)) setOwn(copy, key, renamed(each, names));
  if (as !== undefined) copy['$ref'] = REF + as;
  return copy;
}
