/** A text of manifests, changed to the names and versions that a cluster serves. What needs no change stays as it was written. */
import { isMap, isPair, isScalar, visit, type Document, type Pair, type YAMLMap } from 'yaml';
import type { Names } from '../../names/index.ts';
import { asText, at } from '../stores/jsonValues.ts';
import { convertName } from './convertNames.ts';
import { versionRules, type VersionRule } from './convertVersions.ts';
import { readManifests, type Manifest } from './documents.ts';

export interface Converted {
  readonly text: string;
  /** What was changed, such as `batch/v1 → batch/v1beta1 (CronJob)`; each once. */
  readonly changes: readonly string[];
  /** What is different after it besides. */
  readonly remarks: readonly string[];
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

class Conversion {
  readonly edits: Edit[] = [];
  readonly changes = new Set<string>();
  readonly remarks = new Set<string>();
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Replaces a word at its place; quotes around it stay. */
  replace(range: readonly [number, number, number] | null | undefined, from: string, to: string): boolean {
    if (!range) return false;
    const written = this.#text.slice(range[0], range[1]);
    if (!written.includes(from)) return false;
    this.edits.push({ start: range[0], end: range[1], text: written.replace(from, () => to) });
    return true;
  }

  /** Takes a field out, with its lines. Says whether it could: not where it shares its line with others. */
  drop(pair: Pair): boolean {
    const start = isScalar(pair.key) ? pair.key.range?.[0] : undefined;
    const last = rangeOf(pair.value)?.[1];
    if (start === undefined || last === undefined) return false;
    const lineStart = this.#text.lastIndexOf('\n', start - 1) + 1;
    const newline = this.#text.indexOf('\n', last);
    if (this.#text.slice(lineStart, start).trim() !== '') return false;
    this.edits.push({ start: lineStart, end: newline < 0 ? this.#text.length : newline + 1, text: '' });
    return true;
  }

  /** Puts a field before the first one of a map, in a line of its own. */
  insertInto(map: YAMLMap, line: string): boolean {
    const first = map.items[0];
    const start = first && isScalar(first.key) ? first.key.range?.[0] : undefined;
    if (start === undefined || map.flow) return false;
    const indent = this.#text.slice(this.#text.lastIndexOf('\n', start - 1) + 1, start);
    this.edits.push({ start, end: start, text: `${line}\n${' '.repeat(indent.length)}` });
    return true;
  }

  done(): Converted | undefined {
    if (this.changes.size === 0) return undefined;
    let text = this.#text;
    for (const { start, end, text: put } of this.edits.toSorted((a, b) => b.start - a.start))
      text = text.slice(0, start) + put + text.slice(end);
    return { text, changes: [...this.changes], remarks: [...this.remarks] };
  }
}

const rangeOf = (node: unknown): readonly [number, number, number] | null | undefined =>
  typeof node === 'object' && node !== null && 'range' in node
    ? (node.range as readonly [number, number, number] | null | undefined)
    : undefined;

/** Renames every key and text of the document that is an identifier of the other profile. */
function convertNames(conversion: Conversion, document: Document, names: Names): void {
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value !== 'string') return;
      const converted = convertName(node.value, names.profile);
      if (converted !== node.value && conversion.replace(node.range, node.value, converted))
        conversion.changes.add(`${node.value} → ${converted}`);
    },
  });
}

function pairAt(document: Document, path: readonly string[]): Pair | undefined {
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return undefined;
  return parent.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === path.at(-1));
}

/** What is selected where nothing says it: the labels of the template. */
function addSelector(conversion: Conversion, { document, value }: Manifest): void {
  const labels = at(value, 'spec', 'template', 'metadata', 'labels');
  const spec: unknown = document.get('spec', true);
  if (at(value, 'spec', 'selector') !== undefined || labels === undefined || !isMap(spec)) return;
  if (conversion.insertInto(spec, `selector: { matchLabels: ${JSON.stringify(labels)} }`))
    conversion.remarks.add('Its selector is written out: the labels of its template.');
}

function convertVersion(conversion: Conversion, manifest: Manifest, rule: VersionRule, to: string): void {
  const { document, kind } = manifest;
  const pair = pairAt(document, ['apiVersion']);
  // Its names may be about to change as well: this edit stands for both.
  const written = asText(manifest.value['apiVersion']);
  const range = rangeOf(pair?.value);
  const before = conversion.edits.findIndex(({ start }) => start === range?.[0]);
  if (before >= 0) conversion.edits.splice(before, 1);
  if (!conversion.replace(range, written, to)) return;
  conversion.changes.add(`${written} → ${to} (${kind})`);
  for (const path of rule.drop ?? []) {
    const field = pairAt(document, path);
    if (!field) continue;
    const done = conversion.drop(field);
    conversion.remarks.add(
      `${path.join('.')} ${done ? 'is left out' : 'has to be taken out by hand'}: ${to} does not have it.`,
    );
  }
  for (const { path, to: name } of rule.rename ?? []) {
    const field = pairAt(document, path);
    if (field && isScalar(field.key)) conversion.replace(field.key.range, path.at(-1) ?? '', name);
  }
  if (rule.needsSelector) addSelector(conversion, manifest);
  if (rule.remark) conversion.remarks.add(rule.remark);
}

/**
 * Changes a text to the names of the cluster, and to versions that it serves. Undefined if there is nothing to change.
 * `serves` tells whether the server has a kind at a version.
 */
export function convertText(
  text: string,
  names: Names,
  serves: (apiVersion: string, kind: string) => boolean,
): Converted | undefined {
  const conversion = new Conversion(text);
  for (const manifest of readManifests(text).manifests) {
    convertNames(conversion, manifest.document, names);
    const version = convertName(manifest.apiVersion, names.profile);
    if (serves(version, manifest.kind)) continue;
    const rule = versionRules.find(
      ({ kinds, from, to }) =>
        kinds.includes(manifest.kind) &&
        from.some((each) => names.fill(each) === version) &&
        serves(names.fill(to), manifest.kind),
    );
    if (rule) convertVersion(conversion, manifest, rule, names.fill(rule.to));
  }
  return conversion.done();
}
