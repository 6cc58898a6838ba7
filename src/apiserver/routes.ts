/** Maps request info to its handler: the table of verbs, subresources and non-resource paths. */
import { rulesOf, status, type Resource } from '../schema/index.ts';
import { Part, getOwn } from '../std/index.ts';
import type { Answer } from './codec/answer.ts';
import { acceptedBy } from './codec/respond.ts';
import type { RequestContext } from './context.ts';
import type { ResourceContext, ResourceServer } from './registry/registry.ts';
import { discover, unserved } from './discovery.ts';
import type { AggregationServer } from './extensions/aggregation.ts';
import { aggregation, remoteServiceOf } from './extensions/remoteServices.ts';
import { admitConnection } from './handlers/connect.ts';
import { create } from './handlers/create.ts';
import { remove, removeCollection } from './handlers/delete.ts';
import { formOf, patch } from './handlers/patch.ts';
import { asksForExport, get, list } from './handlers/read.ts';
import { update } from './handlers/update.ts';
import { warnDeprecated } from './handlers/warnings.ts';
import { groupResource } from './registry/preconditions.ts';
import { plainPath, wrongMethod, type PlainServer } from './plainPaths.ts';
import { missingParts } from './stages/parts.ts';
import type { RequestInfo } from './stages/requestInfo.ts';

export async function route(
  context: RequestContext<ResourceServer & PlainServer & AggregationServer>,
): Promise<Answer> {
  const { info, server } = context;
  if (!server.storage.shared || !info.isResource) return routed(context);
  return (await sharing.load()).answerShared(context, () => routed(context));
}

/** Consistency of reads and writes when several servers share the storage. */
export const sharing = new Part(() => import('./sharing.ts'));

async function routed(context: RequestContext<ResourceServer & PlainServer & AggregationServer>): Promise<Answer> {
  const { info, server } = context;
  if (!info.isResource)
    return (await plainPath(context)) ?? (await discover(context)) ?? (await elsewhere(context)) ?? unserved(context);
  const resource = isElsewhere(info) ? undefined : server.scheme.byResource(info);
  if (!resource || !inScope(resource, context))
    return (
      (info.parts.length === 0 ? await discover(context) : undefined) ?? (await elsewhere(context)) ?? unserved(context)
    );
  if (resource.custom) refuseCustom(context, resource);
  const missing = missingParts(context, resource);
  if (missing) await missing;
  return info.subresource === '' ? onObject(context, resource) : onSubresource(context, resource);
}

/** The answer of another server, if one serves the path's group and version. */
async function elsewhere(context: RequestContext<AggregationServer>): Promise<Answer | undefined> {
  const [, root, group = '', version = ''] = context.info.path.split('/');
  const service = root === 'apis' && version !== '' ? remoteServiceOf(context.server, group, version) : undefined;
  if (!service) return undefined;
  return { type: 'response', response: await (await aggregation.load()).passOnRemote(context, service) };
}

/**
 * Paths that are parsed as resources although nothing is served there: those of the old proxies, and those with a
 * double slash.
 */
const isElsewhere = ({ path, verb }: RequestInfo): boolean => path.startsWith('//') || verb === 'proxy';

/** Custom resources have more detailed refusals; their methods are checked before their paths. */
function refuseCustom(context: ResourceContext, resource: Resource): void {
  const { info, request } = context;
  const named = info.parts.length > 1;
  // The version is known first, so requests that are refused have its warning, too.
  warnDeprecated(context, resource);
  if (!named && request.method === 'PATCH') formOf(context, resource);
  if (!named && ['PUT', 'PATCH'].includes(request.method)) throw status.badRequest('name must be provided');
  const verbs = verbsOf(info.subresource, resource);
  if (!verbs) throw status.notFound(groupResource(resource), info.name);
  const table = info.subresource === '' ? methodsOn(resource, named) : ON_VIEW;
  const verb = getOwn(table, request.method)?.verb;
  if (request.method !== 'HEAD' && (verb === undefined || !verbs.includes(verb)))
    throw status.methodNotSupported(groupResource(resource), verb ?? request.method.toLowerCase());
}

const CHANGEABLE = ['get', 'update', 'patch'];

/** The verbs of a custom resource or its subresource; undefined if there is no such subresource. */
function verbsOf(
  subresource: string,
  { verbs, status: hasStatus, scale: scales }: Resource,
): readonly string[] | undefined {
  if (subresource === '') return verbs;
  return (subresource === 'status' && hasStatus) || (subresource === 'scale' && scales) ? CHANGEABLE : undefined;
}

function unknown(): never {
  throw status.unknownPath();
}

/**
 * Namespaced kinds can be listed across namespaces; all other paths need a namespace. Cluster-scoped kinds never have
 * one.
 */
function inScope(resource: Resource, { info, request }: ResourceContext): boolean {
  if (
    info.parts.length > 3 &&
    !resource.subresources.some((s) => s.name === info.subresource && s.kind.endsWith('ProxyOptions'))
  )
    return false;
  if (!resource.namespaced) return info.namespace === '' || info.resource === 'namespaces';
  if (info.namespace !== '') return true;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return info.parts.length === 1 && resource.verbs.includes('list') && (isRead || !resource.custom);
}

/** The scale subresource of any kind. */
export const scaling = new Part(() => import('./handlers/scale.ts'));

type Handler = (context: ResourceContext, resource: Resource) => Promise<Answer>;

/** The verb and handler of each method. */
type Methods = Readonly<Record<string, { verb: string; handle: Handler }>>;

const ON_COLLECTION: Methods = {
  GET: { verb: 'list', handle: list },
  POST: { verb: 'create', handle: create },
  DELETE: { verb: 'deletecollection', handle: removeCollection },
};

const ON_NAME: Methods = {
  GET: { verb: 'get', handle: get },
  PUT: { verb: 'update', handle: (context, resource) => update(context, resource, 'object') },
  PATCH: { verb: 'patch', handle: (context, resource) => patch(context, resource, 'object') },
  DELETE: { verb: 'delete', handle: remove },
};

/**
 * A POST to a named path also creates a custom resource. The name in the path is ignored; the object's own name is
 * used.
 */
const ON_CUSTOM_NAME: Methods = { ...ON_NAME, POST: { verb: 'create', handle: create } };

const methodsOn = ({ custom }: Resource, named: boolean): Methods =>
  named ? (custom ? ON_CUSTOM_NAME : ON_NAME) : ON_COLLECTION;

async function onObject(context: ResourceContext, resource: Resource): Promise<Answer> {
  const { info, request } = context;
  if (info.watchPath) return onWatchPath(context, resource);
  const named = info.parts.length > 1;
  const methods = methodsOn(resource, named);
  const entry = getOwn(methods, request.method);
  if (!Object.values(methods).some(({ verb }) => resource.verbs.includes(verb))) return unknown();
  if (!entry || !resource.verbs.includes(entry.verb)) throw wrongMethod();
  if (resource.namespaced && info.namespace === '' && entry.verb !== 'list') throw wrongMethod();
  warnOnceKnown(context, resource);
  return entry.handle(context, resource);
}

function onWatchPath(context: ResourceContext, resource: Resource): Promise<Answer> {
  if (context.request.method !== 'GET') throw wrongMethod();
  if (!resource.verbs.includes('watch')) return unknown();
  warnDeprecated(context, resource);
  return list(context, resource);
}

async function onSubresource(context: ResourceContext, resource: Resource): Promise<Answer> {
  const { info, request, server } = context;
  if (info.watchPath) return unknown();
  if (info.subresource === 'status' && resource.status) return onView(context, resource, ['get', 'update', 'patch']);
  if (info.subresource === 'scale' && resource.scale) {
    asksForExport(context, resource);
    return (await scaling.load()).scale(context, resource);
  }
  const declared = resource.subresources.find((s) => s.name === info.subresource);
  if (!declared) return unknown();
  if (getOwn(rulesOf(resource.declaration)?.views, info.subresource)) return onView(context, resource, declared.verbs);
  const handler = server.registry.subresource(resource, info.subresource);
  if (!handler) return unknown();
  if (request.method === 'HEAD' && declared.connects !== 'everything') throw wrongMethod();
  warnDeprecated(context, resource);
  if (declared.connects) await admitConnection(context, resource, declared);
  else acceptedBy(context, resource);
  return handler(context, resource);
}

/** Subresources that take the object itself, such as status, each with its own rules. */
function onView(context: ResourceContext, resource: Resource, verbs: readonly string[]): Promise<Answer> {
  const entry = getOwn(ON_VIEW, context.request.method);
  if (!entry || !verbs.includes(entry.verb)) throw wrongMethod();
  warnOnceKnown(context, resource);
  return entry.handle(context, resource);
}

/** A patch type that a built-in kind doesn't support is refused without a deprecation warning. */
function warnOnceKnown(context: ResourceContext, resource: Resource): void {
  if (context.request.method === 'PATCH' && !resource.custom) formOf(context, resource);
  warnDeprecated(context, resource);
}

const ON_VIEW: Methods = {
  GET: { verb: 'get', handle: get },
  PUT: { verb: 'update', handle: (context, resource) => update(context, resource, context.info.subresource) },
  PATCH: { verb: 'patch', handle: (context, resource) => patch(context, resource, context.info.subresource) },
};
