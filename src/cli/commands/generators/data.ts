/** The data of config maps and secrets: from literals, files, folders, and files of variables. */
import type { Call } from '../../command/command.ts';
import { complaint } from '../../command/errors.ts';
import { text, texts, toggle } from '../../command/flags.ts';
import { encodeText, getOwn, toHex, trimRight } from '../../../std/index.ts';

export const dataFlags = {
  'append-hash': toggle(),
  'from-env-file': text(),
  'from-file': texts({ separator: ',' }),
  'from-literal': texts(),
};

type DataCall = Call<typeof dataFlags>;
type Data = Readonly<Record<string, string>>;

/** The texts by their keys; `what` names the object in complaints. Throws CommandError. */
export async function dataOf(call: DataCall, what: string): Promise<Data> {
  const { 'from-env-file': envFile, 'from-file': files, 'from-literal': literals } = call.flags;
  if (envFile !== '' && files.length + literals.length > 0)
    throw complaint('from-env-file cannot be combined with from-file or from-literal');
  const entries = [
    ...(await entriesOfFiles(call, files)),
    ...literals.map(literal),
    ...(envFile === '' ? [] : variables(await readOr(call, envFile, `error reading ${envFile}`))),
  ];
  const data = new Map<string, string>();
  for (const [key, value] of entries) {
    checkKey(key, what.split(' ')[0] ?? '');
    if (data.has(key))
      throw complaint(
        `cannot add key ${JSON.stringify(key)}, another key by that name already exists in Data for ${what}`,
      );
    data.set(key, value);
  }
  return Object.fromEntries(data);
}

type Entry = readonly [key: string, value: string];

function literal(typed: string): Entry {
  const equals = typed.indexOf('=');
  if (equals < 1) throw complaint(`invalid literal source ${typed}, expected key=value`);
  return [typed.slice(0, equals), typed.slice(equals + 1)];
}

async function entriesOfFiles(call: DataCall, files: readonly string[]): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const typed of files) {
    const equals = typed.indexOf('=');
    const path = typed.slice(equals + 1);
    if (path.includes('=')) {
      if (equals === 0) throw complaint(`key name for file path ${path} missing`);
      throw complaint("key names or file paths cannot contain '='");
    }
    if (equals === 0) throw complaint(`key name for file path ${path} missing`);
    if (equals > 0 && (await call.session.files.list(path)))
      throw complaint('cannot give a key name for a directory path.');
    if (equals > 0) entries.push([typed.slice(0, equals), await readOr(call, path, `error reading ${path}`)]);
    else entries.push(...(await entriesAt(call, path)));
  }
  return entries;
}

async function entriesAt(call: DataCall, path: string): Promise<readonly Entry[]> {
  const { files } = call.session;
  const text = await files.read(path);
  if (text !== undefined) return [[baseName(path), text]];
  const folder = `${trimRight(path, '/')}/`;
  const inFolder = (await files.list(path))?.filter((each) => !each.slice(folder.length).includes('/'));
  if (!inFolder) throw complaint(`error reading ${path}: no such file or directory`);
  return Promise.all(inFolder.map(async (each) => [baseName(each), (await files.read(each)) ?? ''] as const));
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

async function readOr({ session }: DataCall, path: string, problem: string): Promise<string> {
  const text = await session.files.read(path);
  if (text === undefined) throw complaint(`${problem}: no such file or directory`);
  return text;
}

function variables(file: string): readonly Entry[] {
  return file.split(/\r?\n/).flatMap((line): readonly Entry[] => {
    const said = line.trimStart();
    if (said === '' || said.startsWith('#')) return [];
    const equals = said.indexOf('=');
    const key = equals < 0 ? said : said.slice(0, equals);
    if (!/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(key))
      throw complaint(
        `${JSON.stringify(key)} is not a valid key name: a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')`,
      );
    return [[key, equals < 0 ? '' : said.slice(equals + 1)]];
  });
}

function checkKey(key: string, kind: string): void {
  if (!/^[-._a-zA-Z0-9]+$/.test(key))
    throw complaint(
      `${JSON.stringify(key)} is not a valid key name for a ${kind}: a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
    );
}

const LETTERS: Readonly<Record<string, string>> = { '0': 'g', '1': 'h', '3': 'k', a: 'm', e: 't' };

/** The name with a hash of the content behind it, so that other content has another name. */
export async function hashedName(name: string, content: Readonly<Record<string, unknown>>): Promise<string> {
  const sorted = Object.fromEntries(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', encodeText(JSON.stringify(sorted))));
  const hex = toHex(digest);
  return `${name}-${[...hex.slice(0, 10)].map((each) => getOwn(LETTERS, each) ?? each).join('')}`;
}
