/** create: POST on a collection. */
import type { Resource } from '../../schema/index.ts';
import { clone } from '../../std/index.ts';
import { acceptedBy } from '../codec/respond.ts';
import type { Answer } from '../codec/answer.ts';
import { formOfBody, readAs, readSent, toHub } from '../codec/input.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { writeOptions } from '../registry/query.ts';
import { createObject } from '../registry/write.ts';
import { mutate, optionsObject, validate } from './admit.ts';
import { ownFields } from './fieldOwnership.ts';
import { dedupeOwners } from './ownerReferences.ts';

export async function create(context: ResourceContext, resource: Resource): Promise<Answer> {
  const { server } = context;
  const behaviour = server.registry.behaviour(resource);
  acceptedBy(context, resource);
  const encoding = formOfBody(context, resource);
  const body = await readSent(context);
  const { dryRun, fieldManager } = writeOptions(context.query, 'create', server.names.domain);
  const sent = await readAs(context, resource, body, encoding);
  const options = optionsObject(context, 'CreateOptions', {
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(fieldManager ? { fieldManager } : {}),
  });
  dedupeOwners(context, sent);
  const owned = await ownFields(context, resource, undefined, sent, fieldManager);
  let object = toHub(context, resource, owned);
  // A wrong namespace is refused only at storage, because a missing namespace is reported first.
  if (resource.namespaced && !behaviour?.create) object.metadata.namespace ||= context.info.namespace;
  const request = {
    operation: 'CREATE' as const,
    resource,
    name: object.metadata.name ?? '',
    old: undefined,
    dryRun,
    options,
  };
  object = await mutate(context, { ...request, object });
  if (behaviour?.create) {
    // Validation errors of a review are reported before admission may refuse it.
    const answered = await behaviour.create(clone(object), context);
    await validate(context, { ...request, object });
    return virtual(context, resource, answered);
  }
  const written = await createObject(context, resource, object, {
    mode: 'object',
    dryRun,
    validate: (final) => validate(context, { ...request, name: final.metadata.name ?? '', object: final }),
  });
  return { type: 'object', code: 201, resource, view: written.view };
}

/** Reviews and other virtual kinds: the answer is computed. */
function virtual(
  context: ResourceContext,
  resource: Resource,
  result: Parameters<ResourceContext['server']['views']['fresh']>[0],
): Answer {
  const { scheme, views } = context.server;
  if (result.kind === 'Status') return { type: 'document', code: 201, value: result };
  const shown = scheme.decode(resource.node, scheme.convert(result, resource.hub, resource));
  return { type: 'object', code: 201, resource, view: () => views.fresh(shown as typeof result) };
}
