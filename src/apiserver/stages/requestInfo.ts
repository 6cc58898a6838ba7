/** What a request is about, read off its method and URL (specification, Authorization 4 and 5). */
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
  /** Segments after the resource: `['pods', 'x', 'log']`. */
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

/** Reads a request's info; throws for a path that names a special verb and nothing else. `path` is the decoded URL path relative to the server's root. */
export function requestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const segments = path.replace(/^\/+|\/+$/g, '').split('/');
  const plain: RequestInfo = {
    isResource: false,
    path,
    verb: method.toLowerCase(),
    prefix: '',
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    parts: [],
    watchPath: false,
  };
  const prefix = segments[0] ?? '';
  if (segments.length < 3 || (prefix !== 'api' && prefix !== 'apis')) return plain;
  if (prefix === 'apis' && segments.length < 4) return { ...plain, prefix };
  const group = prefix === 'api' ? '' : (segments[1] as string);
  const rest = segments.slice(prefix === 'api' ? 1 : 2);
  return resourceInfo(
    { ...plain, isResource: true, prefix, group, version: rest[0] as string },
    method,
    rest.slice(1),
    query,
  );
}

function resourceInfo(
  base: RequestInfo,
  method: string,
  segments: readonly string[],
  query: URLSearchParams,
): RequestInfo {
  const special = segments[0] === 'watch' || segments[0] === 'proxy' ? segments[0] : undefined;
  if (special && segments.length < 2)
    throw internalFailure(base.path, `unable to determine kind and namespace from url, ${base.path}`);
  const { namespace, parts } = splitNamespace(special ? segments.slice(1) : segments);
  const info = {
    ...base,
    namespace,
    parts,
    resource: parts[0] ?? '',
    name: parts[1] ?? '',
    subresource: special === 'proxy' ? '' : (parts[2] ?? ''),
    watchPath: special === 'watch',
  };
  return collectionVerb({ ...info, verb: special ?? VERBS[method] ?? '' }, query);
}

function splitNamespace(segments: readonly string[]): { namespace: string; parts: readonly string[] } {
  if (segments[0] !== 'namespaces' || segments.length < 2) return { namespace: '', parts: segments };
  const nested = segments.length > 2 && !NAMESPACE_SUBRESOURCES.has(segments[2] as string);
  return { namespace: segments[1] as string, parts: nested ? segments.slice(2) : segments };
}

/** Without a name, `get` is list or watch, whose selector on one name gives the name, and `delete` is deletecollection. */
function collectionVerb(info: RequestInfo, query: URLSearchParams): RequestInfo {
  if (info.name !== '' || !['get', 'delete'].includes(info.verb)) return info;
  if (info.verb === 'delete') return { ...info, verb: 'deletecollection' };
  return { ...info, verb: ifTrue(query.get('watch')) ? 'watch' : 'list', name: selectedName(query) };
}

function selectedName(query: URLSearchParams): string {
  const match = /(?:^|,)metadata\.name==?([^,=!\\]+)(?:,|$)/.exec(query.get('fieldSelector') ?? '');
  const name = match?.[1] ?? '';
  return name === '.' || name === '..' || /[/%]/.test(name) ? '' : name;
}
