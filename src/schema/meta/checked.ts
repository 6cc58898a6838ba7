/** The order in which a write is checked: the reference shows the same mistake once for each time it looks. */
import { clone, getOwn } from '../../std/index.ts';
import type { FieldErrors } from '../define/fieldErrors.ts';
import { rulesOf, type ApiObject, type KindDeclaration, type RuleContext, type Version } from '../define/kind.ts';
import {
  standardFinalizers,
  validateObjectMeta,
  validateObjectMetaUpdate,
  type MetaOptions,
} from './objectMeta.rules.ts';

/** A kind as one of its versions serves it. */
export interface Checked {
  readonly declaration: KindDeclaration;
  readonly version: Pick<Version, 'validate'>;
}

function metaOptions({ declaration }: Checked, { names }: RuleContext): MetaOptions {
  const { name = 'subdomain', anyFinalizer = false } = rulesOf(declaration) ?? {};
  return {
    namespaced: declaration.namespaced,
    name,
    ...(anyFinalizer ? {} : { finalizers: standardFinalizers(names) }),
  };
}

/** What is wrong with a new object (in its hub version). */
export function checkCreate(kind: Checked, object: ApiObject, context: RuleContext): FieldErrors {
  const rules = rulesOf(kind.declaration);
  const alone = checkAlone(kind, object, context);
  const repeated = Array.from({ length: rules?.createChecks ?? 1 }, () => alone).flat();
  const errors = [...repeated, ...(rules?.validateCreate?.(object, context) ?? [])];
  return errors.length > 0 ? errors : checkCommon(kind, object);
}

/** The kind's own rules for an object by itself. */
function checkAlone(kind: Checked, object: ApiObject, context: RuleContext): FieldErrors {
  const rules = rulesOf(kind.declaration);
  return [
    ...(rules?.anyMetadata ? [] : validateObjectMeta(object.metadata, metaOptions(kind, context))),
    ...(rules?.validate?.(object, context) ?? []),
    ...(kind.version.validate?.(object as never, context) ?? []),
  ];
}

/** The rules for metadata of every kind: its name only has to fit into a URL. */
function checkCommon({ declaration }: Checked, object: ApiObject): FieldErrors {
  return validateObjectMeta(object.metadata, {
    namespaced: declaration.namespaced,
    name: 'pathSegment',
  });
}

/** What is wrong with a changed object, or with a write to its status. */
export function checkUpdate(
  kind: Checked,
  object: ApiObject,
  old: ApiObject,
  context: RuleContext,
  mode: string,
): FieldErrors {
  const rules = rulesOf(kind.declaration);
  const common = [...checkCommon(kind, object), ...validateObjectMetaUpdate(object.metadata, old.metadata)];
  const metadata = (): FieldErrors =>
    rules?.anyMetadata ? [] : validateObjectMetaUpdate(object.metadata, old.metadata, metaOptions(kind, context));
  if (mode === 'status') {
    if (rules?.anyStatus) return common;
    return [...common, ...metadata(), ...(rules?.validateStatusUpdate?.(object, old, context) ?? [])];
  }
  // A view writes little of the object, and the server itself (binding a pod) knows what it writes.
  const view = getOwn(rules?.views, mode);
  if (view) return [...common, ...metadata(), ...(view.validate?.(object, old, context) ?? [])];
  if (mode !== 'object') return common;
  const parts = {
    alone: () => checkAlone(kind, object, context),
    metadata,
    change: () => rules?.validateUpdate?.(object, old, context) ?? [],
  };
  const order = rules?.updateChecks ?? (['alone', 'metadata', 'change'] as const);
  return [...common, ...order.flatMap((part) => [...parts[part]()])];
}

const KEPT_METADATA = ['generation', 'labels', 'annotations', 'finalizers', 'ownerReferences', 'deletionTimestamp'];

/** For writes to the status of kinds that let nothing else through: all metadata but the owners of fields stays. */
export function keepAllButStatus<T extends ApiMetadata>(object: T, old: T): void {
  for (const name of Object.keys({ ...object, ...old })) {
    if (name !== 'status' && name !== 'metadata') copyField(object, old, name);
  }
  for (const name of KEPT_METADATA) copyField(object.metadata, old.metadata, name);
}

interface ApiMetadata {
  metadata: object;
}

function copyField(object: object, old: object, name: string): void {
  const value: unknown = Reflect.get(old, name);
  if (value === undefined) Reflect.deleteProperty(object, name);
  else Reflect.set(object, name, clone(value));
}
