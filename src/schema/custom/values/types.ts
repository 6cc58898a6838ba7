/** Whether a value has the type that a schema asks for. */

/** The types of JSON as schemas call them; a number without a fraction is an integer. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

const LIMIT = 2 ** 63;

const isInteger = (value: number): boolean => Number.isInteger(value) && value >= -LIMIT && value < LIMIT;

export interface ExpectedType {
  /** Empty where any type will do. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** A known format of texts. */
  readonly format: string | undefined;
}

export function hasType(value: unknown, { types, nullable, format }: ExpectedType): boolean {
  if (types.length === 0 && format === undefined) return true;
  const type = typeOf(value);
  if (type === 'null') return types.length === 0 || nullable;
  const numeric = types.includes('integer') || types.includes('number');
  // A format speaks for the type of what could have one.
  if (format !== undefined && !numeric && (type === 'string' || type === 'array')) return true;
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}
