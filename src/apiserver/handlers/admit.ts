/** Hands a write to admission: mutating plugins before the rules, validating ones as the last word before storage. */
import type { AdmissionAttributes, Operation } from '../../admission/index.ts';
import type { ApiObject, Resource } from '../../schema/index.ts';
import { clone, otherTasks, whenDone, type Waiting } from '../../std/index.ts';
import { withoutSecrets } from '../../trace/index.ts';
import type { ResourceContext } from '../registry/registry.ts';
import type { WriteOptions } from '../registry/query.ts';
import { holdBeforePlugin, holdBeforeStorage, holdBeforeValidation } from '../stages/hold.ts';
import { dedupeOwners } from './ownerReferences.ts';

export interface AdmissionRequest {
  readonly operation: Operation;
  readonly resource: Resource;
  /** The kind of the object, where it is not the resource's. */
  readonly kind?: Resource['gvk'];
  readonly name: string;
  readonly object: ApiObject | undefined;
  readonly old: ApiObject | undefined;
  readonly dryRun: boolean;
  readonly options: ApiObject | undefined;
}

export function attributesOf(context: ResourceContext, request: AdmissionRequest): AdmissionAttributes {
  const { resource, kind = resource.gvk, operation, name, object, old, dryRun, options } = request;
  const isNamespace = resource.gvr.group === '' && resource.gvr.resource === 'namespaces';
  const attributes: AdmissionAttributes = {
    operation,
    kind,
    // What is asked for is the resource of the URL; a subresource's body may be of another kind.
    resource: { group: context.info.group, version: context.info.version, resource: context.info.resource },
    subresource: context.info.subresource,
    namespace: isNamespace && context.info.namespace === '' ? name : context.info.namespace,
    name,
    user: context.user,
    dryRun,
    object,
    oldObject: old,
    options,
    requestId: context.id,
    addWarning: (text) => context.warnings.add(text),
    addAuditAnnotation: (key, value, level) => context.audit?.annotate(key, value, level),
    hold: (plugin, phase) => holdBeforePlugin(context, plugin, phase, attributes),
  };
  return attributes;
}

/** Mutating admission; the object may come back changed. Whoever wrote an owner twice, it stands there once after this. */
export function mutate(context: ResourceContext, request: AdmissionRequest): Promise<ApiObject> | ApiObject {
  return whenDone(mutating(context, request));
}

function* mutating(context: ResourceContext, request: AdmissionRequest): Waiting<ApiObject> {
  if (context.isLarge) yield otherTasks();
  const attributes = attributesOf(context, request);
  showObject(context, 'decoding', attributes.object);
  const admitting = context.server.admission.admit(attributes);
  if (admitting) yield admitting;
  const held = holdBeforeValidation(context, attributes);
  if (held) yield held;
  const object = attributes.object as ApiObject;
  if (request.operation !== 'DELETE') dedupeOwners(context, object);
  if (context.isLarge) yield otherTasks();
  return object;
}

/** Validating admission, the last word before storage. */
export function validate(context: ResourceContext, request: AdmissionRequest): Promise<void> | void {
  return whenDone(validating(context, request));
}

function* validating(context: ResourceContext, request: AdmissionRequest): Waiting<void> {
  showObject(context, 'validation', request.object);
  const admitting = context.server.admission.validate(attributesOf(context, request));
  if (admitting) yield admitting;
  const held = holdBeforeStorage(context, request.object);
  if (held) yield held;
}

/** The object as it is after a step, for those who look on. */
function showObject({ server, id }: ResourceContext, after: string, object: ApiObject | undefined): void {
  if (!object || !server.tracer.wants('request')) return;
  server.tracer.emit({ topic: 'request', request: id, stage: 'object', after, object: clone(withoutSecrets(object)) });
}

/** What a write is to admission: a patch is an update, and either of them creates where there is nothing yet. */
export function operationOn(
  context: ResourceContext,
  existing: ApiObject | undefined,
  { dryRun, fieldManager }: WriteOptions,
): Pick<AdmissionRequest, 'operation' | 'options'> {
  const options = optionsObject(context, existing ? 'UpdateOptions' : 'CreateOptions', {
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(fieldManager ? { fieldManager } : {}),
  });
  return { operation: existing ? 'UPDATE' : 'CREATE', options };
}

/** The options of a write as plugins and webhooks get them. */
export function optionsObject(
  context: ResourceContext,
  kind: string,
  fields: Readonly<Record<string, unknown>>,
): ApiObject {
  return { kind, apiVersion: `meta.${context.server.names.domain}/v1`, ...fields } as ApiObject;
}
