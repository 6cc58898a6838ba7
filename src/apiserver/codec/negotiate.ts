/** Content negotiation: which representation a client accepts, and in which one it sends. */
import type { Names } from '../../names/index.ts';
import { status, StatusError } from '../../schema/index.ts';

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
  readonly transforms: boolean;
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
  const clauses = parseAccept(header);
  for (const clause of clauses) {
    for (const encoding of offer.encodings) {
      const accepted = match(clause, encoding, offer, names);
      if (accepted) return accepted;
    }
  }
  const types = offer.encodings.map((e) => mediaTypeOf(e, names));
  // The reference's router and its negotiation refuse in slightly different words.
  const routed = clauses.some((clause) => clause.type === '*/*' || types.includes(clause.type));
  throw routed ? withoutDetails(status.notAcceptable(types)) : status.notAcceptable(types);
}

function withoutDetails(error: StatusError): StatusError {
  const { details: _, ...rest } = error.status;
  return new StatusError(rest);
}

/** As `negotiate`, for answers that must go out whatever the client accepts: errors. */
export function negotiateError(header: string | null, names: Names): Accepted {
  const offer: Offer = { encodings: ['json', 'yaml', 'protobuf'], transforms: false };
  try {
    return negotiate(header, offer, names);
  } catch {
    return plain('json', names);
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
  if (clause.type !== '*/*' && clause.type !== mediaType) return undefined;
  const as = clause.params.get('as');
  const accepted = { encoding, mediaType, transform: undefined, pretty: clause.params.get('pretty') === '1' };
  if (as === undefined) return accepted;
  const transform = transformOf(as, clause.params, names);
  if (!transform || !offer.transforms) return undefined;
  if (transform.kind === 'Table' && encoding === 'protobuf') return undefined;
  return { ...accepted, transform };
}

function transformOf(as: string, params: ReadonlyMap<string, string>, names: Names): Transform | undefined {
  const version = params.get('v');
  if (params.get('g') !== `meta.${names.domain}` || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  if (as !== 'Table' && as !== 'PartialObjectMetadata' && as !== 'PartialObjectMetadataList') return undefined;
  return { kind: as, version };
}

/** Clauses of an Accept header, most liked first; equal ones in the order in which they stand. */
function parseAccept(header: string): Clause[] {
  const clauses = header.split(',').flatMap((part) => {
    const [type = '', ...rest] = part.split(';').map((s) => s.trim());
    if (!/^[^/\s]+\/[^/\s]+$/.test(type) && type !== '*') return [];
    const params = new Map(
      rest.map((p) => [p.split('=')[0]?.trim() ?? '', p.slice(p.indexOf('=') + 1).trim()] as const),
    );
    const q = Number(params.get('q') ?? '1');
    return [{ type: type === '*' ? '*/*' : type, q: Number.isNaN(q) ? 1 : q, params }];
  });
  return clauses.sort((a, b) => b.q - a.q);
}

/** The encoding of a request's body by its Content-Type; JSON where there is none; throws 415. */
export function bodyEncoding(header: string | null, names: Names): Encoding {
  const encodings: readonly Encoding[] = ['json', 'yaml', 'protobuf'];
  const type = (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === '') return 'json';
  const found = encodings.find((e) => mediaTypeOf(e, names) === type);
  if (!found) throw status.unsupportedMediaType(encodings.map((e) => mediaTypeOf(e, names)));
  return found;
}
