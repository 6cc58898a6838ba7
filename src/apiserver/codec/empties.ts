/** Lists, maps and bytes that a client sent with nothing in them. */
import { rulesOf, type Node, type Resource } from '../../schema/index.ts';
import { isObject, getOwn } from '../../std/index.ts';
import type { RequestContext } from '../context.ts';

/**
 * Keeps what a client sent for those who compare, and notes for kinds that care (see `Rules.emptyCounts`) whether what a client sent has an empty list, map or byte string
 * anywhere outside metadata: decoding drops them, and what is stored has none.
 */
export function noteEmpties(context: RequestContext, { node, declaration }: Resource, sent: unknown): void {
  context.sent = sent;
  if (!rulesOf(declaration)?.emptyCounts || !isObject(sent)) return;
  const { metadata: _metadata, ...rest } = sent;
  context.sentEmpties = hasEmpty(node, rest);
}

function hasEmpty(node: Node, value: unknown): boolean {
  if (node.type === 'scalar') return node.scalar === 'bytes' && value === '';
  if (node.type === 'list')
    return Array.isArray(value) && (value.length === 0 || value.some((item) => hasEmpty(node.of, item)));
  if (!isObject(value)) return false;
  if (node.type === 'struct') return node.fields.some(({ name, of }) => hasEmpty(of, getOwn(value, name)));
  if (node.type !== 'map') return false;
  const items = Object.values(value);
  return items.length === 0 || items.some((item) => hasEmpty(node.of, item));
}
