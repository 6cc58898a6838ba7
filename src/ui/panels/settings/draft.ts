/** A cluster's options as text that can be edited, and back. */
import type { BootOptions } from '../../host.ts';

export interface SettingsDraft {
  readonly nodes: string;
  readonly apiserver: string;
  readonly controllerManager: string;
  readonly scheduler: string;
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

/** The first line that can't be a flag; whether the component knows it, it says itself when it starts. */
export function problemWithFlags(text: string): string | undefined {
  const bad = linesOf(text).find((line) => !FLAG.test(line));
  return bad === undefined ? undefined : `“${bad}” is not of the form --flag=value.`;
}
