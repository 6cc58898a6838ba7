/** A recipe within a link: compressed, in the fragment, which no server ever sees. */
import { fromBase64Url, toBase64Url } from '../../std/index.ts';
import { parseRecipe, printRecipe, RecipeError, type Recipe } from './recipe.ts';

const VERSION = '1';
const INCOMPLETE = 'It is not complete: a part of the link is missing or was changed.';

/** Characters that a link may have, so that chat programs and browsers carry it whole. */
export const LONGEST_LINK = 32_000;
/** Bytes that a link may grow to: more is an attack or a mistake. */
const MOST_BYTES = 5_000_000;

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const part of readable(new Blob([bytes]).stream().pipeThrough(stream))) {
    length += part.length;
    if (length > MOST_BYTES) throw new RecipeError('It unpacks to more than 5 MB.');
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function* readable(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** What stands behind `#share=` of a link that carries a recipe. */
export async function encodeLink(recipe: Recipe): Promise<string> {
  const bytes = new TextEncoder().encode(printRecipe(recipe));
  return `${VERSION}.${toBase64Url(await through(bytes, new CompressionStream('deflate-raw')))}`;
}

/** Reads what stands behind `#share=`; throws a RecipeError that says why it can't be opened. */
export async function decodeLink(shared: string): Promise<Recipe> {
  const [version = '', payload = ''] = shared.split('.', 2);
  if (!/^\d+$/.test(version)) throw new RecipeError(INCOMPLETE);
  if (version !== VERSION) throw new RecipeError('It was made by another version of Vitrine.');
  const bytes = fromBase64Url(payload);
  if (!bytes) throw new RecipeError(INCOMPLETE);
  const unpacked = await through(bytes, new DecompressionStream('deflate-raw')).catch((error: unknown) => {
    if (error instanceof RecipeError) throw error;
    throw new RecipeError(INCOMPLETE);
  });
  return parseRecipe(new TextDecoder().decode(unpacked));
}
