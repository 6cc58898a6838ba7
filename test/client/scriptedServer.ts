import type { ApiObject } from '../../src/schema/index.ts';
import type { Transport, WatchEvent } from '../../src/client/index.ts';

interface OpenWatch {
  readonly send: (line: unknown) => void;
  readonly end: () => void;
}

/** The collection `/api/v1/configmaps` of a server whose watches a test can break, and whose history it can forget. */
export class ScriptedServer {
  readonly requests: string[] = [];
  readonly #objects = new Map<string, ApiObject>();
  #history: WatchEvent[] = [];
  #watches: OpenWatch[] = [];
  #revision = 0;
  #kept = 0;
  refusing = false;

  readonly transport: Transport = (path, init) => {
    this.requests.push(`${init?.method ?? 'GET'} ${path}`);
    const query = new URL(path, 'http://server').searchParams;
    if (this.refusing)
      return answer({ kind: 'Status', code: 503, status: 'Failure', message: 'down', metadata: {} }, 503);
    if (query.get('watch') === 'true')
      return this.#watch(Number(query.get('resourceVersion')), init?.signal ?? undefined);
    return answer({
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: String(this.#revision) },
      items: [...this.#objects.values()].map(({ apiVersion: _a, kind: _k, ...item }) => item),
    });
  };

  put(name: string, data: string, uid = `uid-${name}`): void {
    const type = this.#objects.has(name) ? 'MODIFIED' : 'ADDED';
    const metadata = { name, namespace: 'ns', uid, resourceVersion: String(++this.#revision), creationTimestamp: null };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { data } };
    this.#objects.set(name, object);
    this.#tell({ type, object });
  }

  remove(name: string): void {
    const object = this.#objects.get(name) as ApiObject;
    this.#objects.delete(name);
    const metadata = { ...object.metadata, resourceVersion: String(++this.#revision) };
    this.#tell({ type: 'DELETED', object: { ...object, metadata } });
  }

  bookmark(): void {
    this.#revision += 1;
    const object = { metadata: { resourceVersion: String(this.#revision), creationTimestamp: null } };
    for (const watch of this.#watches) watch.send({ type: 'BOOKMARK', object });
  }

  /** Ends all open watches. */
  breakWatches(): void {
    for (const watch of this.#watches.splice(0)) watch.end();
  }

  /** Forgets everything before now: watches from older revisions are answered with 410. */
  compact(): void {
    this.#kept = this.#revision;
    this.#history = [];
  }

  #tell(event: WatchEvent): void {
    this.#history.push(event);
    for (const watch of this.#watches) watch.send(event);
  }

  #watch(from: number, signal: AbortSignal | undefined): Promise<Response> {
    if (from < this.#kept)
      return answer({ kind: 'Status', code: 410, reason: 'Expired', status: 'Failure', metadata: {} }, 410);
    const missed = this.#history.filter((event) => Number(event.object.metadata.resourceVersion) > from);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const send = (line: unknown): void => controller.enqueue(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
        missed.forEach(send);
        this.#watches.push({ send, end: () => controller.close() });
        signal?.addEventListener('abort', () => controller.error(new DOMException('aborted', 'AbortError')));
      },
    });
    return Promise.resolve(new Response(body));
  }
}

function answer(body: unknown, status = 200): Promise<Response> {
  return Promise.resolve(Response.json(body, { status }));
}
