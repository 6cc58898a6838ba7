import { setOwn } from '../../std/index.ts';
import type { AnyType, Field, Presence, StructType } from './types.ts';

const known = new WeakMap<StructType, Map<string, StructType>>();

/**
 * The same struct in another version of its API: every struct of the package is renamed, nothing else changes. For
 * versions that differ in more than name, declare what differs.
 */
export function atVersion<S extends StructType>(type: S, version: string): S {
  return inPackage(type, packageOf(type.name).replace(/[^.]+$/, version));
}

/** The same struct in another package, such as `api.extensions.v1beta1`. */
export function inPackage<S extends StructType>(type: S, name: string): S {
  // Renaming keeps the fields, so the result describes the same values.
  return renamed(type, packageOf(type.name), name) as S;
}

const packageOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));

function renamed(type: StructType, from: string, to: string): StructType {
  const versions = known.get(type) ?? new Map<string, StructType>();
  known.set(type, versions);
  const done = versions.get(to);
  if (done) return done;
  const fields: Record<string, Field<AnyType, Presence>> = {};
  const copy: StructType = { ...type, name: type.name.replace(from, to), fields };
  versions.set(to, copy);
  for (const [name, field] of Object.entries(type.fields))
    setOwn(fields, name, { ...field, of: within(field.of, from, to) });
  return copy;
}

function within(type: AnyType, from: string, to: string): AnyType {
  switch (type.type) {
    case 'struct':
      return packageOf(type.name) === from ? renamed(type, from, to) : type;
    case 'list':
    case 'map':
      return { ...type, of: within(type.of, from, to) };
    case 'lazy':
      return { type: 'lazy', get: () => within(type.get(), from, to) };
    case 'either': {
      const part = (p: typeof type.struct) => ({ tag: p.tag, of: within(p.of, from, to) });
      return { ...type, name: type.name.replace(from, to), struct: part(type.struct), other: part(type.other) };
    }
    case 'scalar':
      return type;
  }
}
