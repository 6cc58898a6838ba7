/** Content negotiation: the representations that a client accepts, and the one that it sends. */
import type { Names } from '../../names/index.ts';
import { status } from '../../schema/index.ts';

export type Encoding = 'json' | 'yaml' | 'protobuf';

/** A transformation of the same data: a Table or partial metadata. */
export interface Transform {
  readonly kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  readonly version: 'v1' | 'v1beta1';
}

export interface Accepted {
  readonly encoding: Encoding;
  readonly mediaType: string;
  readonly transform: Transform | undefined;
  readonly pretty: boolean;
}

/** The representations that an endpoint offers. */
export interface Offer {
  readonly encodings: readonly Encoding[];
  /** Whether it offers partial metadata and Tables. */
  readonly transforms: boolean;
  /** False if it offers partial metadata but no Table. */
  readonly tables?: boolean;
  /** Custom objects have no Protobuf encoding, only their metadata has; and there is no router in front of them. */
  readonly custom?: boolean;
  /** There is no router in front, although there is a Protobuf encoding. */
  readonly unrouted?: boolean;
}

interface Clause {
  readonly type: string;
  readonly q: number;
  readonly params: ReadonlyMap<string, string>;
}

/** The media type of an encoding in the cluster's naming profile. */
export function mediaTypeOf(encoding: Encoding, names: Names): string {
  return encoding === 'protobuf' ? names.fill('application/vnd.{product}.protobuf') : `application/${encoding}`;
}

/** Chooses the best match of the Accept header; throws 406 if there is none. */
export function negotiate(header: string | null, offer: Offer, names: Names): Accepted {
  const first = offer.encodings[0] as Encoding;
  if (header === null || header === '') return plain(first, names);
  // The header of the cluster's own components; it needs no parsing.
  if (header === 'application/json' && offer.encodings.includes('json')) return plain('json', names);
  const types = offer.encodings.filter((e) => !offer.custom || e !== 'protobuf').map((e) => mediaTypeOf(e, names));
  const routed = (offer.unrouted ?? false) || isRouted(header, types);
  if (!routed && !offer.custom) throw status.notRouted();
  for (const clause of parseAccept(header)) {
    for (const encoding of offer.encodings) {
      const accepted = match(clause, encoding, offer, names);
      if (accepted) return accepted;
    }
  }
  throw status.notAcceptable(types);
}

/** The router accepts an exact type or `*` for both parts; it does not support other wildcards. */
export function isRouted(header: string, types: readonly string[]): boolean {
  const ranges = header.split(',').map((part) => (part.split(';')[0] ?? '').trim());
  return ranges.some((range) => range === '*/*' || types.includes(range));
}

/** Negotiates the encoding of an error, which is always sent. Undefined if the client accepts none of the encodings. */
export function negotiateError(header: string | null, names: Names): Accepted | undefined {
  const offer: Offer = { encodings: ['json', 'yaml', 'protobuf'], transforms: false, unrouted: true };
  try {
    return negotiate(header, offer, names);
  } catch {
    return undefined;
  }
}

const plain = (encoding: Encoding, names: Names): Accepted => ({
  encoding,
  mediaType: mediaTypeOf(encoding, names),
  transform: undefined,
  pretty: false,
});

function match(clause: Clause, encoding: Encoding, offer: Offer, names: Names): Accepted | undefined {
  const mediaType = mediaTypeOf(encoding, names);
  if (clause.type !== mediaType && clause.type !== 'application/*' && clause.type !== '*/*') return undefined;
  const { params } = clause;
  if (!canStream(encoding, params.get('stream') ?? '') || (params.get('sv') ?? '') !== '') return undefined;
  const accepted = { encoding, mediaType, transform: undefined, pretty: params.get('pretty') === '1' };
  if (!['as', 'g', 'v'].some((name) => params.has(name)))
    return offer.custom && encoding === 'protobuf' ? undefined : accepted;
  const transform = transformOf(params, names);
  if (!transform || !offer.transforms) return undefined;
  if (transform.kind === 'Table' && (encoding === 'protobuf' || offer.tables === false)) return undefined;
  return { ...accepted, transform };
}

/** Every endpoint accepts `stream=watch`, except with YAML. */
const canStream = (encoding: Encoding, stream: string): boolean =>
  stream === '' || (stream === 'watch' && encoding !== 'yaml');

function transformOf(params: ReadonlyMap<string, string>, names: Names): Transform | undefined {
  const as = params.get('as');
  const version = params.get('v');
  if (params.get('g') !== `meta.${names.domain}` || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  if (as !== 'Table' && as !== 'PartialObjectMetadata' && as !== 'PartialObjectMetadataList') return undefined;
  return { kind: as, version };
}

/** Insertion takes quadratic time, so the reference's sort has another algorithm for more. */
const INSERTED = 12;

/** The clauses of an Accept header, most preferred first. */
function parseAccept(header: string): Clause[] {
  const clauses = header.split(',').flatMap((part) => parseClause(part) ?? []);
  if (clauses.length > INSERTED) return clauses.sort((a, b) => Number(isBefore(b, a)) - Number(isBefore(a, b)));
  const sorted: Clause[] = [];
  for (const clause of clauses) {
    // `isBefore` is not a strict order (it can hold both ways), so the result depends on copying the reference's sort
    // algorithm.
    let at = sorted.length;
    while (at > 0 && isBefore(clause, sorted[at - 1] as Clause)) at--;
    sorted.splice(at, 0, clause);
  }
  return sorted;
}

function parseClause(part: string): Clause | undefined {
  const [range = '', ...rest] = part.split(';');
  const type = range
    .split('/')
    .map((name) => name.trim())
    .join('/');
  if (type !== '*' && type.split('/').length !== 2) return undefined;
  const params = new Map(
    rest.flatMap((param) => {
      const [name = '', ...value] = param.split('=');
      return value.length === 0 ? [] : [[name.trim(), value.join('=')] as const];
    }),
  );
  const q = params.get('q');
  for (const [name, value] of params) params.set(name, value.trim());
  // An invalid weight counts as zero.
  const weight = q === undefined ? 1 : WEIGHT.test(q) ? Number(q) : 0;
  return { type: type === '*' ? '*/*' : type, q: weight, params };
}

/** No digit can belong to two parts, so that matching takes linear time. */
const WEIGHT = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

function isBefore(a: Clause, b: Clause): boolean {
  const [[typeA, subtypeA], [typeB, subtypeB]] = [a.type.split('/'), b.type.split('/')];
  return a.q > b.q || (typeA !== '*' && typeB === '*') || (subtypeA !== '*' && subtypeB === '*');
}

/** The encoding of a request's body from its Content-Type, JSON by default; throws 415. */
export function bodyEncoding(header: string | null, names: Names): Encoding {
  const encodings: readonly Encoding[] = ['json', 'yaml', 'protobuf'];
  if (!header) return 'json';
  const type = header.split(';')[0]?.trim().toLowerCase() ?? '';
  const wellFormed = PARAMETERS.test(header.replace(/^[^;]*/, ''));
  const found = wellFormed ? encodings.find((e) => mediaTypeOf(e, names) === type) : undefined;
  if (!found) throw status.unsupportedMediaType(encodings.map((e) => mediaTypeOf(e, names)));
  return found;
}

/** The parameters after a media type. */
const PARAMETERS = /^(\s*;\s*[^\s()<>@,;:\\"/[\]?=]+\s*=\s*([^\s()<>@,;:\\"/[\]?=]+|"([^"\\]|\\.)*"))*\s*(?:;\s*)?$/;
