/** Plays steps: what makes a lesson's start state, and what its reference solution does. */
import { certificateTransport, Client, discover, type ResourceRef } from '../../client/index.ts';
import { StatusError, type ApiObject } from '../../schema/index.ts';
import { decodeText, fromBase64, isObject, loadYaml, must, yaml } from '../../std/index.ts';
import { readPath } from './fields.ts';
import type { Asker, Check, Step } from './lesson.ts';
import { PLAYER, type LessonCluster } from './surroundings.ts';
import { fillKept } from './words.ts';

/** Resolves when a check holds. */
export type WaitFor = (check: Check) => Promise<void>;

interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** Plays steps one after the other; what they keep is kept for the later ones. */
export class Player {
  readonly #cluster: LessonCluster;
  readonly #waitFor: WaitFor;
  readonly #kept = new Map<string, string>();
  #resources: readonly ResourceRef[] = [];

  constructor(cluster: LessonCluster, waitFor: WaitFor) {
    this.#cluster = cluster;
    this.#waitFor = waitFor;
  }

  /** Rejects with what the server said, where it refuses what should succeed. */
  async play(steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.#step(fillKept(step, this.#kept));
  }

  async #step(step: Step): Promise<void> {
    switch (step.do) {
      case 'apply':
        return this.#apply(step.manifest, step.as);
      case 'request':
        return this.#request(step);
      case 'wait':
        return this.#waitFor(step.for);
      case 'clock':
        return void (await this.#cluster.step(step.seconds * 1000));
    }
  }

  async #apply(text: string, as: Asker | undefined): Promise<void> {
    const client = await this.#client(as);
    await loadYaml();
    for (const document of yaml().parseAllDocuments(text)) {
      const object: unknown = document.toJS();
      if (isApiObject(object)) await this.#put(client, object);
    }
  }

  async #put(client: Client, object: ApiObject): Promise<void> {
    const ref = await this.#resourceOf(object);
    const { namespace = ref.namespaced ? 'default' : undefined } = object.metadata;
    const placed = { ...object, metadata: { ...object.metadata, ...(namespace !== undefined && { namespace }) } };
    // A new namespace gets its service account a moment later; pods wait for it.
    if (namespace !== undefined && ref.resource === 'pods') await this.#waitFor(accountOf(namespace));
    const present = await client
      .of(ref)
      .create(placed)
      .then(() => undefined, takeConflict);
    if (!present) return;
    const before = await client.of(ref).get(object.metadata.name ?? '', namespace);
    const { resourceVersion } = before.metadata;
    await client
      .of(ref)
      .update({ ...placed, metadata: { ...placed.metadata, ...(resourceVersion && { resourceVersion }) } });
  }

  async #resourceOf({ apiVersion, kind }: ApiObject): Promise<ResourceRef> {
    const find = (): ResourceRef | undefined =>
      this.#resources.find(
        (each) => each.kind === kind && (each.group ? `${each.group}/${each.version}` : each.version) === apiVersion,
      );
    if (!find()) this.#resources = (await discover(await this.#client(undefined))).resources;
    const found = find();
    if (!found) throw new Error(`The server does not serve ${String(kind)} in ${String(apiVersion)}.`);
    return found;
  }

  async #request(step: Extract<Step, { do: 'request' }>): Promise<void> {
    const { method, path, body, contentType, expect, keep = {} } = step;
    const client = await this.#client(step.as);
    const options = { method, ...(body !== undefined && { body }), ...(contentType !== undefined && { contentType }) };
    const answer = await client.raw(path, options).then(readAnswer, (problem: unknown) => {
      if (expect === undefined || refusalOf(problem)?.code !== expect) throw problem;
    });
    if (expect !== undefined && answer !== undefined)
      throw new Error(`${method} ${path} was to be refused with ${expect}, and was not.`);
    for (const [word, field] of Object.entries(keep)) this.#kept.set(word, String(readPath(answer, field) ?? ''));
  }

  async #client(as: Asker = {}): Promise<Client> {
    const { names } = this.#cluster;
    return new Client({ transport: await this.#transport(as), names, userAgent: PLAYER });
  }

  async #transport(as: Asker): Promise<LessonCluster['transport']> {
    const { transport } = this.#cluster;
    const { certificate, key, token, user, groups = [] } = as;
    if (certificate !== undefined && key !== undefined) return this.#proving(certificate, key);
    if (token === undefined && user === undefined) return transport;
    return (path, init) => {
      const headers = new Headers(init?.headers);
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      if (user !== undefined) headers.set('impersonate-user', user);
      for (const group of groups) headers.append('impersonate-group', group);
      return transport(path, { ...init, headers });
    };
  }

  async #proving(certificate: string, key: string): Promise<LessonCluster['transport']> {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
    const pem = decodeText(must(fromBase64(certificate), 'a step proves a certificate in base64'));
    const pkcs8 = must(fromBase64(key), 'a step holds a key in base64');
    const held = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
    return certificateTransport(
      this.#cluster.transport,
      { certificate: pem, key: held },
      { now: () => this.#cluster.now(), random: this.#cluster.random },
    );
  }
}

const accountOf = (namespace: string): Check => ({
  look: 'object',
  resource: 'v1/serviceaccounts',
  namespace,
  name: 'default',
  fields: [{ path: 'secrets[0].name', exists: true }],
  says: 'The namespace has its service account.',
});

function isApiObject(value: unknown): value is ApiObject {
  return isObject(value) && typeof value['kind'] === 'string' && isObject(value['metadata']);
}

const ALREADY_EXISTS = 409;

function takeConflict(problem: unknown): true {
  if (refusalOf(problem)?.code === ALREADY_EXISTS) return true;
  throw problem;
}

const refusalOf = (problem: unknown): Refusal | undefined =>
  problem instanceof StatusError ? { code: problem.status.code, message: problem.message } : undefined;

/** The answer as JSON; a watch and logs are read as text, since they are not one value. */
async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
