/** Config maps: what is checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path, type FieldErrors } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { getOwn, isObject, trimRight, utf8Length } from '../../std/index.ts';
import { complaints, sameValue, type Errors } from '../meta/checks.ts';
import { checkConfigKey } from '../values/names.ts';
import type { ConfigMap } from './configMap.ts';

/** All values together, in config maps and secrets alike. */
export const MAX_DATA_BYTES = 1024 * 1024;

/** How many bytes base64 text stands for. */
export const decodedLength = (text: string): number => Math.floor((trimRight(text, '=').length * 3) / 4);

const DATA = Path.of('data');

/** Errors of a key in `path`; its own path is created only if needed, because there may be very many keys. */
export function checkKey(path: Path, key: string): FieldErrors {
  const messages = checkConfigKey(key);
  return messages.length === 0 ? [] : complaints(path.key(key), key, messages);
}

function* validate({ data = {}, binaryData = {} }: ConfigMap): Errors {
  let size = 0;
  for (const key of Object.keys(data)) {
    yield* checkKey(DATA, key);
    if (getOwn(binaryData, key) !== undefined)
      yield field.invalid(DATA.key(key), key, 'duplicate of key present in binaryData');
    size += utf8Length(data[key] ?? '');
  }
  for (const key of Object.keys(binaryData)) {
    yield* checkKey(Path.of('binaryData'), key);
    size += decodedLength(binaryData[key] ?? '');
  }
  // The reference names no field, which it writes like this.
  if (size > MAX_DATA_BYTES) yield field.tooLong('[]', '', MAX_DATA_BYTES);
}

/** Whether a map was sent with nothing in it, which is not the same as none. */
function isEmptyMap(sent: unknown, name: string): boolean {
  const map = isObject(sent) ? getOwn(sent, name) : undefined;
  return isObject(map) && Object.keys(map).length === 0;
}

interface Freezable {
  immutable?: boolean;
}

/** Removes `immutable` while its gate is off, unless the object has it already. */
export function dropImmutable<T extends Freezable>(object: T, old: T | undefined, { gate }: RuleContext): void {
  if (!gate('ImmutableEphemeralVolumes') && old?.immutable === undefined) delete object.immutable;
}

/** An immutable object and its data can't be changed; for config maps and secrets. */
export function* validateFrozen<T extends Freezable>(
  object: T,
  old: T,
  names: readonly (keyof T & string)[],
  { sent }: Pick<RuleContext, 'sent'>,
): Errors {
  if (!old.immutable) return;
  const detail = 'field is immutable when `immutable` is set';
  if (!object.immutable) yield field.forbidden('immutable', detail);
  for (const name of names)
    if (!sameValue(object[name], old[name]) || (old[name] === undefined && isEmptyMap(sent, name)))
      yield field.forbidden(name, detail);
}

export const configMapRules: Rules<ConfigMap> = {
  prepareCreate: (object, context) => dropImmutable(object, undefined, context),
  prepareUpdate: dropImmutable,
  validate: (object) => [...validate(object)],
  updateChecks: ['metadata', 'change', 'alone'],
  validateUpdate: (object, old, context) => [...validateFrozen(object, old, ['data', 'binaryData'], context)],
};
