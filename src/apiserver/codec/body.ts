/** Reads a request's body with a size limit, and parses it as JSON, YAML or Protobuf. */
import type { Document, LineCounter, Tags } from 'yaml';
import { status } from '../../schema/index.ts';
import { concatenate, decodeText, isObject, WholeRequest, yaml } from '../../std/index.ts';
import { parseJson, scan, SyntaxProblem } from './json.ts';

export { parseJson, SyntaxProblem };

/** The reference's size limit for an object. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;

/** The bytes of the body; throws 413 as soon as it is too large, without reading the rest. */
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
  return concatenate(chunks);
}

const tooLarge = (limit: number): Error => status.tooLarge(`limit is ${limit}`);

/**
 * The first document of a YAML text as a JSON value; JSON is valid YAML too. Throws SyntaxProblem. The server loads the
 * library for requests with a YAML content type.
 */
export function parseYaml(text: string): unknown {
  const trimmed = text.trimStart();
  if (/^[{[]/.test(trimmed)) {
    try {
      return parseJson(text);
    } catch {
      // Flow-style YAML that is not JSON is parsed below.
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

/**
 * The maximum number of lexer tokens in a YAML text. A key and its value take about eight, and each token costs the
 * library microseconds.
 */
const MAX_YAML_TOKENS = 100_000;

/** Parses only the first document. Throws SyntaxProblem, and 413 for a text that would take too long. */
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

/** Times and base-60 numbers stay strings, as do strings that only resemble numbers: `1e3`, `e0`, `1.`. */
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

/** Dates and other types that JSON lacks become strings. */
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
