/** Runs admission for a write: mutating plugins before validation, validating plugins right before storage. */
import { copiedForTrace, type AdmissionAttributes, type Operation } from '../../admission/index.ts';
import type { ApiObject, Resource } from '../../schema/index.ts';
import { copyUnfrozen, yieldToTasks, runSyncIfPossible, type MaybeAsync } from '../../std/index.ts';
import { withoutSecrets } from '../../trace/index.ts';
import type { ResourceContext } from '../registry/registry.ts';
import type { WriteOptions } from '../registry/query.ts';
import { holdBeforePlugin, holdBeforeStorage, holdBeforeValidation } from '../stages/hold.ts';
import { dedupeOwners } from './ownerReferences.ts';

export interface AdmissionRequest {
  readonly operation: Operation;
  readonly resource: Resource;
  /** The kind of the object, if it differs from the resource's. */
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
    // The resource is that of the URL; a subresource's body may have another kind.
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

/** Mutating admission; may change the object. It also removes duplicate owner references. */
export function mutate(context: ResourceContext, request: AdmissionRequest): Promise<ApiObject> | ApiObject {
  return runSyncIfPossible(mutating(context, request));
}

function* mutating(context: ResourceContext, request: AdmissionRequest): MaybeAsync<ApiObject> {
  if (context.isLarge) yield yieldToTasks();
  const attributes = attributesOf(context, request);
  showDecoded(context, attributes);
  const admitting = context.server.admission.admit(attributes);
  if (admitting) yield admitting;
  const held = holdBeforeValidation(context, attributes);
  if (held) yield held;
  const object = attributes.object as ApiObject;
  if (request.operation !== 'DELETE') dedupeOwners(context, object);
  if (context.isLarge) yield yieldToTasks();
  return object;
}

/** Validating admission, the last check before storage. */
export function validate(context: ResourceContext, request: AdmissionRequest): Promise<void> | void {
  return runSyncIfPossible(validating(context, request));
}

function* validating(context: ResourceContext, request: AdmissionRequest): MaybeAsync<void> {
  showValidated(context, request);
  const admitting = context.server.admission.validate(attributesOf(context, request));
  if (admitting) yield admitting;
  const held = holdBeforeStorage(context, request.object);
  if (held) yield held;
}

/** Traces a copy of the object that came. What admission changes of it is told as changes of this copy. */
function showDecoded({ server, id }: ResourceContext, attributes: AdmissionAttributes): void {
  if (!attributes.object || !server.tracer.wants('request')) return;
  attributes.traced = copiedForTrace(attributes.object);
  const object = attributes.traced.copy;
  server.tracer.emit({ topic: 'request', request: id, stage: 'object', after: 'decoding', object });
}

/** Traces the object before storage. Nothing changes it after that, except custom objects, which lose fields. */
function showValidated({ server, id }: ResourceContext, { object, resource }: AdmissionRequest): void {
  if (!object || !server.tracer.wants('request')) return;
  const shown = withoutSecrets(resource.custom ? copyUnfrozen(object) : object);
  server.tracer.emit({ topic: 'request', request: id, stage: 'object', after: 'validation', object: shown });
}

/** The admission operation of a write: a patch is an update, and either is a create if the object does not exist. */
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

/** The write options as plugins and webhooks receive them. */
export function optionsObject(
  context: ResourceContext,
  kind: string,
  fields: Readonly<Record<string, unknown>>,
): ApiObject {
  return { kind, apiVersion: `meta.${context.server.names.domain}/v1`, ...fields } as ApiObject;
}
