/** Label and field selectors, compiled once per request. */
import {
  fieldSelectorOf,
  parseFieldSelector,
  parseLabelSelector,
  status,
  type ApiObject,
  type Resource,
} from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';

/** Whether an object (in its hub version) is selected; undefined if every object is. */
export type Selection = ((object: ApiObject) => boolean) | undefined;

/** Throws 400 for a syntax error in a selector. */
export function checkSelectors(labelSelector: string, fieldSelector: string): void {
  parsed(() => parseLabelSelector(labelSelector));
  parsed(() => parseFieldSelector(fieldSelector));
}

/** Compiles the selectors of a request; throws 400 for syntax errors and for fields that the kind can't select by. */
export function selection(resource: Resource, labelSelector: string, fieldSelector: string): Selection {
  const labels = parsed(() => parseLabelSelector(labelSelector));
  const { requirements } = parsed(() => parseFieldSelector(fieldSelector));
  const fields = fieldSelectorOf(requirements.map((one) => ({ ...one, field: fieldOf(resource, one.field) })));
  if (labels.matchesEverything && fields.matchesEverything) return undefined;
  const asked = fields.requirements.map(({ field }) => field);
  const valuesOf = (object: ApiObject): Record<string, string> =>
    Object.fromEntries(asked.map((field) => [field, fieldValue(resource, object, field)]));
  return (object) =>
    labels.matches(object.metadata.labels ?? {}) && (fields.matchesEverything || fields.matches(valuesOf(object)));
}

/** A field of a resource, and the one value that a selector requires. */
export interface SelectedValue {
  readonly field: string;
  readonly value: string;
}

/**
 * The first field of the kind that a selector restricts to one value, as a node's agent selects the pods of its node.
 */
export function selectedValue(resource: Resource, fieldSelector: string): SelectedValue | undefined {
  const { requirements } = parsed(() => parseFieldSelector(fieldSelector));
  for (const { field: given, operator, value } of requirements) {
    const field = fieldOf(resource, given);
    if (operator === '=' && !field.startsWith('metadata.')) return { field, value };
  }
  return undefined;
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw status.badRequest(error instanceof Error ? error.message : String(error));
  }
}

/** The hub's name of a field, which this version may name differently; throws if the field is not selectable. */
function fieldOf(resource: Resource, field: string): string {
  const { selectable = {}, selectableNamespace = true } = resource.declaration;
  if (field === 'metadata.name' || (field === 'metadata.namespace' && selectableNamespace)) return field;
  const names = resource.version.selectableAs;
  const known = names ? (Object.hasOwn(names, field) ? names[field] : undefined) : field;
  if (known !== undefined && Object.hasOwn(selectable, known)) return known;
  throw status.badRequest(unselectable(resource, field));
}

function unselectable({ custom, declaration }: Resource, field: string): string {
  if (declaration.unselectable) return declaration.unselectable(field);
  if (custom || declaration.selectable) return `field label not supported: ${field}`;
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

/** The value of a selectable field, as text. */
export function fieldValue(resource: Resource, object: ApiObject, field: string): string {
  const { name = '', namespace = '' } = object.metadata;
  if (field === 'metadata.name') return name;
  return field === 'metadata.namespace' ? namespace : (getOwn(resource.declaration.selectable, field)?.(object) ?? '');
}

/** The name that a field selector requires, if any. */
export function selectedName(fieldSelector: string): string | undefined {
  return parsed(() => parseFieldSelector(fieldSelector)).exactValue('metadata.name');
}
