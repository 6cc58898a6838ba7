/** Which objects a request selects: label and field selectors, compiled once per request. */
import {
  fieldSelectorOf,
  parseFieldSelector,
  parseLabelSelector,
  status,
  type ApiObject,
  type Resource,
} from '../../schema/index.ts';

/** Whether an object (in its hub version) is selected; undefined where everything is. */
export type Selection = ((object: ApiObject) => boolean) | undefined;

/** Throws 400 for selectors with bad grammar. */
export function checkSelectors(labelSelector: string, fieldSelector: string): void {
  parsed(() => parseLabelSelector(labelSelector));
  parsed(() => parseFieldSelector(fieldSelector));
}

/** Compiles the selectors of a request; throws 400 for bad grammar and for fields that the kind doesn't select by. */
export function selection(resource: Resource, labelSelector: string, fieldSelector: string): Selection {
  const labels = parsed(() => parseLabelSelector(labelSelector));
  const { requirements } = parsed(() => parseFieldSelector(fieldSelector));
  const fields = fieldSelectorOf(requirements.map((one) => ({ ...one, field: fieldOf(resource, one.field) })));
  if (labels.matchesEverything && fields.matchesEverything) return undefined;
  return (object) =>
    labels.matches(object.metadata.labels ?? {}) &&
    (fields.matchesEverything || fields.matches(fieldsOf(resource, object)));
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw status.badRequest(error instanceof Error ? error.message : String(error));
  }
}

/** The name that the kind has for a field which this version may call otherwise; throws where it selects by no such field. */
function fieldOf(resource: Resource, field: string): string {
  const { selectable = {}, selectableNamespace = true } = resource.declaration;
  if (field === 'metadata.name' || (field === 'metadata.namespace' && selectableNamespace)) return field;
  const names = resource.version.selectableAs;
  const known = names ? (Object.hasOwn(names, field) ? names[field] : undefined) : field;
  if (known !== undefined && Object.hasOwn(selectable, known)) return known;
  throw status.badRequest(`field label not supported: ${field}`);
}

function fieldsOf(resource: Resource, object: ApiObject): Readonly<Record<string, string>> {
  const { name = '', namespace = '' } = object.metadata;
  const own = Object.entries(resource.declaration.selectable ?? {}).map(([field, text]) => [field, text(object)]);
  return { ...Object.fromEntries(own), 'metadata.name': name, 'metadata.namespace': namespace };
}

/** The one name that a field selector fixes, if it does. */
export function selectedName(fieldSelector: string): string | undefined {
  return parsed(() => parseFieldSelector(fieldSelector)).exactValue('metadata.name');
}
