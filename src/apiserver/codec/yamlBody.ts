/** Reads a body in YAML as the reference does: version 1.1 without times and numbers of base 60. */
import { Composer, Lexer, Parser, type Document, type ScalarTag, type Tags } from 'yaml';
import { status } from '../../schema/index.ts';
import { decodeText, fromBase64, yamlProblem } from '../../std/index.ts';
import { scan, SyntaxProblem } from './json.ts';

/** The first document as a JSON value; null if there is none. Throws SyntaxProblem, and 413 for a text that would take too long. */
export function readYamlBody(text: string): unknown {
  scan(text);
  if (FORBIDDEN.test(text)) throw new SyntaxProblem('yaml: control characters are not allowed');
  const first = firstDocument(text);
  const value = first ? valueOf(first) : null;
  // A text without a document has no directives, and nothing that ends one.
  if (value === null && !first?.directives.docStart && /^(%|\.\.\.)/m.test(text))
    throw new SyntaxProblem('yaml: did not find expected node content');
  return value;
}

function valueOf(document: Document.Parsed): unknown {
  try {
    return plain(document.toJS({ mapAsMap: true, maxAliasCount: 100 }));
  } catch (error) {
    if (error instanceof SyntaxProblem) throw error;
    throw new SyntaxProblem(`yaml: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The characters that no YAML text may have. */
const FORBIDDEN = /(?![\t\n\r\x85])\p{Cc}|[\uFFFE\uFFFF]/u;

/**
 * The maximum number of lexer tokens in a YAML text. A key and its value take about eight, and each token costs the
 * library microseconds.
 */
const MAX_YAML_TOKENS = 100_000;

/** Parses only the first document. */
function firstDocument(text: string): Document.Parsed | undefined {
  for (const document of documentsIn(text)) {
    const problem = document.errors[0];
    if (problem) throw new SyntaxProblem(`yaml: ${yamlProblem(problem, text)}`);
    return document;
  }
  return undefined;
}

function* documentsIn(text: string): Generator<Document.Parsed> {
  const parser = new Parser();
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
  return tags.flatMap((tag): Tags => {
    if (typeof tag === 'string') return [tag];
    if (tag.tag === binary.tag) return [binary];
    if (!('test' in tag) || !tag.test) return [tag];
    if (tag.tag.endsWith(':timestamp') || tag.format === 'TIME') return [];
    if (!tag.tag.endsWith(':float') || tag.test.test('.nan')) return [tag];
    return [{ ...tag, test: tag.format === 'EXP' ? WITH_EXPONENT : WITH_POINT }];
  });
}

const WITH_EXPONENT = /^[-+]?(?:\d[\d_]*(?:\.\d[\d_]*)?|\.\d[\d_]*)[eE][-+]\d+$/;
const WITH_POINT = /^[-+]?(?:\d[\d_]*)?\.\d[\d_]*$/;

/** A text that is written in base64. */
const binary: ScalarTag = {
  tag: 'tag:yaml.org,2002:binary',
  resolve(text) {
    const bytes = fromBase64(text.replace(/\s/g, ''));
    if (!bytes) throw new SyntaxProblem('yaml: !!binary value contains invalid base64 data');
    return decodeText(bytes);
  },
};

/** Maps become objects; dates and other types that JSON lacks become strings. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [keyOf(key), plain(item)]));
  if (value instanceof Set) return Object.fromEntries([...value].map((key) => [keyOf(key), null]));
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' && HALF_PAIR.test(value))
    throw new SyntaxProblem('yaml: found invalid Unicode character escape code');
  return value;
}

const HALF_PAIR = /\p{Surrogate}/u;

/** JSON's keys are strings; numbers and booleans are written as such. */
function keyOf(key: unknown): string {
  if (key === null || typeof key === 'object')
    throw new SyntaxProblem(`yaml: invalid map key: ${key === null ? 'null' : JSON.stringify(plain(key))}`);
  return String(plain(key));
}
