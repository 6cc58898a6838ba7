/**
 * Sets of fields as trees, the structure of FieldsV1. A node says whether its own path is in the set, and which
 * children are not empty. Nodes are immutable, so sets share common parts.
 */
export interface FieldSet {
  readonly self: boolean;
  /** By path element, such as `f:spec` (see `pathElement.ts`); never empty. */
  readonly children: ReadonlyMap<string, FieldSet>;
}

const NONE: ReadonlyMap<string, FieldSet> = new Map();

/** The empty set. */
export const EMPTY: FieldSet = { self: false, children: NONE };
/** A set with only its own path. */
export const LEAF: FieldSet = { self: true, children: NONE };

/** Creates a node. The empty set and the leaf are unique, so they can be compared by identity. */
export function fieldSet(self: boolean, children: ReadonlyMap<string, FieldSet> | undefined): FieldSet {
  if (children !== undefined && children.size > 0) return { self, children };
  return self ? LEAF : EMPTY;
}

/** The union of both sets. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (b === EMPTY || a === b) return a;
  if (a === EMPTY) return b;
  const children = new Map(a.children);
  for (const [element, child] of b.children) children.set(element, union(children.get(element) ?? EMPTY, child));
  return fieldSet(a.self || b.self, children);
}

/** The intersection of both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === EMPTY || b === EMPTY) return EMPTY;
  let children: Map<string, FieldSet> | undefined;
  for (const [element, child] of a.children) {
    const common = intersection(child, b.children.get(element) ?? EMPTY);
    if (common !== EMPTY) (children ??= new Map()).set(element, common);
  }
  return fieldSet(a.self && b.self, children);
}

/** The paths in `a` that are not in `b`: removing a parent keeps its children. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (a === EMPTY || b === EMPTY) return a;
  let children: Map<string, FieldSet> | undefined;
  for (const [element, unwanted] of b.children) {
    const child = a.children.get(element);
    const rest = child === undefined ? undefined : difference(child, unwanted);
    if (rest === undefined || rest === child) continue;
    children ??= new Map(a.children);
    if (rest === EMPTY) children.delete(element);
    else children.set(element, rest);
  }
  const self = a.self && !b.self;
  return children === undefined && self === a.self ? a : fieldSet(self, children ?? a.children);
}

export function equals(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.self !== b.self || a.children.size !== b.children.size) return false;
  for (const [element, child] of a.children) {
    const other = b.children.get(element);
    if (other === undefined || !equals(child, other)) return false;
  }
  return true;
}

/** A set of given paths, each a list of field names. */
export function setOf(...paths: readonly (readonly string[])[]): FieldSet {
  const path = ([name, ...rest]: readonly string[]): FieldSet =>
    name === undefined ? LEAF : fieldSet(false, new Map([[`f:${name}`, path(rest)]]));
  return paths.map(path).reduce(union, EMPTY);
}
