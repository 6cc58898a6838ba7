/** Pod behaviour beyond storage: binding to a node, eviction, and access to containers. */
import { status, type ApiObject, type ObjectMeta, type Resource } from '../../../schema/index.ts';
import { isObject, rfc3339 } from '../../../std/index.ts';
import type { Answer } from '../../codec/answer.ts';
import { readObject } from '../../codec/input.ts';
import type { ResourceContext } from '../registry.ts';
import { mutate, optionsObject, validate } from '../../handlers/admit.ts';
import { ephemeralContainers } from '../../handlers/ephemeralContainers.ts';
import { writeOptions } from '../query.ts';
import type { KindFile } from '../registry.ts';
import { groupResource } from '../preconditions.ts';
import { unexpected, updateObject } from '../write.ts';
import { evict } from './eviction.ts';
import { command, log, portforward, proxy } from './podConnect.ts';

export const pods: KindFile = {
  resource: 'pods',
  subresources: {
    binding: bindNamed,
    ephemeralcontainers: ephemeralContainers,
    eviction: evict,
    log,
    exec: command,
    attach: command,
    portforward,
    proxy,
  },
};

/** The old way to bind: POST to a collection of bindings, with the pod named in the body. */
export const bindings: KindFile = {
  resource: 'bindings',
  behaviour: {
    create: async (object, context) => {
      const resource = context.server.scheme.byResource({ group: '', version: 'v1', resource: 'pods' });
      if (!resource) throw status.unknownPath();
      if (!object.metadata.name) throw status.badRequest('name is required');
      await bind(context, resource, object.metadata.name, object);
      return { ...succeeded, metadata: {} as ObjectMeta };
    },
  },
};

/** The answer to a binding. */
export const succeeded = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } as const;

async function bindNamed(context: ResourceContext, resource: Resource): Promise<Answer> {
  if (context.request.method !== 'POST')
    throw status.failure(
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
      {},
    );
  const { dryRun } = writeOptions(context.query, 'create', context.server.names.domain);
  const binding = await readObject(context, bindingType(context));
  await bind(context, resource, context.info.name, binding, dryRun);
  return { type: 'document', code: 201, value: succeeded };
}

export function bindingType(context: ResourceContext): Resource {
  const type = context.server.scheme.byKind({ group: '', version: 'v1', kind: 'Binding' });
  if (!type) throw status.unknownPath();
  return type;
}

/** Assigns a pod to a node permanently; annotations of the binding are copied to the pod. */
async function bind(
  context: ResourceContext,
  resource: Resource,
  name: string,
  binding: ApiObject,
  dryRun = false,
): Promise<void> {
  const type = bindingType(context);
  const request = {
    operation: 'CREATE' as const,
    resource: type,
    name,
    old: undefined,
    dryRun,
    options: optionsObject(context, 'CreateOptions', {}),
  };
  const admitted = await mutate(context, { ...request, object: binding });
  if (admitted.metadata.name !== name) throw status.badRequest('name in URL does not match name in Binding object');
  const node = nodeOf(admitted);
  await validate(context, { ...request, object: admitted });
  const updater = async (existing: ApiObject | undefined): Promise<ApiObject> => {
    if (!existing) throw status.notFound(groupResource(resource), name);
    return assigned(context, existing, node, admitted);
  };
  await updateObject(context, resource, name, updater, {
    ...{ mode: 'binding', dryRun, onlyReads: true },
    validate: () => Promise.resolve(),
  });
}

/** The node to which a binding assigns its pod; throws for another kind of target. */
export function nodeOf(binding: ApiObject): string {
  const target = isObject(binding['target']) ? binding['target'] : {};
  const { kind = '', name = '' } = target as { kind?: string; name?: string };
  if (kind !== '' && kind !== 'Node')
    throw unexpected(`Binding.target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", ""`);
  if (name === '') throw unexpected('Binding.target.name: Required value');
  return name;
}

/** The pod as a binding to the node makes it; throws 409 if it has one already or is being deleted. */
export function assigned(context: ResourceContext, pod: ApiObject, node: string, binding: ApiObject): ApiObject {
  const name = pod.metadata.name ?? '';
  const conflict = (why: string): Error => status.conflict({ group: '', resource: 'pods/binding' }, name, why);
  const spec = pod['spec'] as Record<string, unknown>;
  if (pod.metadata.deletionTimestamp !== undefined)
    throw conflict(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (spec['nodeName']) throw conflict(`pod ${name} is already assigned to node ${JSON.stringify(spec['nodeName'])}`);
  const metadata = { ...pod.metadata, annotations: { ...pod.metadata.annotations, ...binding.metadata.annotations } };
  return {
    ...pod,
    metadata,
    spec: { ...spec, nodeName: node },
    status: scheduled(pod['status'], rfc3339(context.server.clock.now())),
  };
}

/** The condition PodScheduled. */
function scheduled(value: unknown, now: string): object {
  const current = (isObject(value) ? value : {}) as { conditions?: { type: string; status: string }[] };
  const others = (current.conditions ?? []).filter((c) => c.type !== 'PodScheduled');
  const known = (current.conditions ?? []).find((c) => c.type === 'PodScheduled' && c.status === 'True');
  return {
    ...current,
    conditions: [
      ...others,
      known ?? { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now },
    ],
  };
}
