/** A text of one or several YAML documents, as what it says and where. */
import { isMap, isScalar, LineCounter, parseAllDocuments, type Document } from 'yaml';
import { isObject } from '../../std/index.ts';
import { asText, at } from '../stores/jsonValues.ts';

/** Something that is wrong at a place of the text; lines and columns count from 1. */
export interface Problem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly value: Record<string, unknown>;
  readonly document: Document;
  /** Where it begins: the line of its first word. */
  readonly line: number;
}

export interface Manifests {
  readonly manifests: readonly Manifest[];
  readonly problems: readonly Problem[];
  /** The problem at these offsets of the text. */
  problemAt(message: string, start: number, end: number): Problem;
}

const required = ['apiVersion', 'kind'] as const;

/** Empty documents (a text that begins with `---`, or ends with it) say nothing. */
const isEmpty = ({ contents }: Document): boolean =>
  contents === null || (isScalar(contents) && contents.value === null);

/** What a document says; nothing where its aliases would make it grow beyond measure. */
function plainValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

function manifestOf(document: Document, line: number): Manifest | string {
  const value = plainValue(document);
  if (!isMap(document.contents) || !isObject(value))
    return 'A manifest is a mapping with apiVersion, kind and metadata.';
  const missing = required.filter((field) => typeof value[field] !== 'string' || value[field] === '');
  if (missing.length > 0) return `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing.`;
  return {
    apiVersion: asText(value['apiVersion']),
    kind: asText(value['kind']),
    name: asText(at(value, 'metadata', 'name')),
    namespace: asText(at(value, 'metadata', 'namespace')),
    value,
    document,
    line,
  };
}

/** Reads a text. Documents that are in order come back even when others are not. */
export function readManifests(text: string): Manifests {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const documents: Document[] = Array.isArray(parsed) ? parsed : [];
  const problemAt = (message: string, start: number, end: number): Problem => {
    const from = lines.linePos(start);
    const to = lines.linePos(Math.max(start, end));
    return {
      message,
      line: from.line,
      column: from.col,
      endLine: to.line,
      endColumn: Math.max(to.col, from.line === to.line ? from.col + 1 : 1),
    };
  };
  const manifests: Manifest[] = [];
  const problems: Problem[] = [];
  for (const document of documents) {
    if (document.errors.length > 0)
      problems.push(...document.errors.map((error) => problemAt(error.message, ...error.pos)));
    else if (!isEmpty(document)) {
      const start = document.contents?.range?.[0] ?? 0;
      const manifest = manifestOf(document, lines.linePos(start).line);
      if (typeof manifest === 'string') problems.push(problemAt(manifest, start, start + 1));
      else manifests.push(manifest);
    }
  }
  return { manifests, problems, problemAt };
}
