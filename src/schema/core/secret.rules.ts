/** Secrets: what is checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { decodeText, fromBase64, isObject, getOwn } from '../../std/index.ts';
import { immutable, type Errors } from '../meta/checks.ts';
import * as status from '../status.ts';
import { checkKey, decodedLength, dropImmutable, MAX_DATA_BYTES, validateFrozen } from './configMap.rules.ts';
import type { Secret } from './secret.ts';

const DATA = Path.of('data');
/** The reference's own slip: it names the field by a pattern that it forgot to fill in. */
const UNFILLED = Path.of('data[%s]');

function* validate(secret: Secret, context: RuleContext): Errors {
  const data = Object.entries(secret.data ?? {});
  for (const [key] of data) yield* checkKey(DATA, key);
  const size = data.reduce((sum, [, value]) => sum + decodedLength(value), 0);
  if (size > MAX_DATA_BYTES) yield field.tooLong(DATA, '', MAX_DATA_BYTES);
  yield* validateType(secret, context);
}

/** Types of the product promise what is in them. */
function* validateType({ metadata, type = '', data = {} }: Secret, { names }: RuleContext): Errors {
  const prefix = names.fill('{label}/');
  const account = `${prefix}service-account.name`;
  switch (type.startsWith(prefix) ? type.slice(prefix.length) : '') {
    case 'service-account-token':
      if (!getOwn(metadata.annotations, account)) yield field.required(Path.of('metadata', 'annotations').key(account));
      break;
    case 'dockercfg':
      return yield* validateJson(data, '.dockercfg');
    case 'dockerconfigjson':
      return yield* validateJson(data, '.dockerconfigjson');
    case 'basic-auth':
      if (data['username'] !== undefined || data['password'] !== undefined) break;
      yield field.required(UNFILLED.key('username'));
      yield field.required(UNFILLED.key('password'));
      break;
    case 'ssh-auth':
      if (!data['ssh-privatekey']) yield field.required(UNFILLED.key('ssh-privatekey'));
      break;
    case 'tls':
      for (const key of ['tls.crt', 'tls.key'])
        if (getOwn(data, key) === undefined) yield field.required(DATA.key(key));
  }
}

function* validateJson(data: Readonly<Record<string, string>>, key: string): Errors {
  const value = getOwn(data, key);
  if (value === undefined) yield field.required(DATA.key(key));
  else if (!isJsonObject(decodeText(fromBase64(value) ?? new Uint8Array())))
    yield field.invalid(DATA.key(key), '<secret contents redacted>', 'must be a JSON object');
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return value === null || isObject(value);
  } catch {
    return false;
  }
}

/** A token belongs to an account of this cluster, and is worth nothing elsewhere. */
function refuseTokens(secret: Secret, exact: boolean, { names }: RuleContext): void {
  const { name = '', annotations } = secret.metadata;
  const isToken = secret.type === names.fill('{label}/service-account-token');
  if (exact || (!isToken && !annotations?.[names.fill('{label}/service-account.uid')])) return;
  const wrong = field.invalid('type', secret.type, 'can not export service account secrets');
  throw status.invalid({ group: '', kind: 'Secret' }, name, [wrong]);
}

export const secretRules: Rules<Secret> = {
  prepareCreate: (secret, context) => dropImmutable(secret, undefined, context),
  prepareUpdate: dropImmutable,
  prepareExport: refuseTokens,
  validate: (secret, context) => [...validate(secret, context)],
  updateChecks: ['metadata', 'change', 'alone'],
  validateUpdate: (secret, old, context) => [
    ...immutable(secret.type, old.type, Path.of('type')),
    ...validateFrozen(secret, old, ['data'], context),
  ],
};
