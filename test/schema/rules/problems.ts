/** What the rules find wrong with an object as a client would send it: `FieldValueInvalid spec.replicas`. */
import { gates } from '../../../src/cluster/gates.ts';
import { namesOf } from '../../../src/names/index.ts';
import { columnsOf, createScheme, kinds, meta, rulesOf } from '../../../src/schema/index.ts';
import type { ApiObject, FieldErrors, Resource, RuleContext } from '../../../src/schema/index.ts';
import { isObject } from '../../../src/std/index.ts';

const names = namesOf('k8s.io');
const gate = (name: string): boolean => gates[name]?.on ?? false;
const scheme = createScheme(names, kinds, { runtimeConfig: 'api/all=true', gate });

type Sent = Record<string, unknown>;

function resourceOf(apiVersion: string, kind: string): Resource {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const resource = scheme.byKind({ group: group ?? '', version: version ?? '', kind });
  if (!resource) throw new Error(`no kind ${kind} in ${apiVersion}`);
  return resource;
}

function contextOf({ gvr }: Resource): RuleContext {
  const flags: Readonly<Record<string, string>> = { 'allow-privileged': 'true' };
  const requested = { group: gvr.group, version: gvr.version };
  const user = { name: 'jane', groups: [], extra: {} };
  return { names, gate, user, now: 0, requested, flag: (name) => flags[name], uuid: () => 'made-up' };
}

/** `Kind`, or `Kind group/version`. The metadata gets a name and a namespace unless it says its own. */
function read(type: string, sent: Sent): { object: ApiObject; resource: Resource; context: RuleContext } {
  const [kind = '', apiVersion = 'v1'] = type.split(' ');
  const resource = resourceOf(apiVersion, kind);
  const own = isObject(sent['metadata']) ? sent['metadata'] : {};
  const metadata = { name: 'x', ...(resource.namespaced ? { namespace: 'default' } : {}), ...own };
  const object = scheme.decode(resource.node, { ...sent, kind, apiVersion, metadata }) as ApiObject;
  scheme.applyDefaults(resource, object);
  return { object: scheme.convert(object, resource, resource.hub), resource, context: contextOf(resource) };
}

const shown = (errors: FieldErrors): string[] =>
  errors.map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`);

/** The object as it would be stored, before it is checked. */
export function prepared(type: string, sent: Sent): ApiObject {
  const { object, resource, context } = read(type, sent);
  const rules = rulesOf(resource.declaration);
  rules?.prepareCreate?.(object, context);
  object.metadata.uid = '00000000-1111-2222-3333-444444444444';
  rules?.prepareNamed?.(object, context);
  return scheme.decode(resource.hub.node, object) as ApiObject;
}

/** What is wrong with a new object. */
export function problems(type: string, sent: Sent): string[] {
  const { resource, context } = read(type, sent);
  return shown(meta.checkCreate(resource, prepared(type, sent), context));
}

/** What is wrong with a change; `mode` may name the status. */
export function changeProblems(type: string, before: Sent, after: Sent, mode = 'object'): string[] {
  const old = prepared(type, before);
  const { object, resource, context } = read(type, after);
  old.metadata.resourceVersion = object.metadata.resourceVersion = '1';
  object.metadata.uid = old.metadata.uid as string;
  const rules = rulesOf(resource.declaration);
  if (mode === 'object') rules?.prepareUpdate?.(object, old, context);
  else rules?.prepareStatusUpdate?.(object, old, context);
  return shown(meta.checkUpdate(resource, object, old, context, mode));
}

/** The object as a write to its status leaves it. */
export function statusWritten(type: string, before: Sent, after: Sent): ApiObject {
  const { object, resource, context } = read(type, after);
  rulesOf(resource.declaration)?.prepareStatusUpdate?.(object, prepared(type, before), context);
  return object;
}

/** The cells of the object's row in a Table, by the names of their columns. */
export function cells(type: string, sent: Sent): Record<string, unknown> {
  const { object, resource } = read(type, sent);
  const row = scheme.decode(resource.hub.node, object) as ApiObject;
  return Object.fromEntries(columnsOf(resource).map(({ name, cell }) => [name, cell(row, { now: 0, names })]));
}
