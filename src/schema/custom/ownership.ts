/** What apply and field ownership know of a custom object's fields. */
import { getOwn } from '../../std/index.ts';
import type { Names } from '../../names/index.ts';
import type { FieldOptions } from '../define/types.ts';
import { nodeOf } from '../derive/nodes.ts';
import type { FieldNode, Node, StructNode } from '../derive/scheme.ts';
import { ObjectMeta } from '../meta/objectMeta.ts';
import type { Structural } from './structural.ts';

const OPEN: Node = { type: 'open' };
/** Anything at all, owned as a whole. */
const WHOLE: Node = { type: 'scalar', scalar: 'json' };
const STRING: Node = { type: 'scalar', scalar: 'string' };

const SCALARS: Readonly<Record<string, Node>> = {
  string: STRING,
  integer: { type: 'scalar', scalar: 'int64' },
  number: { type: 'scalar', scalar: 'double' },
  boolean: { type: 'scalar', scalar: 'bool' },
};

/** The type of whole objects. `open` keeps undeclared fields. */
export function ownershipOf(names: Names, structure: Structural | undefined, open: boolean): Node {
  // The reference can't represent a value with two types, and then has no type for the whole kind.
  if (!structure || hasTwoTypes(structure)) return OPEN;
  const own = [...structure.properties].filter(([name]) => !ROOT.has(name)).map((entry) => toField(entry, open));
  const metadata = nodeOf(names, ObjectMeta);
  const fields = [...own, field('apiVersion', STRING), field('kind', STRING), field('metadata', metadata)];
  return struct(fields, open || structure.preservesUnknown, structure);
}

const ROOT: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function hasTwoTypes(structure: Structural): boolean {
  const parts = [...structure.properties.values(), structure.items, structure.additional?.structure];
  return structure.intOrString || parts.some((part) => part !== undefined && hasTwoTypes(part));
}

function toNode(structure: Structural, open: boolean): Node {
  if (structure.type === 'array') return toList(structure, open);
  if (structure.type !== 'object') return getOwn(SCALARS, structure.type) ?? unknown(open);
  if (structure.properties.size === 0 && !structure.embedded) return toMap(structure, open);
  const fields = [...structure.properties].map((entry) => toField(entry, open));
  return struct(fields, open || structure.preservesUnknown || structure.additional !== undefined, structure);
}

/** Undeclared values are atomic, unless the definition preserves unknown fields. */
const unknown = (open: boolean): Node => (open ? OPEN : WHOLE);

function toList({ items, listType, listKeys }: Structural, open: boolean): Node {
  const of = items ? toNode(items, open) : unknown(open);
  const list = listType === 'set' || listType === 'map' ? listType : 'atomic';
  return { type: 'list', of, merging: { list, ...(list === 'map' ? { keys: listKeys } : {}) } };
}

function toMap({ additional, mapType }: Structural, open: boolean): Node {
  const of = additional?.structure ? toNode(additional.structure, open) : unknown(open);
  return { type: 'map', of, merging: mapMerging(mapType) };
}

const mapMerging = (mapType: string | undefined): Pick<FieldOptions, 'map'> =>
  mapType === 'atomic' ? { map: 'atomic' } : {};

function struct(fields: readonly FieldNode[], open: boolean, { mapType }: Structural): StructNode {
  const byName = new Map(fields.map((one) => [one.name, one]));
  return { type: 'struct', name: '', fields, byName, options: mapMerging(mapType), open };
}

function toField([name, structure]: readonly [string, Structural], open: boolean): FieldNode {
  const options = structure.default === undefined ? {} : { keyDefault: structure.default };
  return field(name, toNode(structure, open), options);
}

/** Fields of custom objects have no numbers on the wire: they are never written as Protobuf. */
const field = (name: string, of: Node, options: FieldOptions = {}): FieldNode => ({
  name,
  tag: 0,
  of,
  presence: 'ptr',
  required: false,
  options,
});
