/** What a strategic merge patch needs to know about a field: its strategy and its content. */
import type { FieldOptions, Node } from '../../schema/index.ts';
import { bareFailure } from '../failures.ts';

export interface FieldType {
  readonly of: Node;
  /** Whether a list merges; otherwise it is replaced. Objects always merge. */
  readonly merges: boolean;
  readonly mergeKey: string;
}

/**
 * The type of an object's field. Only structs have typed fields: the values of a map are scalars, and a patch that
 * merges anything else there fails, as in the reference.
 */
export function fieldType(node: Node, name: string): FieldType {
  const field = node.type === 'struct' ? node.byName.get(name) : undefined;
  if (!field)
    throw bareFailure(
      node.type === 'struct'
        ? `unable to find api field in struct ${node.name.split('.').at(-1)} for the json field ${JSON.stringify(name)}`
        : `merging an object in json but data type is not struct, instead is: ${node.type}`,
    );
  return { of: field.of, merges: mergesLists(field.options), mergeKey: field.options.mergeKey ?? '' };
}

/** The other strategy, `retainKeys`, only says that clients send the directive. */
function mergesLists({ strategy }: FieldOptions): boolean {
  return strategy?.split(',').includes('merge') ?? false;
}

/** The type of a list field's items. */
export function itemType(field: FieldType, name: string): Node {
  if (field.of.type !== 'list')
    throw bareFailure(`expected slice or array type for ${name}, but got: ${field.of.type}`);
  return field.of.of;
}
