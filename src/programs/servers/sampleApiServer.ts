/** The reference's example of an API server: `flunders` and `fischers` of `wardle.example.com`, kept in memory. */
import { decodeText, getOwn, isObject } from '../../std/index.ts';
import type { HttpRequest } from '../network/http.ts';
import { serveHttp, urlOf, type Answer } from '../network/index.ts';
import type { Process, Program } from '../process.ts';
import { out, readOptions } from '../tools/tool.ts';

const GROUP = 'wardle.example.com';
const VERSIONS = ['v1alpha1', 'v1beta1'];

interface Kind {
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
}

const KINDS: Readonly<Record<string, Kind>> = {
  flunders: { kind: 'Flunder', singular: 'flunder', namespaced: true },
  fischers: { kind: 'Fischer', singular: 'fischer', namespaced: false },
};
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

interface Stored {
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly place: string;
  readonly object: Stored;
}

/** The resource that a path refers to. */
interface Target extends Kind {
  readonly version: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The objects of one server. A key is `resource/namespace/name`. */
class Store {
  readonly #objects = new Map<string, Stored>();
  readonly #listeners = new Set<(change: Change) => void>();
  #revision = 1;

  get revision(): string {
    return String(this.#revision);
  }

  get(key: string): Stored | undefined {
    return this.#objects.get(key);
  }

  below(place: string): Stored[] {
    return [...this.#objects].filter(([key]) => key.startsWith(place)).map(([, object]) => object);
  }

  put(key: string, object: Stored): Stored {
    const type = this.#objects.has(key) ? 'MODIFIED' : 'ADDED';
    const resourceVersion = String(++this.#revision);
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion } };
    this.#objects.set(key, stored);
    this.#tell({ type, place: key, object: stored });
    return stored;
  }

  remove(key: string, object: Stored): void {
    this.#revision++;
    this.#objects.delete(key);
    this.#tell({ type: 'DELETED', place: key, object });
  }

  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** Serves over TLS with the certificate of its options. */
export const sampleApiServer: Program = async (process) => {
  const options = readOptions(process.args.slice(1), '', 'v', [
    ...['etcd-servers=', 'tls-cert-file=', 'tls-private-key-file=', 'secure-port=', 'feature-gates='],
    ...['audit-log-path=', 'audit-log-maxage=', 'audit-log-maxbackup=', 'v=', 'alsologtostderr'],
  ]);
  const file = options.value('tls-cert-file');
  const port = Number(options.value('secure-port') ?? 443);
  const store = new Store();
  const tls = file === undefined ? {} : { tls: { certificate: process.files.text(file) } };
  serveHttp(process, port, (request) => answer(request, store, process), tls);
  await out(process, `Serving securely on [::]:${port}\n`);
  return process.stay();
};

function answer(request: HttpRequest, store: Store, process: Process): Answer {
  const url = urlOf(request);
  if (['/healthz', '/readyz', '/livez'].includes(url.pathname)) return { body: 'ok' };
  const document = documentAt(url.pathname.replace(/\/$/, ''));
  if (document) return json(200, document);
  const target = targetOf(url.pathname);
  if (!target) return failure(404, 'NotFound', 'the server could not find the requested resource');
  const handler = getOwn(target.name === '' ? COLLECTION : OBJECT, request.method);
  if (!handler)
    return failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
  return handler({ target, store, process, url, body: decodeText(request.body) });
}

/** Discovery; undefined for anything else. */
function documentAt(path: string): object | undefined {
  const versions = VERSIONS.map((version) => ({ groupVersion: `${GROUP}/${version}`, version }));
  const group = { name: GROUP, versions, preferredVersion: versions[0] };
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: [group] };
  if (path === `/apis/${GROUP}`) return { kind: 'APIGroup', apiVersion: 'v1', ...group };
  if (path === '/openapi/v2') return openApi();
  const version = VERSIONS.find((known) => path === `/apis/${GROUP}/${known}`);
  if (version === undefined) return undefined;
  const resources = served(version).map(([name, { kind, singular, namespaced }]) => ({
    ...{ name, singularName: singular, namespaced, kind, verbs: VERBS },
  }));
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${GROUP}/${version}`, resources };
}

const META = '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1';

/** The kinds with their fields. What all API servers define alike, this one leaves to the one that passes requests on to it. */
function openApi(): object {
  const all = VERSIONS.flatMap((version) =>
    served(version).map(([resource, kind]) => ({ version, resource, ...kind })),
  );
  const nameOf = (version: string, kind: string): string =>
    `io.k8s.sample-apiserver.pkg.apis.wardle.${version}.${kind}`;
  const definitions = all.map(({ version, kind }) => [
    nameOf(version, kind),
    {
      type: 'object',
      properties: {
        apiVersion: { type: 'string', description: 'The version of the schema of this object.' },
        kind: { type: 'string', description: 'The kind of this object.' },
        metadata: { $ref: `${META}.ObjectMeta` },
        ...(kind === 'Flunder' && {
          spec: { type: 'object', properties: { reference: { type: 'string' } } },
          status: { type: 'object' },
        }),
      },
      'x-kubernetes-group-version-kind': [{ group: GROUP, version, kind }],
    },
  ]);
  const paths = all.map(({ version, resource, kind, namespaced }) => [
    `/apis/${GROUP}/${version}/${namespaced ? 'namespaces/{namespace}/' : ''}${resource}/{name}`,
    {
      get: {
        description: `read the specified ${kind}`,
        produces: ['application/json'],
        schemes: ['https'],
        tags: [`wardleExampleCom_${version}`],
        operationId: `readWardleExampleCom${version}${kind}`,
        responses: { 200: { description: 'OK', schema: { $ref: `#/definitions/${nameOf(version, kind)}` } } },
        'x-kubernetes-action': 'get',
        'x-kubernetes-group-version-kind': { group: GROUP, version, kind },
      },
    },
  ]);
  return {
    ...{ swagger: '2.0', info: { title: 'Wardle', version: '0.1' } },
    ...{ paths: Object.fromEntries(paths) as object, definitions: Object.fromEntries(definitions) as object },
  };
}

const served = (version: string): [string, Kind][] =>
  Object.entries(KINDS).filter(([name]) => name === 'flunders' || version === 'v1alpha1');

function targetOf(path: string): Target | undefined {
  const [, root, group, version = '', ...rest] = path.split('/').map(decodeURIComponent);
  if (root !== 'apis' || group !== GROUP) return undefined;
  const [namespace, resource = '', name = ''] = rest[0] === 'namespaces' ? rest.slice(1) : ['', ...rest];
  const kind = served(version).find(([known]) => known === resource)?.[1];
  return kind && { ...kind, version, resource, namespace: namespace ?? '', name };
}

interface ParsedRequest {
  readonly target: Target;
  readonly store: Store;
  readonly process: Process;
  readonly url: URL;
  readonly body: string;
}

type Handler = (asked: ParsedRequest) => Answer;

const placeOf = ({ resource, namespace }: Target): string => `${resource}/${namespace === '' ? '' : `${namespace}/`}`;
const keyOf = ({ resource, namespace }: Target, name: string): string => `${resource}/${namespace}/${name}`;
const shown = ({ version, kind }: Target, object: Stored): object => ({
  kind,
  apiVersion: `${GROUP}/${version}`,
  ...object,
});

const COLLECTION: Readonly<Record<string, Handler>> = {
  GET: (asked) => (asked.url.searchParams.get('watch') === 'true' ? watch(asked) : list(asked)),
  POST: create,
  DELETE: ({ target, store }) => {
    const place = placeOf(target);
    const gone = store.below(place);
    for (const object of gone)
      store.remove(keyOf({ ...target, namespace: object.metadata.namespace ?? '' }, object.metadata.name), object);
    return json(200, listOf(target, gone, store));
  },
};

const OBJECT: Readonly<Record<string, Handler>> = {
  GET: onFound(({ target }, found) => json(200, shown(target, found))),
  PUT: onFound((asked, found) => replace(asked, found, objectIn(asked.body))),
  PATCH: onFound((asked, found) => replace(asked, found, merged(found, objectIn(asked.body)))),
  DELETE: onFound(({ target, store }, found) => {
    store.remove(keyOf(target, target.name), found);
    const details = { name: target.name, group: GROUP, kind: target.resource, uid: found.metadata['uid'] };
    return json(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
  }),
};

function onFound(handle: (asked: ParsedRequest, found: Stored) => Answer): Handler {
  return (asked) => {
    const { target, store } = asked;
    const found = store.get(keyOf(target, target.name));
    return found ? handle(asked, found) : named(404, 'NotFound', target, target.name, 'not found');
  };
}

const listOf = ({ version, kind }: Target, items: readonly Stored[], { revision }: Store): object => ({
  kind: `${kind}List`,
  apiVersion: `${GROUP}/${version}`,
  metadata: { resourceVersion: revision },
  items,
});

function list({ target, store, url }: ParsedRequest): Answer {
  const wanted = selectorOf(url);
  return json(200, listOf(target, store.below(placeOf(target)).filter(wanted), store));
}

/** Selects by name and by labels that have to be equal. */
function selectorOf({ searchParams }: URL): (object: Stored) => boolean {
  const terms = (name: string): [string, string][] =>
    (searchParams.get(name) ?? '')
      .split(',')
      .filter((term) => term.includes('='))
      .map((term) => term.split(/==?/) as [string, string]);
  const fields = terms('fieldSelector');
  const wanted = terms('labelSelector');
  return ({ metadata }) => {
    const labels = isObject(metadata['labels']) ? metadata['labels'] : {};
    const inFields = fields.every(([field, value]) => getOwn(metadata, field.replace('metadata.', '')) === value);
    return inFields && wanted.every(([label, value]) => getOwn(labels, label) === value);
  };
}

function create({ target, store, process, body }: ParsedRequest): Answer {
  const sent = objectIn(body);
  const given = isObject(sent['metadata']) ? sent['metadata'] : {};
  const { clock, random } = process.system;
  const suffix = (): string => random.uuid().slice(-5);
  const name = String(given['name'] ?? `${String(given['generateName'] ?? '')}${suffix()}`);
  const key = keyOf(target, name);
  if (store.get(key)) return named(409, 'AlreadyExists', target, name, 'already exists');
  const metadata = {
    ...given,
    name,
    ...(target.namespaced && { namespace: target.namespace }),
    uid: random.uuid(),
    creationTimestamp: new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
  };
  return json(201, shown(target, store.put(key, { spec: {}, status: {}, ...sent, metadata })));
}

function replace({ target, store }: ParsedRequest, found: Stored, sent: Readonly<Record<string, unknown>>): Answer {
  const given = isObject(sent['metadata']) ? sent['metadata'] : {};
  const { resourceVersion } = given;
  if (resourceVersion !== undefined && resourceVersion !== found.metadata['resourceVersion'])
    return named(
      409,
      'Conflict',
      target,
      target.name,
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  const { name, namespace, uid, creationTimestamp } = found.metadata;
  const metadata = { ...given, name, ...(namespace !== undefined && { namespace }), uid, creationTimestamp };
  return json(200, shown(target, store.put(keyOf(target, name), { ...sent, metadata })));
}

/** A merge patch: null takes a field away. */
function merged(
  object: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const result = new Map(Object.entries(object));
  for (const [key, value] of Object.entries(patch)) {
    const before = result.get(key);
    if (value === null) result.delete(key);
    else result.set(key, isObject(value) ? merged(isObject(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(result);
}

/** Events from now on; a watch without a version begins with what there is. */
function watch({ target, store, process, url }: ParsedRequest): Answer {
  const place = placeOf(target);
  const wanted = selectorOf(url);
  const queue: string[] = [];
  let wake: () => void = () => undefined;
  const line = (type: string, object: Stored): string => `${JSON.stringify({ type, object: shown(target, object) })}\n`;
  if ((url.searchParams.get('resourceVersion') ?? '0') === '0')
    queue.push(
      ...store
        .below(place)
        .filter(wanted)
        .map((object) => line('ADDED', object)),
    );
  const stop = store.listen((change) => {
    if (!change.place.startsWith(place) || !wanted(change.object)) return;
    queue.push(line(change.type, change.object));
    wake();
  });
  const seconds = Number(url.searchParams.get('timeoutSeconds') ?? 1800);
  let over = false;
  const { clock } = process.system;
  const timer = clock.setTimeout(() => ((over = true), wake()), seconds * 1000);
  async function* events(): AsyncGenerator<string> {
    try {
      while (!over) {
        const next = queue.shift();
        if (next !== undefined) yield next;
        else await process.wait(new Promise<void>((resolve) => (wake = resolve)));
      }
    } finally {
      stop();
      clock.clearTimeout(timer);
    }
  }
  return { headers: { 'Content-Type': 'application/json' }, parts: events() };
}

function objectIn(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : {};
}

const json = (status: number, value: object): Answer => ({
  status,
  body: `${JSON.stringify(value)}\n`,
  headers: { 'Content-Type': 'application/json' },
});

const failure = (code: number, reason: string, message: string, details?: object): Answer =>
  json(code, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details && { details }),
    code,
  });

const named = (code: number, reason: string, { resource }: Target, name: string, what: string): Answer =>
  failure(code, reason, `${resource}.${GROUP} ${JSON.stringify(name)} ${what}`, { name, group: GROUP, kind: resource });
