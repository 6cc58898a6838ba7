/** What is wrong with a field of an object: the entries of a Status's `details.causes`. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** Path such as `spec.containers[0].name`. */
  readonly field: string;
  readonly message: string;
}

export type FieldErrorReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'InternalError';

export type FieldErrors = readonly FieldError[];

/** A path into an object; immutable, so that it can be handed down. */
export class Path {
  static readonly root = new Path('');
  // Only declared: a field that the class defines would cost another call for each of the many paths.
  declare private readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  static of(...names: string[]): Path {
    return Path.root.child(...names);
  }

  child(...names: string[]): Path {
    let { text } = this;
    for (const name of names) text = text === '' ? name : `${text}.${name}`;
    return new Path(text);
  }

  index(i: number): Path {
    return new Path(`${this.text}[${i}]`);
  }

  key(key: string): Path {
    return new Path(`${this.text}[${key}]`);
  }

  toString(): string {
    return this.text;
  }
}

const show = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? 'null');

function error(reason: FieldErrorReason, path: Path | string, message: string): FieldError {
  return { reason, field: String(path), message };
}

export const required = (path: Path | string, detail = ''): FieldError =>
  error('FieldValueRequired', path, join('Required value', detail));
export const invalid = (path: Path | string, value: unknown, detail: string): FieldError =>
  error('FieldValueInvalid', path, join(`Invalid value: ${show(value)}`, detail));
export const notFound = (path: Path | string, value: unknown): FieldError =>
  error('FieldValueNotFound', path, `Not found: ${show(value)}`);
export const duplicate = (path: Path | string, value: unknown): FieldError =>
  error('FieldValueDuplicate', path, `Duplicate value: ${show(value)}`);
export const forbidden = (path: Path | string, detail: string): FieldError =>
  error('FieldValueForbidden', path, join('Forbidden', detail));
export const tooLong = (path: Path | string, _value: unknown, max: number): FieldError =>
  error('FieldValueTooLong', path, `Too long: must have at most ${max} bytes`);
export const tooMany = (path: Path | string, actual: number, max: number): FieldError =>
  error('FieldValueTooMany', path, `Too many: ${actual}: must have at most ${max} items`);
export const internal = (path: Path | string, detail: string): FieldError =>
  error('InternalError', path, join('Internal error', detail));

/** A value outside a closed set; lists the set, sorted as the reference does. */
export function notSupported(path: Path | string, value: unknown, supported: readonly string[]): FieldError {
  const values = [...supported].map((v) => JSON.stringify(v)).join(', ');
  return error(
    'FieldValueNotSupported',
    path,
    join(`Unsupported value: ${show(value)}`, values === '' ? '' : `supported values: ${values}`),
  );
}

function join(head: string, detail: string): string {
  return detail === '' ? head : `${head}: ${detail}`;
}
