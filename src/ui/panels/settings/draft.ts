/** A cluster's options as text that can be edited, and back. The text of a component is its arguments, one on a line. */
import type { BootOptions, ComponentKey, FlagInfo } from '../../host.ts';

export interface SettingsDraft extends Readonly<Record<ComponentKey, string>> {
  readonly nodes: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

const FLAG = /^--[a-z][-a-z0-9]*(=.*)?$/;

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export function draftOf({
  nodes = 0,
  apiserver = [],
  controllerManager = [],
  scheduler = [],
  files = {},
}: BootOptions): SettingsDraft {
  return {
    nodes: String(nodes),
    apiserver: apiserver.join('\n'),
    controllerManager: controllerManager.join('\n'),
    scheduler: scheduler.join('\n'),
    files: Object.entries(files).map(([name, text]) => ({ name, text })),
  };
}

/** The options of `made` with what was edited; the rest stays as the cluster was made. */
export function optionsOf(draft: SettingsDraft, made: BootOptions): BootOptions {
  return {
    ...made,
    nodes: Math.max(0, Number(draft.nodes) || 0),
    apiserver: linesOf(draft.apiserver),
    controllerManager: linesOf(draft.controllerManager),
    scheduler: linesOf(draft.scheduler),
    files: Object.fromEntries(draft.files.filter(({ name }) => name !== '').map(({ name, text }) => [name, text])),
  };
}

/** A cluster has so many simulated nodes at most. */
const MOST_NODES = 100;

export function problemWithNodes(text: string): string | undefined {
  return /^\d+$/.test(text) && Number(text) <= MOST_NODES ? undefined : `A number from 0 to ${MOST_NODES}.`;
}

/** The first line that can't be a flag; whether the component knows it, it says itself when it starts. */
export function problemWithFlags(text: string): string | undefined {
  const bad = linesOf(text).find((line) => !FLAG.test(line));
  return bad === undefined ? undefined : `“${bad}” is not of the form --flag=value.`;
}

/** A flag as far as its arguments are concerned. */
export type ArgumentForm = Pick<FlagInfo, 'name' | 'isSwitch'>;

/** One or two lines that belong together: a flag with its value, or a word that is none of the known flags. */
interface Argument {
  readonly flag?: string;
  readonly value: string;
  readonly lines: readonly string[];
}

const normalize = (name: string): string => name.replaceAll('_', '-');

function argumentsIn(text: string, flags: readonly ArgumentForm[]): Argument[] {
  const known = new Map(flags.map((flag) => [normalize(flag.name), flag]));
  const found: Argument[] = [];
  const lines = linesOf(text);
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const match = /^--([A-Za-z0-9][-\w]*)(?:=([\s\S]*))?$/.exec(line);
    const flag = known.get(normalize(match?.[1] ?? ''));
    if (!flag) found.push({ value: line, lines: [line] });
    else if (match?.[2] !== undefined) found.push({ flag: flag.name, value: match[2], lines: [line] });
    else if (flag.isSwitch) found.push({ flag: flag.name, value: 'true', lines: [line] });
    else {
      const value = lines.shift();
      found.push({ flag: flag.name, value: value ?? '', lines: value === undefined ? [line] : [line, value] });
    }
  }
  return found;
}

/** The values that a component's text gives to each flag. */
export function valuesIn(text: string, flags: readonly ArgumentForm[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, readonly string[]>();
  for (const { flag, value } of argumentsIn(text, flags))
    if (flag !== undefined) values.set(flag, [...(values.get(flag) ?? []), value]);
  return values;
}

/** The text with other values of one flag, where that flag stood or at the end; none takes it out. */
export function withValues(
  text: string,
  flags: readonly ArgumentForm[],
  name: string,
  values: readonly string[],
): string {
  const all = argumentsIn(text, flags);
  const at = all.findIndex(({ flag }) => flag === name);
  const before = all.slice(0, at < 0 ? all.length : at);
  const after = (at < 0 ? [] : all.slice(at)).filter(({ flag }) => flag !== name);
  const linesIn = (part: readonly Argument[]): readonly string[] => part.flatMap(({ lines }) => lines);
  return [...linesIn(before), ...values.map((value) => `--${name}=${value}`), ...linesIn(after)].join('\n');
}

/** What `--feature-gates` says of each gate. */
export function gatesIn(values: readonly string[]): ReadonlyMap<string, boolean> {
  const pairs = values.flatMap((value) => value.split(',')).map((pair) => pair.split('='));
  return new Map(pairs.map(([name = '', on = '']) => [name.trim(), /^(1|t|true)$/i.test(on.trim())]));
}

/** The values of `--feature-gates` with one gate set, or left to its default. */
export function withGate(values: readonly string[], name: string, on: boolean | undefined): readonly string[] {
  const gates = new Map(gatesIn(values));
  gates.delete('');
  if (on === undefined) gates.delete(name);
  else gates.set(name, on);
  return gates.size === 0 ? [] : [Array.from(gates, ([gate, is]) => `${gate}=${is}`).join(',')];
}
