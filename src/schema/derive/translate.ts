/** Objects from one representation to another, for tools that show or make them. */
import { parseAllDocuments, stringify } from 'yaml';
import type { Names } from '../../names/index.ts';
import { concatenate, decodeText, encodeText, isObject } from '../../std/index.ts';
import type { ApiObject } from '../define/kind.ts';
import { kinds } from '../kinds.ts';
import { groupVersionOf } from '../values/apiVersion.ts';
import { createScheme } from './createScheme.ts';
import { decodeProtobuf, encodeProtobuf, isProtobuf, protobufWatchEvents } from './protobuf/index.ts';
import type { Scheme } from './scheme.ts';

export const formats = ['json', 'yaml', 'protobuf'] as const;
export type Format = (typeof formats)[number];

export const isFormat = (text: unknown): text is Format => formats.some((format) => format === text);

/** Translates objects between representations; every kind of every version is known. Throws where the input is broken. */
export function createTranslator(names: Names): (input: Uint8Array, from: Format, to: Format) => Uint8Array {
  const scheme = createScheme(names, kinds, { runtimeConfig: 'api/all=true' });
  return (input, from, to) => {
    const values = READ[from](input, scheme).map((value) => normalized(scheme, value));
    return to === 'protobuf'
      ? concatenate(values.map((value) => encodeProtobuf(scheme, value as ApiObject)))
      : encodeText(WRITE[to](values));
  };
}

/** What is of no kind that we know stays as it is. */
function normalized(scheme: Scheme, value: unknown): unknown {
  if (!isObject(value)) return value;
  const { apiVersion, kind, object } = value;
  if (kind === undefined && isObject(object)) return { ...value, object: normalized(scheme, object) };
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return value;
  const node = scheme.typeOf({ ...groupVersionOf(apiVersion), kind });
  return node ? scheme.decode(node, value) : value;
}

const READ: Readonly<Record<Format, (input: Uint8Array, scheme: Scheme) => unknown[]>> = {
  json: (input) => [JSON.parse(decodeText(input))],
  yaml: (input) => parseAllDocuments(decodeText(input)).map((document) => document.toJS() as unknown),
  protobuf: (input, scheme) =>
    isProtobuf(input)
      ? [decodeProtobuf(scheme, input)]
      : protobufWatchEvents(input).map(({ type, object }) => ({ type, object: decodeProtobuf(scheme, object) })),
};

const YAML = {
  sortMapEntries: true,
  aliasDuplicateObjects: false,
  lineWidth: 0,
  version: '1.1',
  indentSeq: false,
} as const;

const WRITE: Readonly<Record<Exclude<Format, 'protobuf'>, (values: readonly unknown[]) => string>> = {
  json: (values) => values.map((value) => `${JSON.stringify(value, undefined, 2)}\n`).join(''),
  yaml: (values) => values.map((value) => stringify(value, YAML)).join('---\n'),
};
