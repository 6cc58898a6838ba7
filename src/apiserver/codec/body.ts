/** Reads a request's body: bounded, then as JSON, YAML or Protobuf. */
import type { Document, LineCounter, Tags } from 'yaml';
import { status } from '../../schema/index.ts';
import { decodeText, isObject, WholeRequest, yaml } from '../../std/index.ts';
import { parseJson, scan, SyntaxProblem } from './json.ts';

export { parseJson, SyntaxProblem };

/** The reference's limit for one object. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;

/** The body's bytes; throws 413 as soon as it is known to be too large, without reading on. */
export async function readBody(request: Request, limit = MAX_BODY_BYTES): Promise<Uint8Array<ArrayBuffer>> {
  const declared = Number(request.headers.get('content-length') ?? '0');
  if (declared > limit) throw tooLarge(limit);
  if (request instanceof WholeRequest) {
    const bytes = await request.bytes();
    if (bytes.length > limit) throw tooLarge(limit);
    return bytes;
  }
  if (!request.body) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    size += part.value.length;
    if (size > limit) {
      await reader.cancel();
      throw tooLarge(limit);
    }
  }
  return join(chunks, size);
}

const tooLarge = (limit: number): Error => status.tooLarge(`limit is ${limit}`);

function join(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/**
 * The first document of a YAML text, as JSON; JSON is YAML too. Throws SyntaxProblem. The server loads the library for
 * requests that say that they are YAML.
 */
export function parseYaml(text: string): unknown {
  const trimmed = text.trimStart();
  if (/^[{[]/.test(trimmed)) {
    try {
      return parseJson(text);
    } catch {
      // Flow style that is YAML but not JSON falls through.
    }
  }
  scan(text);
  const first = firstDocument(text);
  if (!first) return null;
  try {
    return plain(first.toJS({ maxAliasCount: 100 }));
  } catch (error) {
    throw new SyntaxProblem(error instanceof Error ? error.message : String(error));
  }
}

/** How many tokens of the lexer a YAML text may have, some eight for a key and its value: each costs the library microseconds. */
const MAX_YAML_TOKENS = 100_000;

/** Reads no further than the first document's end. Throws SyntaxProblem, and 413 for what would take too long. */
function firstDocument(text: string): Document.Parsed | undefined {
  const lines = new (yaml().LineCounter)();
  for (const document of documentsIn(text, lines)) {
    const problem = document.errors[0];
    if (!problem) return document;
    const { line, col } = lines.linePos(problem.pos[0]);
    throw new SyntaxProblem(`${problem.message} at line ${line}, column ${col}`);
  }
  return undefined;
}

function* documentsIn(text: string, lines: LineCounter): Generator<Document.Parsed> {
  const { Composer, Lexer, Parser } = yaml();
  const parser = new Parser(lines.addNewLine);
  const composer = new Composer({
    version: '1.1',
    merge: true,
    uniqueKeys: false,
    logLevel: 'error',
    customTags: readAsTheReference,
  });
  let read = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++read > MAX_YAML_TOKENS) throw status.tooLarge(`limit is ${MAX_YAML_TOKENS} tokens of YAML`);
    for (const token of parser.next(lexeme)) yield* composer.next(token);
  }
  for (const token of parser.end()) yield* composer.next(token);
  yield* composer.end();
}

/** Times and numbers to the base 60 stay texts, as does what only looks like a number: `1e3`, `e0`, `1.`. */
function readAsTheReference(tags: Tags): Tags {
  return tags.flatMap((tag) => {
    if (typeof tag === 'string' || !('test' in tag) || !tag.test) return [tag];
    if (tag.tag.endsWith(':timestamp') || tag.format === 'TIME') return [];
    if (!tag.tag.endsWith(':float') || tag.test.test('.nan')) return [tag];
    return [{ ...tag, test: tag.format === 'EXP' ? WITH_EXPONENT : WITH_POINT }];
  });
}

const WITH_EXPONENT = /^[-+]?(?:\d[\d_]*(?:\.\d[\d_]*)?|\.\d[\d_]*)[eE][-+]\d+$/;
const WITH_POINT = /^[-+]?(?:\d[\d_]*)?\.\d[\d_]*$/;

/** Dates and other things that YAML knows and JSON doesn't become text. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return Number(value);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [plain(key), plain(item)]));
  if (typeof value === 'string' && HALF_PAIR.test(value))
    throw new SyntaxProblem('found invalid Unicode character escape code');
  return value;
}

const HALF_PAIR = /\p{Surrogate}/u;

export const bodyText = (bytes: Uint8Array): string => decodeText(bytes);
