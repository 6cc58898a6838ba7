/** Which objects a request selects: label and field selectors, compiled once per request. */
import { parseFieldSelector, parseLabelSelector, status, type ApiObject, type Resource } from '../../schema/index.ts';

/** Whether an object (in its hub version) is selected; undefined where everything is. */
export type Selection = ((object: ApiObject) => boolean) | undefined;

/** Compiles the selectors of a request; throws 400 for bad grammar and for fields that the kind doesn't select by. */
export function selection(resource: Resource, labelSelector: string, fieldSelector: string): Selection {
  const labels = parsed(() => parseLabelSelector(labelSelector));
  const fields = parsed(() => parseFieldSelector(fieldSelector));
  for (const { field } of fields.requirements) requireSelectable(resource, field);
  if (labels.matchesEverything && fields.matchesEverything) return undefined;
  return (object) => labels.matches(object.metadata.labels ?? {}) && (fields.matchesEverything || fields.matches(fieldsOf(resource, object)));
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw status.badRequest(error instanceof Error ? error.message : String(error));
  }
}

function requireSelectable(resource: Resource, field: string): void {
  if (field === 'metadata.name' || (field === 'metadata.namespace' && resource.declaration.selectableNamespace !== false)) return;
  if (resource.declaration.selectableFields?.includes(field)) return;
  throw status.badRequest(`field label not supported: ${field}`);
}

function fieldsOf(resource: Resource, object: ApiObject): Readonly<Record<string, string>> {
  const { name = '', namespace = '' } = object.metadata;
  return { ...resource.declaration.selectable?.(object), 'metadata.name': name, 'metadata.namespace': namespace };
}

/** The one name that a field selector fixes, if it does. */
export function selectedName(fieldSelector: string): string | undefined {
  return parsed(() => parseFieldSelector(fieldSelector)).exactValue('metadata.name');
}
