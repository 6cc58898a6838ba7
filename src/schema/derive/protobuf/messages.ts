/** How structs lie on the wire: their fields by number, those of embedded structs in a message of their own. */
import type { FieldNode, StructNode } from '../scheme.ts';

/** A field of a message, or an embedded message with fields of the same object. */
export type Part =
  { readonly tag: number; readonly field: FieldNode } | { readonly tag: number; readonly embedded: readonly Part[] };

const known = new WeakMap<StructNode, readonly Part[]>();

/** The parts of a struct's message in the order of their numbers, in which they are written. */
export function partsOf(node: StructNode): readonly Part[] {
  let parts = known.get(node);
  if (!parts) known.set(node, (parts = make(node.fields)));
  return parts;
}

function make(fields: readonly FieldNode[]): readonly Part[] {
  const parts: Part[] = [];
  const embedded = new Map<number, Part[]>();
  for (const field of fields) {
    const { tag, options } = field;
    if (tag === 0) continue;
    if (options.within === undefined) parts.push({ tag, field });
    else embedded.set(options.within, [...(embedded.get(options.within) ?? []), { tag, field }]);
  }
  for (const [tag, inner] of embedded) parts.push({ tag, embedded: inner.sort(byTag) });
  return parts.sort(byTag);
}

const byTag = (a: Part, b: Part): number => a.tag - b.tag;
