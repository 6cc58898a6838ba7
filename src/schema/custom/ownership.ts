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

/** What holds for all parts of a kind. */
interface Whole {
  /** Whether undeclared fields are kept. */
  readonly open: boolean;
  /** The fields of every object, also of embedded ones. */
  readonly common: readonly FieldNode[];
}

/** The type of whole objects. `open` keeps undeclared fields. */
export function ownershipOf(names: Names, structure: Structural | undefined, open: boolean): Node {
  // The reference can't represent a value with two types, and then has no type for the whole kind.
  if (!structure || hasTwoTypes(structure)) return OPEN;
  const metadata = nodeOf(names, ObjectMeta);
  const common = [field('apiVersion', STRING), field('kind', STRING), field('metadata', metadata)];
  return objectNode(structure, { open, common }, structure.preservesUnknown);
}

const ROOT: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function hasTwoTypes(structure: Structural): boolean {
  const parts = [...structure.properties.values(), structure.items, structure.additional?.structure];
  return structure.intOrString || parts.some((part) => part !== undefined && hasTwoTypes(part));
}

/** An object that has `apiVersion`, `kind` and `metadata`: a whole one, or one that is embedded. */
function objectNode(structure: Structural, whole: Whole, open: boolean): StructNode {
  const own = [...structure.properties].filter(([name]) => !ROOT.has(name)).map((entry) => toField(entry, whole));
  return struct([...own, ...whole.common], whole.open || open, structure);
}

function toNode(structure: Structural, whole: Whole): Node {
  if (structure.type === 'array') return toList(structure, whole);
  if (structure.type !== 'object') return getOwn(SCALARS, structure.type) ?? unknown(whole);
  const open = structure.preservesUnknown || structure.additional !== undefined;
  if (structure.embedded) return objectNode(structure, whole, open);
  if (structure.properties.size === 0) return toMap(structure, whole);
  const fields = [...structure.properties].map((entry) => toField(entry, whole));
  return struct(fields, whole.open || open, structure);
}

/** Undeclared values are atomic, unless the definition preserves unknown fields. */
const unknown = ({ open }: Whole): Node => (open ? OPEN : WHOLE);

function toList({ items, listType, listKeys }: Structural, whole: Whole): Node {
  const of = items ? toNode(items, whole) : unknown(whole);
  const list = listType === 'set' || listType === 'map' ? listType : 'atomic';
  return { type: 'list', of, merging: { list, ...(list === 'map' ? { keys: listKeys } : {}) } };
}

function toMap({ additional, mapType }: Structural, whole: Whole): Node {
  const of = additional?.structure ? toNode(additional.structure, whole) : unknown(whole);
  return { type: 'map', of, merging: mapMerging(mapType) };
}

const mapMerging = (mapType: string | undefined): Pick<FieldOptions, 'map'> =>
  mapType === 'atomic' ? { map: 'atomic' } : {};

function struct(fields: readonly FieldNode[], open: boolean, { mapType }: Structural): StructNode {
  const byName = new Map(fields.map((one) => [one.name, one]));
  return { type: 'struct', name: '', fields, byName, options: mapMerging(mapType), open };
}

function toField([name, structure]: readonly [string, Structural], whole: Whole): FieldNode {
  const options = structure.default === undefined ? {} : { keyDefault: structure.default };
  return field(name, toNode(structure, whole), options);
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
