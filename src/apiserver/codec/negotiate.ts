/** Content negotiation: which representation a client accepts, and in which one it sends. */
import type { Names } from '../../names/index.ts';
import { status } from '../../schema/index.ts';

export type Encoding = 'json' | 'yaml' | 'protobuf';

/** Another shape of the same data: a Table, or metadata alone. */
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

/** What an endpoint can produce. */
export interface Offer {
  readonly encodings: readonly Encoding[];
  /** Whether it knows metadata alone, and Tables. */
  readonly transforms: boolean;
  /** False where there is metadata alone, but no Table. */
  readonly tables?: boolean;
  /** Custom objects have no Protobuf form of their own, only their metadata has; and no router looks before they do. */
  readonly custom?: boolean;
  /** No router looks before, though there is a Protobuf form. */
  readonly unrouted?: boolean;
}

interface Clause {
  readonly type: string;
  readonly q: number;
  readonly params: ReadonlyMap<string, string>;
}

/** The media type of an encoding under the cluster's naming profile. */
export function mediaTypeOf(encoding: Encoding, names: Names): string {
  return encoding === 'protobuf' ? names.fill('application/vnd.{product}.protobuf') : `application/${encoding}`;
}

/** Picks what the Accept header likes best of what is offered; throws 406 when it likes none. */
export function negotiate(header: string | null, offer: Offer, names: Names): Accepted {
  const first = offer.encodings[0] as Encoding;
  if (header === null || header === '') return plain(first, names);
  // What the cluster's own parts ask for, which needs no reading.
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

/** The router takes a type as it stands, or any; it knows nothing of wildcards that are more special than that. */
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

/** Every endpoint takes `stream=watch`, which YAML has no form of. */
const canStream = (encoding: Encoding, stream: string): boolean =>
  stream === '' || (stream === 'watch' && encoding !== 'yaml');

function transformOf(params: ReadonlyMap<string, string>, names: Names): Transform | undefined {
  const as = params.get('as');
  const version = params.get('v');
  if (params.get('g') !== `meta.${names.domain}` || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  if (as !== 'Table' && as !== 'PartialObjectMetadata' && as !== 'PartialObjectMetadataList') return undefined;
  return { kind: as, version };
}

/** Clauses of an Accept header, most liked first. */
function parseAccept(header: string): Clause[] {
  const sorted: Clause[] = [];
  for (const part of header.split(',')) {
    const clause = parseClause(part);
    if (!clause) continue;
    // The order is no order (`isBefore` can hold both ways), so how the reference sorts decides.
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
  // A weight that is no number counts as none at all.
  const weight = q === undefined ? 1 : /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(q) ? Number(q) : 0;
  return { type: type === '*' ? '*/*' : type, q: weight, params };
}

function isBefore(a: Clause, b: Clause): boolean {
  const [[typeA, subtypeA], [typeB, subtypeB]] = [a.type.split('/'), b.type.split('/')];
  return a.q > b.q || (typeA !== '*' && typeB === '*') || (subtypeA !== '*' && subtypeB === '*');
}

/** The encoding of a request's body by its Content-Type; JSON where there is none; throws 415. */
export function bodyEncoding(header: string | null, names: Names): Encoding {
  const encodings: readonly Encoding[] = ['json', 'yaml', 'protobuf'];
  const type = (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === '') return 'json';
  const wellFormed = PARAMETERS.test((header ?? '').replace(/^[^;]*/, ''));
  const found = wellFormed ? encodings.find((e) => mediaTypeOf(e, names) === type) : undefined;
  if (!found) throw status.unsupportedMediaType(encodings.map((e) => mediaTypeOf(e, names)));
  return found;
}

/** What may follow a media type. */
const PARAMETERS = /^(\s*;\s*[^\s()<>@,;:\\"/[\]?=]+\s*=\s*([^\s()<>@,;:\\"/[\]?=]+|"([^"\\]|\\.)*"))*\s*;?\s*$/;
