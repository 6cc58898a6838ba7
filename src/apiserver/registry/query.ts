/** Query parameters parsed as in the reference: typed, with its boolean syntax, validated for each kind of options. */
import { field, status, type FieldError } from '../../schema/index.ts';
import { checkSelectors } from './selection.ts';

/** A boolean parameter: a missing one, `false` and `0` are false; anything else, including an empty one, is true. */
export function ifTrue(value: string | null): boolean {
  return value !== null && value.toLowerCase() !== 'false' && value !== '0';
}

const INT64_MAX = 9223372036854775807n;

/** A 64-bit integer parameter; undefined if missing; 400 if invalid. Clamped to exactly representable numbers. */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const wrong = (why: string): Error =>
    status.badRequest(
      `unable to convert query parameter ${name}: strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`,
    );
  if (!/^[+-]?\d+$/.test(text)) throw wrong('invalid syntax');
  const value = BigInt(text);
  if (value > INT64_MAX || value < -INT64_MAX - 1n) throw wrong('value out of range');
  return Number(value);
}

export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly timeoutSeconds: number | undefined;
  readonly limit: number;
  readonly continue: string;
}

/** Parses the options of list, watch and deletecollection; throws 400 for invalid values, including selectors. */
export function listOptions(query: URLSearchParams): ListOptions {
  checkSelectors(query.get('labelSelector') ?? '', query.get('fieldSelector') ?? '');
  return {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    watch: ifTrue(query.get('watch')),
    allowWatchBookmarks: ifTrue(query.get('allowWatchBookmarks')),
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    timeoutSeconds: integer(query, 'timeoutSeconds'),
    limit: integer(query, 'limit') ?? 0,
    continue: query.get('continue') ?? '',
  };
}

const META = (kind: string, domain: string): { group: string; kind: string } => ({ group: `meta.${domain}`, kind });

/** The rules for `resourceVersionMatch` (specification, Change detection). */
export function validateListOptions(options: ListOptions, domain: string): void {
  const match = options.resourceVersionMatch;
  if (match === '') return;
  const errors: FieldError[] = [];
  const forbidden = (why: string): unknown => errors.push(field.forbidden('resourceVersionMatch', why));
  if (options.watch) forbidden('resourceVersionMatch is forbidden for watch');
  if (options.resourceVersion === '') forbidden('resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (options.continue !== '') forbidden('resourceVersionMatch is forbidden when continue is provided');
  if (match !== 'Exact' && match !== 'NotOlderThan')
    errors.push(field.notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']));
  if (match === 'Exact' && options.resourceVersion === '0')
    forbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  if (errors.length > 0) throw status.invalid(META('ListOptions', domain), '', errors);
}

export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly force: boolean | undefined;
}

const WRITE_KINDS = { create: 'CreateOptions', update: 'UpdateOptions', patch: 'PatchOptions' } as const;

/**
 * Parses and validates the options of create, update and patch. `apply` says whether a patch is a server-side apply.
 */
export function writeOptions(
  query: URLSearchParams,
  verb: keyof typeof WRITE_KINDS,
  domain: string,
  apply = false,
): WriteOptions {
  const dryRun = query.getAll('dryRun');
  const fieldManager = query.get('fieldManager') ?? '';
  const force = query.has('force') ? ifTrue(query.get('force')) : undefined;
  const errors: FieldError[] = [];
  if (verb === 'patch' && !apply && force !== undefined)
    errors.push(field.forbidden('force', 'may not be specified for non-apply patch'));
  if (verb === 'patch' && apply && fieldManager === '')
    errors.push(field.required('fieldManager', 'is required for apply patch'));
  errors.push(...validateFieldManager(fieldManager), ...validateDryRun(dryRun));
  if (errors.length > 0) throw status.invalid(META(WRITE_KINDS[verb], domain), '', errors);
  return { dryRun: dryRun.length > 0, fieldManager, force };
}

const FIELD_MANAGER_MAX = 128;

const PRINTABLE = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

function validateFieldManager(manager: string): FieldError[] {
  const errors: FieldError[] = [];
  if (manager.length > FIELD_MANAGER_MAX) errors.push(field.tooLong('fieldManager', manager, FIELD_MANAGER_MAX));
  for (const [i, character] of [...manager].entries()) {
    if (!PRINTABLE.test(character))
      errors.push(
        field.invalid('fieldManager', manager, `invalid character ${JSON.stringify(character)} at position ${i}`),
      );
  }
  return errors;
}

/** Only `All` is valid; anything else is an error, even an empty value. */
export function validateDryRun(values: readonly string[]): FieldError[] {
  const extra = values.some((value) => value !== 'All');
  return extra ? [field.notSupported('dryRun', values, ['All'])] : [];
}

export { META as metaKind };
