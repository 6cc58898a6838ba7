/** Field paths as the server writes them (`spec.ports[0].port`, `.metadata.labels[app]`), and where they stand in YAML. */
import {
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseAllDocuments,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { asText } from '../stores/jsonValues.ts';

/** A step into an object: a key, a position, or the list item whose fields have these values. */
export type FieldStep = string | number | Readonly<Record<string, string>>;

/** A step, or what stands between steps. A bracket without an end is the end of the path. */
const TOKEN = /\[((?:[^\]"]|"(?:[^"\\]|\\.)*")*)\]|[^.[\]]+|[.\]]/gy;
const SELECTOR = /(?<![\w-])([\w-]+)=("(?:[^"\\]|\\.)*"|[^,]+)/g;

function unquote(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return asText(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}

/** What stands between brackets: a position, a selection by fields, or a key with dots in it. */
function bracketStep(inner: string): FieldStep {
  if (/^\d+$/.test(inner)) return Number(inner);
  const fields = [...inner.matchAll(SELECTOR)].map(([, name = '', value = '']) => [name, unquote(value)] as const);
  return fields.length > 0 ? Object.fromEntries(fields) : unquote(inner);
}

/** The steps of a field path. */
export function parseFieldPath(path: string): readonly FieldStep[] {
  return [...path.matchAll(TOKEN)]
    .filter(([token]) => token !== '.' && token !== ']')
    .map(([token, inner]) => (inner === undefined ? token : bracketStep(inner)));
}

const keyIs = (pair: Pair, key: string): boolean => isScalar(pair.key) && String(pair.key.value) === key;

const hasFields = (item: unknown, fields: Readonly<Record<string, string>>): boolean =>
  isMap(item) && Object.entries(fields).every(([name, value]) => String(item.get(name)) === value);

type Found = Pair | Node | undefined;

function inMap(map: YAMLMap, step: FieldStep): Found {
  return map.items.find((pair) => keyIs(pair, String(step)));
}

function inList(list: YAMLSeq, step: FieldStep): Found {
  const item: unknown =
    typeof step === 'object' ? list.items.find((each) => hasFields(each, step)) : list.items[Number(step)];
  return isScalar(item) || isMap(item) || isSeq(item) ? item : undefined;
}

const contentOf = (found: Found): unknown => (isPair(found) ? found.value : found);

export interface Place {
  /** Offsets into the whole text. */
  readonly start: number;
  readonly end: number;
}

/** Where a found thing stands: a field by its key, since that is what a reader looks for. */
function placeOf(found: Found): Place | undefined {
  const node = isPair(found) ? found.key : found;
  if (!(isScalar(node) || isMap(node) || isSeq(node)) || !node.range) return undefined;
  return { start: node.range[0], end: isScalar(node) ? node.range[1] : node.range[0] + 1 };
}

/** Where a field stands in a document; of one that is missing, the nearest part above it that is there. */
export function placeOfField(document: Document, path: string): Place | undefined {
  let here: unknown = document.contents;
  let place: Place | undefined;
  for (const step of parseFieldPath(path)) {
    const found = isMap(here) ? inMap(here, step) : isSeq(here) ? inList(here, step) : undefined;
    if (found === undefined) break;
    place = placeOf(found) ?? place;
    here = contentOf(found);
  }
  return place;
}

const nameOf = (document: Document): string =>
  `${asText(document.get('kind'))}/${asText(document.getIn(['metadata', 'name']))}`;

/**
 * The line of a field in a text, counted from 1; of one that is missing, that of the nearest part above it. Of several
 * documents the one of this kind and name (`Pod/web`) is meant, or the first.
 */
export function lineOfField(text: string, path: string, name?: string): number | undefined {
  const documents = [...parseAllDocuments(text)].filter(({ contents }) => isMap(contents));
  const document = documents.find((each) => nameOf(each) === name) ?? documents[0];
  const place = document && placeOfField(document, path);
  return place && text.slice(0, place.start).split('\n').length;
}
