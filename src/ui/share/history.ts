/** A file with the whole history of a cluster: a line that says how it is made, then the lines that its storage exports. */
import { isObject } from '../../std/index.ts';
import { madeOf, RecipeError, type Made } from './recipe.ts';

/** What such a file holds. `lines` are for the host, which checks each of them. */
export interface History extends Made {
  readonly revision: number;
  /** Revisions at or below this one are not in the file. */
  readonly compacted: number;
  readonly lines: Blob;
}

const FORM = 'vitrine-history/1';
/** The first two lines have to fit in so many bytes. */
const LONGEST_HEAD = 1_000_000;
const LINE_END = 10;
/** A history holds its nodes already, however many it began with. */
const MOST_NODES = 10_000;

/** The file of a cluster whose storage exported `lines`. */
export const printHistory = ({ name, options }: Made, lines: Blob): Blob =>
  new Blob([`${JSON.stringify({ history: FORM, name, options })}\n`, lines], { type: 'application/x-ndjson' });

/** Whether a file says that it is a history, and not a recipe or manifests. */
export const looksLikeHistory = async (file: Blob): Promise<boolean> =>
  (await file.slice(0, 20).text()).startsWith('{"history":');

/** Reads what a file says of itself; throws a RecipeError. */
export async function readHistory(file: Blob): Promise<History> {
  const head = new Uint8Array(await file.slice(0, LONGEST_HEAD).arrayBuffer());
  const first = head.indexOf(LINE_END);
  const second = head.indexOf(LINE_END, first + 1);
  const lineOf = (from: number, to: number): unknown => parse(new TextDecoder().decode(head.subarray(from, to)));
  const [made, covered] = second < 0 ? [] : [lineOf(0, first), lineOf(first + 1, second)];
  if (!isObject(made) || !isObject(covered)) throw new RecipeError('It is not complete: its first lines are missing.');
  if (made['history'] !== FORM)
    throw new RecipeError(
      `It was made by another version (${JSON.stringify(made['history'] ?? null).slice(0, 40)}); this one reads ${FORM}.`,
    );
  const { revision, compacted } = covered;
  if (!isCount(revision) || !isCount(compacted)) throw new RecipeError('It does not say which revisions it holds.');
  return { ...madeOf(made, MOST_NODES), revision, compacted, lines: file.slice(first + 1) };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
