/** Request info, derived from method and URL (specification, Authorization 4 and 5). */
import { getOwn } from '../../std/index.ts';
import { ifTrue } from '../registry/query.ts';
import { internalFailure } from './failure.ts';

export interface RequestInfo {
  readonly isResource: boolean;
  readonly path: string;
  readonly verb: string;
  /** `api` or `apis`; empty for other paths. */
  readonly prefix: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Segments from the resource on: `['pods', 'x', 'log']`. */
  readonly parts: readonly string[];
  /** Whether the path has the old form `/api/v1/watch/…`. */
  readonly watchPath: boolean;
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/**
 * Parses a request's info; throws for a path with only a special verb. `path` is the decoded URL path relative to the
 * server's root.
 */
export function requestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const segments = splitPath(path);
  const [first = '', second = ''] = segments;
  const prefix = first === 'api' || first === 'apis' ? first : '';
  const group = prefix === 'apis' ? second : '';
  // The index of the version.
  const at = prefix === 'apis' ? 2 : 1;
  if (prefix === '' || segments.length < at + 2) return plainInfo(method, path, segments.length < 3 ? '' : prefix);
  const special = segments[at + 1] === 'watch' || segments[at + 1] === 'proxy' ? segments[at + 1] : undefined;
  if (special && segments.length < at + 3)
    throw internalFailure(path, `unable to determine kind and namespace from url, ${path}`);
  const rest = segments.slice(special ? at + 2 : at + 1);
  const inNamespace = rest[0] === 'namespaces' && rest.length > 1;
  const parts = inNamespace && rest.length > 2 && !NAMESPACE_SUBRESOURCES.has(rest[2] ?? '') ? rest.slice(2) : rest;
  const info: RequestInfo = {
    isResource: true,
    path,
    verb: special ?? getOwn(VERBS, method) ?? '',
    prefix,
    group,
    version: segments[at] ?? '',
    namespace: inNamespace ? (rest[1] ?? '') : '',
    resource: parts[0] ?? '',
    subresource: special === 'proxy' ? '' : (parts[2] ?? ''),
    name: parts[1] ?? '',
    parts,
    watchPath: special === 'watch',
  };
  return info.name === '' ? collectionVerb(info, query) : info;
}

/** The segments of a path, without leading and trailing slashes. */
function splitPath(path: string): readonly string[] {
  const segments = path.split('/');
  const from = segments.findIndex((segment) => segment !== '');
  return from < 0 ? [''] : segments.slice(from, segments.findLastIndex((segment) => segment !== '') + 1);
}

/** The info of a non-resource path. */
const plainInfo = (method: string, path: string, prefix: string): RequestInfo => ({
  isResource: false,
  path,
  verb: method.toLowerCase(),
  prefix,
  group: '',
  version: '',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
  parts: [],
  watchPath: false,
});

/**
 * Without a name, `get` becomes list or watch (a name selector sets the name), and `delete` becomes deletecollection.
 */
function collectionVerb(info: RequestInfo, query: URLSearchParams): RequestInfo {
  if (info.verb !== 'get' && info.verb !== 'delete') return info;
  if (info.verb === 'delete') return { ...info, verb: 'deletecollection' };
  return { ...info, verb: ifTrue(query.get('watch')) ? 'watch' : 'list', name: selectedName(query) };
}

function selectedName(query: URLSearchParams): string {
  const match = /(?:^|,)metadata\.name==?([^,=!\\]+)(?:,|$)/.exec(query.get('fieldSelector') ?? '');
  const name = match?.[1] ?? '';
  return name === '.' || name === '..' || /[/%]/.test(name) ? '' : name;
}
