/** Config maps and secrets that a build makes from files and texts, and the hash at the end of their names. */
import { encodeText, getOwn, isObject, setOwn, sortKeys, toBase64, toHex } from '../../std/index.ts';
import type { Folder } from './folder.ts';
import type { GeneratorArgs, GeneratorOptions } from './kustomization.ts';
import { metadataOf, resourceOf, textAt, type Fields, type Resource } from './resource.ts';

/** What is made, and what becomes of an object of the same name. */
export interface Generated {
  readonly resource: Resource;
  readonly behavior: string;
}

type Pair = readonly [key: string, value: Uint8Array];

/** Throws an Error that says what is wrong with the sources. */
export async function configMap(folder: Folder, args: GeneratorArgs, options: GeneratorOptions): Promise<Generated> {
  const object = bare('ConfigMap', args, options);
  for (const [key, bytes] of await pairsOf(folder, args)) {
    const text = decoded(bytes);
    if (text === undefined) setOwn(mapIn(object, 'binaryData'), key, toBase64(bytes));
    else setOwn(mapIn(object, 'data'), key, text);
  }
  return generated(object, args, options);
}

/** Throws an Error that says what is wrong with the sources. */
export async function secret(folder: Folder, args: GeneratorArgs, options: GeneratorOptions): Promise<Generated> {
  const object = bare('Secret', args, options);
  setOwn(object, 'type', args.type || 'Opaque');
  for (const [key, bytes] of await pairsOf(folder, args)) setOwn(mapIn(object, 'data'), key, toBase64(bytes));
  return generated(object, args, options);
}

function bare(kind: string, { name = '', namespace }: GeneratorArgs, options: GeneratorOptions): Fields {
  const { labels, annotations } = options;
  const metadata = {
    name,
    ...(namespace ? { namespace } : {}),
    ...(labels ? { labels: { ...labels } } : {}),
    ...(annotations ? { annotations: { ...annotations } } : {}),
  };
  return { apiVersion: 'v1', kind, metadata };
}

const generated = (object: Fields, { behavior = '' }: GeneratorArgs, options: GeneratorOptions): Generated => ({
  resource: resourceOf(object, !options.disableNameSuffixHash),
  behavior,
});

export function mapIn(object: Fields, name: string): Fields {
  const found = getOwn(object, name);
  if (isObject(found)) return found;
  const made: Fields = {};
  setOwn(object, name, made);
  return made;
}

async function pairsOf(
  folder: Folder,
  { literals = [], files = [], env = '' }: GeneratorArgs,
): Promise<readonly Pair[]> {
  const fromEnv = await variables(folder, env);
  const fromLiterals = await saying(`literal sources [${literals.join(' ')}]`, () => literals.map(literal));
  const fromFiles = await saying(`file sources: [${files.join(' ')}]`, () =>
    Promise.all(files.map((each) => file(folder, each))),
  );
  const pairs = [...fromEnv, ...fromLiterals, ...fromFiles];
  refuseDoubles(pairs);
  return pairs;
}

function refuseDoubles(pairs: readonly Pair[]): void {
  const before = new Map<string, string>();
  for (const [key, bytes] of pairs) {
    const shown = [...before].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}:${value}`);
    if (before.has(key))
      throw new Error(`cannot add key ${key}, another key by that name already exists: map[${shown.join(' ')}]`);
    before.set(key, new TextDecoder().decode(bytes));
  }
}

async function saying<T>(what: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function literal(source: string): Pair {
  const equals = source.indexOf('=');
  if (equals < 1) throw new Error(`invalid literal source ${source}, expected key=value`);
  return [source.slice(0, equals), encodeText(source.slice(equals + 1).replace(/^["']+|["']+$/g, ''))];
}

async function file(folder: Folder, source: string): Promise<Pair> {
  const [first = '', path, ...more] = source.split('=');
  if (more.length > 0) throw new Error("key names or file paths cannot contain '='");
  if (path === undefined) return [first.split('/').at(-1) ?? '', await folder.read(first)];
  if (first === '') throw new Error(`key name for file path ${path} missing`);
  if (path === '') throw new Error(`file path for key name ${first} missing`);
  return [first, await folder.read(path)];
}

const KEY_RULE =
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')";

/** A variable without a value has none here: a build sees no environment. */
async function variables(folder: Folder, path: string): Promise<readonly Pair[]> {
  if (path === '') return [];
  const bytes = await saying(`env source file: ${path}`, () => folder.read(path));
  const lines = new TextDecoder().decode(bytes).split('\n');
  return lines
    .map((line) => line.replace(/\r$/, '').trimStart())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [key = '', ...value] = line.split('=');
      if (!/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(key))
        throw new Error(`env source file: ${path}: ${JSON.stringify(key)} is not a valid key name: ${KEY_RULE}`);
      return [key, encodeText(value.join('='))] as const;
    });
}

/** Undefined for bytes that are no text. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Adds the hash of its content to a resource's name. */
export async function withHash(resource: Resource): Promise<void> {
  const { object } = resource;
  const metadata = metadataOf(object);
  const name = textAt(metadata, 'name');
  const kind = textAt(object, 'kind');
  const data = getOwn(object, 'data') ?? null;
  const binaryData = getOwn(object, 'binaryData');
  const content =
    kind === 'Secret'
      ? { kind, name, type: getOwn(object, 'type'), data }
      : { kind, name, data, ...(binaryData === undefined ? {} : { binaryData }) };
  setOwn(metadata, 'name', `${name}-${await hashOf(goJson(content))}`);
}

/** JSON as Go writes it: sorted keys, and nothing that a browser could take for a tag. */
const goJson = (value: unknown): string =>
  JSON.stringify(sortKeys(value)).replace(
    /[<>&\u2028\u2029]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Digits that could make up a word are other letters. */
const LETTERS: Readonly<Record<string, string>> = { '0': 'g', '1': 'h', '3': 'k', a: 'm', e: 't' };

async function hashOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', encodeText(text)));
  return toHex(digest)
    .slice(0, 10)
    .replace(/[013ae]/g, (each) => getOwn(LETTERS, each) ?? each);
}
