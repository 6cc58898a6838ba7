/** Connect requests, which are forwarded to what an object represents. */
import type { ApiObject, Resource } from '../../schema/index.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { ifTrue } from '../registry/query.ts';
import { attributesOf } from './admit.ts';

type Part = Resource['subresources'][number];

/** Runs admission for a connect request: its parameters take the place of the object. */
export async function admitConnection(context: ResourceContext, resource: Resource, part: Part): Promise<void> {
  const { info, query, server } = context;
  const kind = { group: part.group ?? '', version: part.version ?? 'v1', kind: part.kind };
  const said = { kind: part.kind, apiVersion: kind.version, ...optionsIn(query, part.query ?? {}) };
  const attributes = attributesOf(context, {
    operation: 'CONNECT',
    resource,
    kind,
    name: info.name,
    object: said as ApiObject,
    old: undefined,
    dryRun: false,
    options: undefined,
  });
  await server.admission.admit(attributes);
  await server.admission.validate(attributes);
}

const LISTS = new Set(['command', 'ports']);

function optionsIn(query: URLSearchParams, types: NonNullable<Part['query']>): Record<string, unknown> {
  const said = Object.entries(types).filter(([name]) => query.has(name));
  return Object.fromEntries(said.map(([name, type]) => [name, valueOf(query, name, type)]));
}

function valueOf(query: URLSearchParams, name: string, type: 'string' | 'boolean' | 'integer'): unknown {
  const read = (text: string): unknown =>
    type === 'boolean' ? ifTrue(text) : type === 'integer' ? Number(text) || 0 : text;
  return LISTS.has(name) ? query.getAll(name).map(read) : read(query.get(name) ?? '');
}
