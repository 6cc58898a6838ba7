/** The types that the reference's client knows: patches of these kinds merge as on the server. */
import type { Names } from '../../names/index.ts';
import { createScheme, groups, kinds, type ApiObject, type Node, type Scheme } from '../../schema/index.ts';
import { sortKeys } from '../../std/index.ts';
import type { Kind } from './resource.ts';

/** The type of a kind; undefined for one that the client doesn't know. */
export type TypeOf = (kind: Kind) => Node | undefined;

/** Groups that only the server knows. */
const foreign = [groups.apiextensions, groups.apiregistration];

interface Former {
  readonly at: string;
  readonly now: readonly [group: string, version: string];
  readonly kinds: readonly string[];
}

/** What the client still knows of versions that servers no longer have, and where these kinds are now. */
const former: readonly Former[] = [
  { at: 'apps/v1beta1', now: ['apps', 'v1'], kinds: ['ControllerRevision', 'Deployment', 'StatefulSet'] },
  {
    at: 'apps/v1beta2',
    now: ['apps', 'v1'],
    kinds: ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  },
  { at: 'extensions/v1beta1', now: ['apps', 'v1'], kinds: ['DaemonSet', 'Deployment', 'ReplicaSet'] },
  { at: 'extensions/v1beta1', now: ['networking.{domain}', 'v1'], kinds: ['NetworkPolicy'] },
  { at: 'extensions/v1beta1', now: ['policy', 'v1beta1'], kinds: ['PodSecurityPolicy'] },
];

/** Every version and every field is known, served or not. */
function schemeOf(names: Names): Scheme {
  const known = kinds.filter(({ group }) => !foreign.includes(group));
  return createScheme(names, known, { runtimeConfig: 'api/all=true', gate: () => true });
}

/** The types of the kinds, for `names`. */
export function typesOf(names: Names): TypeOf {
  return typesIn(schemeOf(names));
}

/** Reads an object as its type writes it: unknown fields are left out, fields that are always written are there. */
export type Read = (kind: Kind, object: ApiObject) => ApiObject | undefined;

/** Undefined for an object of a kind that the client doesn't know. Throws DecodeError for a value of another type. */
export function readerOf(names: Names): Read {
  const scheme = schemeOf(names);
  const typeOf = typesIn(scheme);
  return (kind, object) => {
    const type = typeOf(kind);
    return type && withoutClaimKinds(object, scheme.decode(type, sortKeys(object), 'merged') as ApiObject);
  };
}

type Claims = ApiObject & {
  readonly spec?: { readonly volumeClaimTemplates?: readonly Readonly<Record<string, unknown>>[] };
};

/** The server says the kind of each claim of a stateful set; the client writes it only where it was said before. */
function withoutClaimKinds(before: Claims, object: Claims): ApiObject {
  const claims = object.kind === 'StatefulSet' ? object.spec?.volumeClaimTemplates : undefined;
  if (!claims) return object;
  const volumeClaimTemplates = claims.map(({ apiVersion, kind, ...claim }, at) => {
    const said = before.spec?.volumeClaimTemplates?.[at];
    return { ...(said?.['kind'] ? { kind } : {}), ...(said?.['apiVersion'] ? { apiVersion } : {}), ...claim };
  });
  return { ...object, spec: { ...object.spec, volumeClaimTemplates } } as ApiObject;
}

function typesIn(scheme: Scheme): TypeOf {
  const { names } = scheme;
  return (wanted) => {
    const at = `${wanted.group}/${wanted.version}`;
    const moved = former.find((each) => each.at === at && each.kinds.includes(wanted.kind));
    const [group, version] = moved?.now ?? [wanted.group, wanted.version];
    return scheme.byKind({ group: names.fill(group), version, kind: wanted.kind })?.node;
  };
}
