/** Empty lists, maps and byte strings in client input. */
import { rulesOf, type Node, type Resource } from '../../schema/index.ts';
import { isObject, getOwn } from '../../std/index.ts';
import type { RequestContext } from '../context.ts';

/**
 * Stores the client's input for later comparison. For kinds where it matters (see `Rules.emptyCounts`) it records
 * whether the input has an empty list, map or byte string outside of metadata, because decoding drops these and stored
 * objects have none.
 */
export function noteEmpties(context: RequestContext, { node, declaration }: Resource, sent: unknown): void {
  context.sent = sent;
  const rules = rulesOf(declaration);
  if (!isObject(sent) || !(rules?.emptyCounts || rules?.emptyBytesCount)) return;
  const { metadata: _metadata, ...rest } = sent;
  if (rules.emptyCounts) context.sentEmpties = hasEmpty(node, rest, true);
  if (rules.emptyBytesCount === context.info.subresource) context.sentEmptyBytes = hasEmpty(node, rest, false);
}

/** Whether a value contains an empty byte string or, with `collections`, an empty list or map. */
function hasEmpty(node: Node, value: unknown, collections: boolean): boolean {
  if (node.type === 'scalar') return node.scalar === 'bytes' && value === '';
  if (node.type === 'list')
    return (
      Array.isArray(value) &&
      ((collections && value.length === 0) || value.some((item) => hasEmpty(node.of, item, collections)))
    );
  if (!isObject(value)) return false;
  if (node.type === 'struct') return node.fields.some(({ name, of }) => hasEmpty(of, getOwn(value, name), collections));
  if (node.type !== 'map') return false;
  const items = Object.values(value);
  return (collections && items.length === 0) || items.some((item) => hasEmpty(node.of, item, collections));
}
