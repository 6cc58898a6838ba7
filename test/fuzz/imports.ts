/** What somebody else may hand to the page: links, recipes, lessons and exports, sound ones changed at random. */
import fc from 'fast-check';
import { FormError } from '../../src/lessons/engine/form.ts';
import { readLessonFile } from '../../src/lessons/engine/index.ts';
import { manualClock } from '../../src/std/index.ts';
import { memoryBackend, memoryDisk, openStorage, restoreStorage } from '../../src/storage/index.ts';
import { decodeLink, encodeLink } from '../../src/ui/share/link.ts';
import { parseRecipe, printRecipe, RecipeError, type Recipe } from '../../src/ui/share/recipe.ts';
import type { Reader } from './files.ts';
import type { FileInput } from './input.ts';
import { jsonOf, oddScalars, oddTexts } from './words.ts';

const recipe: Recipe = {
  name: 'shop',
  options: { naming: 'k8s.io', nodes: 2, apiserver: ['--v=1'], seed: 'a' },
  manifests: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n',
  open: 'network/map?ns=shop',
  commands: ['get pods'],
};

const manifest = '{apiVersion: v1, kind: Namespace, metadata: {name: lab}}';
const lesson = {
  ...{ id: 'small', title: 'Small', minutes: 2, learn: 'One thing.', level: 'basics', intro: [] },
  start: { nodes: 1, steps: [{ do: 'apply', manifest }] },
  tasks: [
    {
      ...{ title: 'Do it', text: ['Now.'], hints: [] },
      checks: [{ look: 'object', says: 'It is there.', resource: 'v1/configmaps', namespace: 'lab', name: 'a' }],
      solution: [{ do: 'request', method: 'GET', path: '/api/v1/pods', as: { user: 'anna' } }],
    },
  ],
  ...{ seen: [], why: [] },
};

const entry = { key: '/registry/configmaps/default/a', value: '{}', created: 1, revision: 1, version: 1 };
const lines = [
  { format: 'vitrine-storage/1', revision: 2, compacted: 1 },
  { entry },
  { commit: 2, changes: [{ entry: { ...entry, revision: 2, version: 2 } }] },
  { end: 3 },
];

/** Restores what is read, and opens it: what is taken has to be readable. */
async function restore(text: string): Promise<void> {
  const disk = memoryDisk();
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(text);
  };
  await restoreStorage(memoryBackend(disk), bytes());
  const storage = await openStorage({ backend: memoryBackend(disk), clock: manualClock() }).catch((error: unknown) => {
    throw new Error(`what was restored can't be opened: ${String(error)}`);
  });
  storage.range({ start: '/', end: '0' });
  await storage.close();
}

export const importReaders: Readonly<Record<string, Pick<Reader, 'read' | 'refusal'>>> = {
  recipe: { read: parseRecipe, refusal: RecipeError },
  link: { read: decodeLink, refusal: RecipeError },
  lesson: { read: readLessonFile, refusal: FormError },
  export: { read: restore, refusal: TypeError },
};

type Path = readonly (string | number)[];

/** Every place of a value. */
function placesOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, child]) => placesOf(child, [...at, key]))];
}

/** The value with another one in one of its places, or without it. */
function changed(value: unknown, [key, ...rest]: Path, put: unknown): unknown {
  if (key === undefined) return put;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[key] = changed(copy[key], rest, put);
  return copy;
}

const odd = fc.oneof(oddScalars, jsonOf(oddTexts), fc.constant(undefined));

/** A value that is in order but for one or two places. */
function almost(value: unknown): fc.Arbitrary<unknown> {
  const places = placesOf(value);
  const change = fc.tuple(fc.constantFrom(...places), odd);
  return fc
    .array(change, { minLength: 1, maxLength: 2 })
    .map((changes) =>
      changes.reduce((made, [place, put]) => (isThere(made, place) ? changed(made, place, put) : made), value),
    );
}

function isThere(value: unknown, [key, ...rest]: Path): boolean {
  if (key === undefined) return true;
  return typeof value === 'object' && value !== null && isThere((value as Record<string | number, unknown>)[key], rest);
}

/** A text with something odd somewhere in it, or cut off. */
const broken = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(text.length), fc.nat(3), oddTexts)
    .map(([at, drop, put]) => text.slice(0, at) + put + text.slice(at + drop));

const textOf = (value: unknown): string => JSON.stringify(value) ?? '';
const inLines = (value: unknown): string =>
  Array.isArray(value) ? value.map((line) => `${textOf(line)}\n`).join('') : textOf(value);

const sound = await encodeLink(recipe);

export const imports: fc.Arbitrary<FileInput> = fc.oneof(
  almost(JSON.parse(printRecipe(recipe))).map((value) => ({ file: 'recipe', text: textOf(value) })),
  broken(printRecipe(recipe)).map((text) => ({ file: 'recipe', text })),
  broken(sound).map((text) => ({ file: 'link', text })),
  almost(lesson).map((value) => ({ file: 'lesson', text: textOf(value) })),
  almost(lines).map((value) => ({ file: 'export', text: inLines(value) })),
  fc.shuffledSubarray(lines).map((some) => ({ file: 'export', text: inLines(some) })),
  broken(inLines(lines)).map((text) => ({ file: 'export', text })),
);
