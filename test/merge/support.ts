/** Objects of real kinds, and a history of writes to one of them, without a server. */
import { parse } from 'yaml';
import { createFieldManager, keepEmptyOwners } from '../../src/merge/index.ts';
import type { FieldManager } from '../../src/merge/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { createScheme, kinds, StatusError } from '../../src/schema/index.ts';
import type { ApiObject, ManagedFieldsEntry, Node, Resource, Status } from '../../src/schema/index.ts';
import { atOnce, isObject } from '../../src/std/index.ts';

export const names = namesOf('k8s.io');
export const scheme = createScheme(names, kinds);

/** The resource of `apps/v1 Deployment`. */
export function resource(text: string): Resource {
  const [apiVersion = '', kind = ''] = text.split(' ');
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const found = scheme.byKind({ group: group ?? '', version: version ?? '', kind });
  if (!found) throw new Error(`no kind ${text}`);
  return found;
}

export function yaml(text: string): Record<string, unknown> {
  const value: unknown = parse(text);
  if (!isObject(value)) throw new Error('not an object');
  return value;
}

/** A scheme's field manager for one kind, restricted to some of its versions if given. */
export function managerOf(kind: string, group: string, served?: readonly string[]): FieldManager {
  const at = (apiVersion: string): Resource | undefined => {
    if (served && !served.includes(apiVersion)) return undefined;
    const [g, v] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    return g === group ? scheme.byKind({ group, version: v ?? '', kind }) : undefined;
  };
  return createFieldManager({
    names,
    kind,
    node: (apiVersion) => at(apiVersion)?.node,
    empty: (apiVersion) => scheme.decode(resource(`${apiVersion} ${kind}`).node, {}) as ApiObject,
    convert: (object, apiVersion) => {
      const [from, to] = [at(object.apiVersion ?? ''), at(apiVersion)];
      if (!from || !to) throw new Error(`no conversion to ${apiVersion}`);
      return scheme.convert(scheme.decode(from.node, object) as ApiObject, from, to);
    },
  });
}

/** One object of a kind, written to by several managers, a second apart. */
export class History {
  readonly #resource: Resource;
  #manager: FieldManager;
  #now = Date.parse('2021-01-01T00:00:00Z');
  live: ApiObject | undefined;

  constructor(kind: string) {
    this.#resource = resource(kind);
    this.#manager = managerOf(this.#resource.gvk.kind, this.#resource.gvk.group);
  }

  /** From now on only these versions are served. */
  serve(versions: readonly string[]): void {
    this.#manager = managerOf(this.#resource.gvk.kind, this.#resource.gvk.group, versions);
  }

  update(
    manager: string,
    object: string | Record<string, unknown>,
    options: { subresource?: boolean } = {},
  ): ApiObject {
    const sent = typeof object === 'string' ? yaml(object) : object;
    const next = this.#complete(sent);
    return this.#store(
      atOnce(
        this.#manager.update({
          live: this.live,
          next,
          manager,
          apiVersion: String(sent['apiVersion']),
          now: this.#tick(),
          ...options,
        }),
      ),
    );
  }

  apply(
    manager: string,
    configuration: string | Record<string, unknown>,
    options: { force?: boolean; apiVersion?: string } = {},
  ): ApiObject {
    const applied = typeof configuration === 'string' ? yaml(configuration) : configuration;
    const apiVersion = options.apiVersion ?? String(applied['apiVersion']);
    const force = options.force ?? false;
    const request = { live: this.live, applied, manager, force, apiVersion, now: this.#tick() };
    return this.#store(this.#complete(atOnce(this.#manager.apply(request))));
  }

  /** Owners as `manager operation apiVersion`, with their fields. */
  owners(): Record<string, unknown> {
    const entries = this.live?.metadata.managedFields ?? [];
    return Object.fromEntries(entries.map((entry) => [`${entry.manager} ${entry.operation}`, entry.fieldsV1]));
  }

  entries(): readonly ManagedFieldsEntry[] {
    return this.live?.metadata.managedFields ?? [];
  }

  entry(manager: string): ManagedFieldsEntry | undefined {
    return this.entries().find((entry) => entry.manager === manager);
  }

  #tick(): number {
    return (this.#now += 1000);
  }

  #complete(object: object): ApiObject {
    const { apiVersion = this.#resource.apiVersion } = object as ApiObject;
    const at = resource(`${apiVersion} ${this.#resource.gvk.kind}`);
    const decoded = scheme.decode(at.node, object, 'sent') as ApiObject;
    keepEmptyOwners(decoded, object);
    scheme.applyDefaults(at, decoded);
    return decoded;
  }

  #store(object: ApiObject): ApiObject {
    this.live = { ...object, metadata: { uid: 'u', ...object.metadata } };
    return this.live;
  }
}

/** The Status with which a call is refused. */
export function refusal(call: () => unknown): Status {
  try {
    call();
  } catch (error) {
    if (error instanceof StatusError) return error.status;
    throw error;
  }
  throw new Error('the call was not refused');
}

export function nodeOf(kind: string): Node {
  return resource(kind).node;
}
