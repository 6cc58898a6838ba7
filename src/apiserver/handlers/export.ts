/** Export: an object as needed to create it again, without values that the cluster set (query `export`, `exact`). */
import { rulesOf, rulesPart, type ApiObject, type Resource } from '../../schema/index.ts';
import { clone } from '../../std/index.ts';
import type { Answer } from '../codec/answer.ts';
import { ruleContext } from '../context.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { ifTrue } from '../registry/query.ts';
import { getObject } from '../registry/read.ts';

export async function exportObject(context: ResourceContext, resource: Resource): Promise<Answer> {
  const { server, info, query } = context;
  await rulesPart(resource.declaration)?.load();
  const entry = await getObject(context, resource, info.name, '');
  // Custom objects are exported in the requested version, because a webhook may convert between versions.
  const source = resource.custom ? resource : resource.hub;
  const object = clone(server.views.of(entry, source).object);
  strip(context, resource, object, ifTrue(query.get('exact')));
  const shown = server.scheme.decode(resource.node, server.scheme.convert(object, source, resource)) as ApiObject;
  return { type: 'object', code: 200, resource, view: () => server.views.fresh(shown) };
}

function strip(context: ResourceContext, resource: Resource, object: ApiObject, exact: boolean): void {
  const { metadata } = object;
  for (const name of ['uid', 'deletionTimestamp', 'resourceVersion', 'selfLink'] as const) delete metadata[name];
  metadata.creationTimestamp = null;
  if (!exact) delete metadata.namespace;
  if (!exact && metadata.generateName) delete metadata.name;
  const rules = rulesOf(resource.declaration);
  if (resource.status && !rules?.prepareCreate) delete object['status'];
  if (rules?.generation) metadata.generation = 1;
  if (rules?.prepareExport) rules.prepareExport(object, exact, ruleContext(context));
  else rules?.prepareCreate?.(object, ruleContext(context));
}
