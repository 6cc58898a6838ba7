/** The operations of a resource, path by path, with the ids that generated clients are named after. */
import { getOwn } from '../../../std/index.ts';
import type { Names } from '../../../names/index.ts';
import type { GroupVersion, GroupVersionKind, Resource } from '../scheme.ts';
import type { Method, Operation, Parameter, PathItem, Schema } from './json.ts';
import {
  bodyParameter,
  DELETE_COLLECTION_QUERY,
  DELETE_QUERY,
  EXPORT_QUERY,
  LIST_QUERY,
  PATCH_QUERY,
  pathParameter,
  queryParameters,
  WRITE_QUERY,
} from './parameters.ts';

/** The definitions that the bodies of a resource refer to. */
export interface Bodies {
  readonly object: Schema;
  readonly list: Schema;
  readonly status: Schema;
  readonly deleteOptions: Schema;
  readonly patch: Schema;
  readonly watchEvent: Schema;
  /** Bodies of subresources, by kind. */
  of(gvk: GroupVersionKind): Schema | undefined;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A group and version as operation ids have them: `RbacAuthorizationV1`. */
export function idOf(names: Names, { group, version }: GroupVersion): string {
  return `${groupId(names, group)}${capital(version)}`;
}

export function groupId(names: Names, group: string): string {
  const own = group.endsWith(`.${names.domain}`) ? group.slice(0, -names.domain.length - 1) : group;
  return (own || 'core').split(/[.-]/).map(capital).join('');
}

/** A group and version as tags have them: `rbacAuthorization_v1`. */
export function tagOf(names: Names, group: string, version?: string): string {
  const id = groupId(names, group);
  const name = id.charAt(0).toLowerCase() + id.slice(1);
  return version === undefined ? name : `${name}_${version}`;
}

/** What an operation is, before what all operations have in common is added. */
interface Sketch {
  readonly action: string;
  readonly id: string;
  readonly description: string;
  readonly gvk: GroupVersionKind;
  readonly query?: readonly string[];
  readonly body?: Parameter;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  /** Answers by status code. */
  readonly answers: Readonly<Record<string, Schema | undefined>>;
}

const TEXTS: Readonly<Record<string, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

export class Operations {
  readonly #names: Names;
  readonly #resource: Resource;
  readonly #bodies: Bodies;
  readonly #id: string;

  constructor(names: Names, resource: Resource, bodies: Bodies) {
    this.#names = names;
    this.#resource = resource;
    this.#bodies = bodies;
    this.#id = idOf(names, resource.gvk);
  }

  /** All paths of the resource and its subresources. */
  paths(): Record<string, PathItem> {
    const { gvr, namespaced } = this.#resource;
    const root = gvr.group === '' ? `/api/${gvr.version}` : `/apis/${gvr.group}/${gvr.version}`;
    const scope = namespaced ? '/namespaces/{namespace}' : '';
    const collection = `${root}${scope}/${gvr.resource}`;
    const paths: Record<string, PathItem> = { [collection]: this.#collection() };
    if (this.#has('list') && namespaced) paths[`${root}/${gvr.resource}`] = this.#allNamespaces();
    if (this.#hasObject()) paths[`${collection}/{name}`] = this.#object();
    for (const [part, item] of this.#parts()) paths[`${collection}/{name}/${part}`] = item;
    if (this.#has('watch') && !this.#resource.custom) Object.assign(paths, this.#watches(root, scope));
    return Object.fromEntries(
      Object.entries(paths).filter(([, item]) => Object.keys(item).some((key) => key !== 'parameters')),
    );
  }

  #has(verb: string): boolean {
    return this.#resource.verbs.includes(verb);
  }

  #hasObject(): boolean {
    return ['get', 'update', 'patch', 'delete'].some((verb) => this.#has(verb));
  }

  get #kind(): string {
    return `${this.#resource.namespaced ? 'Namespaced' : ''}${this.#resource.gvk.kind}`;
  }

  #shared(withName: boolean): Parameter[] {
    const { namespaced, gvk } = this.#resource;
    return [
      ...(withName ? [pathParameter('name', `Name of the ${gvk.kind}.`)] : []),
      ...(namespaced ? [pathParameter('namespace', 'Namespace of the objects.')] : []),
      ...queryParameters(['pretty']),
    ];
  }

  #collection(): PathItem {
    const { gvk } = this.#resource;
    const { object, list, status, deleteOptions } = this.#bodies;
    const item: PathItem = { parameters: this.#shared(false) };
    if (this.#has('list'))
      item.get = this.#operation({
        action: 'list',
        id: `list${this.#id}${this.#kind}`,
        description: `List or watch objects of kind ${gvk.kind}.`,
        gvk,
        query: LIST_QUERY,
        produces: this.#streams(),
        answers: { 200: list },
      });
    if (this.#has('create')) item.post = this.#operation(this.#create(`create${this.#id}${this.#kind}`, gvk, object));
    if (this.#has('deletecollection'))
      item.delete = this.#operation({
        action: 'deletecollection',
        id: `delete${this.#id}Collection${this.#kind}`,
        description: `Delete many objects of kind ${gvk.kind}.`,
        gvk,
        query: DELETE_COLLECTION_QUERY,
        body: bodyParameter(deleteOptions, false),
        answers: { 200: status },
      });
    return item;
  }

  #create(id: string, gvk: GroupVersionKind, body: Schema): Sketch {
    return {
      action: 'post',
      id,
      description: `Create a ${gvk.kind}.`,
      gvk,
      query: WRITE_QUERY,
      body: bodyParameter(body),
      answers: { 200: body, 201: body, 202: body },
    };
  }

  #allNamespaces(): PathItem {
    const { gvk } = this.#resource;
    const id = `list${this.#id}${gvk.kind}ForAllNamespaces`;
    const sketch = {
      action: 'list',
      id,
      description: `List or watch objects of kind ${gvk.kind} in all namespaces.`,
      gvk,
      produces: this.#streams(),
      answers: { 200: this.#bodies.list },
    };
    return { get: this.#operation(sketch), parameters: queryParameters([...LIST_QUERY, 'pretty'].sort()) };
  }

  #object(): PathItem {
    const { gvk, declaration } = this.#resource;
    const { object, status, deleteOptions } = this.#bodies;
    const item: PathItem = {
      parameters: this.#shared(true),
      ...this.#readWrite('', this.#resource.verbs, gvk, object),
    };
    if (!this.#has('delete')) return item;
    const answer = declaration.returnsDeleted ? object : status;
    item.delete = this.#operation({
      action: 'delete',
      id: `delete${this.#id}${this.#kind}`,
      description: `Delete a ${gvk.kind}.`,
      gvk,
      query: DELETE_QUERY,
      body: bodyParameter(deleteOptions, false),
      answers: { 200: answer, 202: answer },
    });
    return item;
  }

  /** Of custom objects nothing is said, although they can be exported. */
  #isExported(): boolean {
    return this.#resource.declaration.exported !== false && !this.#resource.custom;
  }

  /** Reading, replacing and patching, of an object or of one of its parts. */
  #readWrite(part: string, verbs: readonly string[], gvk: GroupVersionKind, body: Schema): PathItem {
    const id = (verb: string): string => `${verb}${this.#id}${this.#kind}${capital(part)}`;
    const what = part === '' ? `a ${gvk.kind}` : `the ${part} of a ${this.#resource.gvk.kind}`;
    const item: PathItem = {};
    if (verbs.includes('get'))
      item.get = this.#operation({
        action: 'get',
        id: id('read'),
        description: `Read ${what}.`,
        gvk,
        ...(part === '' && this.#isExported() ? { query: EXPORT_QUERY } : {}),
        answers: { 200: body },
      });
    if (verbs.includes('update'))
      item.put = this.#operation({
        action: 'put',
        id: id('replace'),
        description: `Replace ${what}.`,
        gvk,
        query: WRITE_QUERY,
        body: bodyParameter(body),
        answers: { 200: body, 201: body },
      });
    if (verbs.includes('patch'))
      item.patch = this.#operation({
        action: 'patch',
        id: id('patch'),
        description: `Change ${what} in part.`,
        gvk,
        query: PATCH_QUERY,
        body: bodyParameter(this.#bodies.patch),
        consumes: this.#patches(),
        answers: { 200: body },
      });
    return item;
  }

  #parts(): [string, PathItem][] {
    const { status, scale, subresources, gvk } = this.#resource;
    const parameters = this.#shared(true);
    const own: [string, PathItem][] = [];
    const changes = ['get', 'update', 'patch'];
    const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    const scaleBody = this.#bodies.of(scaleKind);
    if (status) own.push(['status', { parameters, ...this.#readWrite('status', changes, gvk, this.#bodies.object) }]);
    if (scale && scaleBody)
      own.push(['scale', { parameters, ...this.#readWrite('scale', changes, scaleKind, scaleBody) }]);
    return [...own, ...subresources.flatMap((part) => this.#subresource(part))];
  }

  #subresource(part: Resource['subresources'][number]): [string, PathItem][] {
    const { gvk } = this.#resource;
    const kind = { group: part.group ?? gvk.group, version: part.version ?? gvk.version, kind: part.kind };
    if (part.connects) return this.#connections(part, kind);
    const body = this.#bodies.of(kind) ?? this.#bodies.object;
    const parameters = this.#shared(true);
    const item: PathItem = { parameters, ...this.#readWrite(part.name, part.verbs, kind, body) };
    if (part.verbs.includes('create'))
      item.post = this.#operation(this.#create(`create${this.#id}${this.#kind}${capital(part.name)}`, kind, body));
    if (part.query && item.get) {
      const text = { 200: { type: 'string' } };
      const query = Object.keys(part.query);
      item.get = this.#operation({
        action: 'get',
        id: `read${this.#id}${this.#kind}${capital(part.name)}`,
        description: `Read the ${part.name} of a ${gvk.kind}.`,
        gvk: kind,
        query,
        produces: ['text/plain', ...this.#media()],
        answers: text,
      });
    }
    return [[part.name, item]];
  }

  #connections(part: Resource['subresources'][number], gvk: GroupVersionKind): [string, PathItem][] {
    const methods: readonly Method[] =
      part.connects === 'everything' ? ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] : ['get', 'post'];
    const shared = this.#shared(true).filter(({ name }) => name !== 'pretty');
    const query = queryParameters(Object.keys(part.query ?? {}));
    const item = (suffix: string, parameters: Parameter[]): PathItem => {
      const operations = methods.map((method) => [method, this.#connect(method, part.name, suffix, gvk)]);
      return { ...Object.fromEntries(operations), parameters };
    };
    const plain: [string, PathItem] = [part.name, item('', [...shared, ...query])];
    if (part.connects === 'once') return [plain];
    const path = pathParameter('path', 'Path to which the request goes on.');
    return [plain, [`${part.name}/{path}`, item('WithPath', [...shared, path, ...query])]];
  }

  #connect(method: Method, name: string, suffix: string, gvk: GroupVersionKind): Operation {
    const id = `connect${this.#id}${capital(method)}${this.#kind}${capital(name)}${suffix}`;
    const description = `Connect ${method.toUpperCase()} requests to the ${name} of a ${this.#resource.gvk.kind}.`;
    return this.#operation({
      action: 'connect',
      id,
      description,
      gvk,
      produces: ['*/*'],
      answers: { 200: { type: 'string' } },
    });
  }

  /** The older paths of watches, which still work. */
  #watches(root: string, scope: string): Record<string, PathItem> {
    const { gvr, gvk, namespaced } = this.#resource;
    const query = queryParameters([...LIST_QUERY, 'pretty'].sort());
    const place = namespaced ? [pathParameter('namespace', 'Namespace of the objects.')] : [];
    const watch = (id: string, action: string, parameters: Parameter[]): PathItem => ({
      get: this.#operation({
        action,
        id: `watch${this.#id}${id}`,
        description: `Watch objects of kind ${gvk.kind}; better is the watch parameter of lists.`,
        gvk,
        produces: this.#streams(),
        answers: { 200: this.#bodies.watchEvent },
      }),
      parameters,
    });
    const paths = {
      [`${root}/watch${scope}/${gvr.resource}`]: watch(`${this.#kind}List`, 'watchlist', [...place, ...query]),
    };
    if (this.#has('get')) {
      const name = pathParameter('name', `Name of the ${gvk.kind}.`);
      paths[`${root}/watch${scope}/${gvr.resource}/{name}`] = watch(this.#kind, 'watch', [name, ...place, ...query]);
    }
    if (namespaced)
      paths[`${root}/watch/${gvr.resource}`] = watch(`${gvk.kind}ListForAllNamespaces`, 'watchlist', query);
    return paths;
  }

  #operation({
    action,
    id,
    description,
    gvk,
    query = [],
    body,
    consumes = ['*/*'],
    produces = this.#media(),
    answers,
  }: Sketch): Operation {
    const parameters = [...(body ? [body] : []), ...queryParameters(query)];
    const { product } = this.#names;
    const responses = Object.entries(answers).map(([code, schema]) => [
      code,
      { description: getOwn(TEXTS, code) ?? '', ...(schema ? { schema } : {}) },
    ]);
    return {
      description,
      consumes,
      produces,
      schemes: ['https'],
      tags: [tagOf(this.#names, this.#resource.gvk.group, this.#resource.gvk.version)],
      operationId: id,
      ...(parameters.length > 0 ? { parameters } : {}),
      responses: { ...Object.fromEntries(responses), 401: { description: 'Unauthorized' } },
      [`x-${product}-action`]: action,
      [`x-${product}-group-version-kind`]: { group: gvk.group, kind: gvk.kind, version: gvk.version },
    };
  }

  #media(): string[] {
    const json = ['application/json', 'application/yaml'];
    return this.#resource.custom ? json : [...json, `application/vnd.${this.#names.product}.protobuf`];
  }

  #streams(): string[] {
    const streaming = this.#media().filter((type) => !type.endsWith('yaml'));
    return [...this.#media(), ...streaming.map((type) => `${type};stream=watch`)];
  }

  #patches(): string[] {
    const merges = ['application/json-patch+json', 'application/merge-patch+json'];
    return [
      ...merges,
      ...(this.#resource.custom ? [] : ['application/strategic-merge-patch+json']),
      'application/apply-patch+yaml',
    ];
  }
}
