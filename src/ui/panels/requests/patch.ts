/** A JSON patch as lines that a person reads: the path of each field, and its value as YAML. */
import { asText, at } from '../../stores/jsonValues.ts';
import { toYaml } from '../object/yaml.ts';

export interface PatchLine {
  readonly as: 'added' | 'removed';
  readonly text: string;
}

const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;

/** `/spec/containers/0/image` as `spec.containers[0].image`; keys with other characters stand in brackets. */
export function readablePath(pointer: string): string {
  const keys = pointer.split('/').slice(1);
  const steps = keys.map((key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    if (/^\d+$/.test(name)) return `[${name}]`;
    return PLAIN_KEY.test(name) ? `.${name}` : `[${name}]`;
  });
  return steps.join('').replace(/^\./, '') || '(the whole object)';
}

const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || Object.keys(value).length === 0;

/** `path: value`; a value of several lines stands indented below its path. */
function linesOf(path: string, value: unknown, as: PatchLine['as']): readonly PatchLine[] {
  const text = toYaml(value).trimEnd();
  if (isPlain(value) && !text.includes('\n')) return [{ as, text: `${path}: ${text}` }];
  return [{ as, text: `${path}:` }, ...text.split('\n').map((line) => ({ as, text: `  ${line}` }))];
}

/** The lines of a patch: what was there, where the trace tells, and what is there now. */
export function patchLines(patch: readonly unknown[]): readonly PatchLine[] {
  return patch.flatMap((operation) => {
    const path = readablePath(asText(at(operation, 'path')));
    const [op, was] = [at(operation, 'op'), at(operation, 'was')];
    const former: readonly PatchLine[] =
      was !== undefined ? linesOf(path, was, 'removed') : op === 'remove' ? [{ as: 'removed', text: path }] : [];
    return op === 'remove' ? former : [...former, ...linesOf(path, at(operation, 'value'), 'added')];
  });
}
