/** Where the objects of an ownership graph stand: columns from cause to effect, in an order that doesn't change while others come and go. */
import type { KnownObject } from '../../../explain/index.ts';
import { atOnce, type Steps } from '../../../std/index.ts';
import type { Link, Relations } from './relations.ts';

export const NODE = { width: 208, height: 46, gapX: 56, gapY: 10 } as const;

/** More siblings of one kind than this stand together as one node. */
const MOST_SIBLINGS = 10;

export interface PlacedNode {
  readonly key: string;
  readonly object: KnownObject;
  /** How many objects it stands for besides its own. */
  readonly more: number;
  readonly x: number;
  readonly y: number;
}

export interface GraphLayout {
  readonly nodes: readonly PlacedNode[];
  readonly links: readonly { readonly link: Link; readonly from: PlacedNode; readonly to: PlacedNode }[];
  readonly width: number;
  readonly height: number;
}

const uidOf = ({ metadata }: KnownObject): string => metadata.uid ?? '';

/** By kind, then by age, then by name: what is new stands below what was there. */
function before(a: KnownObject, b: KnownObject): number {
  const keys = (o: KnownObject): string[] => [o.kind, o.metadata.creationTimestamp ?? '', o.metadata.name ?? ''];
  const [left, right] = [keys(a), keys(b)];
  const differing = left.findIndex((key, i) => key !== right[i]);
  return differing < 0 ? 0 : (left[differing] ?? '') < (right[differing] ?? '') ? -1 : 1;
}

/** The column of each object: one after the last of those that lead to it. */
function columnsOf({ objects, links }: Relations): ReadonlyMap<string, number> {
  const leading = new Map<string, KnownObject[]>();
  for (const { from, to } of links) {
    const causes = leading.get(uidOf(to));
    if (causes) causes.push(from);
    else leading.set(uidOf(to), [from]);
  }
  const columns = new Map<string, number>();
  const columnOf = (object: KnownObject, way: ReadonlySet<string>): number => {
    const uid = uidOf(object);
    const known = columns.get(uid);
    if (known !== undefined || way.has(uid)) return known ?? 0;
    const next = new Set(way).add(uid);
    const column = Math.max(0, ...(leading.get(uid) ?? []).map((each) => columnOf(each, next) + 1));
    columns.set(uid, column);
    return column;
  };
  for (const object of objects) columnOf(object, new Set());
  return columns;
}

/** What has nothing before it stands right before what it leads to. */
function pulled(columns: ReadonlyMap<string, number>, links: readonly Link[]): ReadonlyMap<string, number> {
  const next = new Map(columns);
  const hasCause = new Set(links.map(({ to }) => uidOf(to)));
  const nearest = new Map<string, number>();
  for (const { from, to } of links)
    nearest.set(uidOf(from), Math.min(nearest.get(uidOf(from)) ?? Infinity, columns.get(uidOf(to)) ?? 0));
  for (const [uid, column] of nearest) if (!hasCause.has(uid)) next.set(uid, Math.max(0, column - 1));
  return next;
}

interface Folded {
  readonly shown: readonly KnownObject[];
  /** Which shown object stands for each. */
  readonly standIn: ReadonlyMap<string, string>;
  readonly more: ReadonlyMap<string, number>;
}

/** Keeps the first siblings of a kind; the last of them stands for the others. */
function fold(objects: readonly KnownObject[], center: string): Folded {
  const groups = new Map<string, KnownObject[]>();
  for (const object of [...objects].sort(before)) {
    const owner = object.metadata.ownerReferences?.[0]?.uid ?? '';
    const key = `${object.kind}/${owner}`;
    const group = groups.get(key);
    if (group) group.push(object);
    else groups.set(key, [object]);
  }
  const standIn = new Map<string, string>();
  const more = new Map<string, number>();
  const shown = [...groups.values()].flatMap((group) => {
    const first = group.filter((object, i) => i < MOST_SIBLINGS || uidOf(object) === center);
    const last = first.at(-1);
    const own = new Set(first);
    for (const object of group) standIn.set(uidOf(object), uidOf(own.has(object) || !last ? object : last));
    if (last && group.length > first.length) more.set(uidOf(last), group.length - first.length);
    return first;
  });
  return { shown, standIn, more };
}

/** Lays the graph out, at once. */
export const layOutGraph = (relations: Relations, center: KnownObject): GraphLayout =>
  atOnce(layOutInSteps(relations, center));

/** Lays the graph out. The same graph always looks the same. */
export function* layOutInSteps(relations: Relations, center: KnownObject): Steps<GraphLayout> {
  const { shown, standIn, more } = fold(relations.objects, uidOf(center));
  yield;
  const leftmost = columnsOf(relations);
  yield;
  const columns = pulled(leftmost, relations.links);
  yield;
  const byColumn = new Map<number, KnownObject[]>();
  for (const object of [...shown].sort(before)) {
    const column = columns.get(uidOf(object)) ?? 0;
    byColumn.set(column, [...(byColumn.get(column) ?? []), object]);
  }
  const used = [...byColumn.keys()].sort((a, b) => a - b);
  const tallest = Math.max(1, ...[...byColumn.values()].map(({ length }) => length));
  const nodes = new Map<string, PlacedNode>();
  used.forEach((column, i) => {
    const members = ordered(byColumn.get(column) ?? [], relations.links, nodes);
    // Short columns begin at the top as tall ones do: nothing moves when a column grows.
    members.forEach((object, row) => {
      const [x, y] = [i * (NODE.width + NODE.gapX), row * (NODE.height + NODE.gapY)];
      nodes.set(uidOf(object), { key: uidOf(object), object, more: more.get(uidOf(object)) ?? 0, x, y });
    });
  });
  const nodeOf = (object: KnownObject): PlacedNode | undefined => nodes.get(standIn.get(uidOf(object)) ?? '');
  yield;
  // Of the links of objects that stand together one is drawn.
  const links = new Map<string, GraphLayout['links'][number]>();
  for (const link of relations.links) {
    const [from, to] = [nodeOf(link.from), nodeOf(link.to)];
    const key = `${from?.key}>${to?.key}>${link.relation}`;
    if (from && to && !links.has(key)) links.set(key, { link, from, to });
  }
  return {
    nodes: [...nodes.values()],
    links: [...links.values()],
    width: used.length * (NODE.width + NODE.gapX) - NODE.gapX,
    height: tallest * (NODE.height + NODE.gapY) - NODE.gapY,
  };
}

/** Members of a column stand beside their owners: in the owners' order, then in their own. */
function ordered(
  members: readonly KnownObject[],
  links: readonly Link[],
  placed: ReadonlyMap<string, PlacedNode>,
): readonly KnownObject[] {
  const rowOf = (object: KnownObject): number => {
    const rows = links
      .filter(({ to, relation }) => to === object && relation === 'owns')
      .flatMap(({ from }) => placed.get(uidOf(from))?.y ?? []);
    return rows.length === 0 ? Infinity : Math.min(...rows);
  };
  const rows = new Map(members.map((object) => [object, rowOf(object)]));
  return [...members].sort((a, b) => {
    const [left, right] = [rows.get(a) ?? 0, rows.get(b) ?? 0];
    return left === right ? before(a, b) : left - right;
  });
}
