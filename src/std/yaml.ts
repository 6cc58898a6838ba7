/** The YAML library, loaded when the first text wants it: most of what a cluster reads and writes is JSON. */
import type * as library from 'yaml';
import { must } from './assert.ts';

export type Yaml = Pick<typeof library, 'parse' | 'parseAllDocuments' | 'stringify'>;

let loaded: Yaml | undefined;

/** Resolves when `yaml` may be called. */
export async function loadYaml(): Promise<void> {
  loaded ??= await import('yaml');
}

/** The library. Whoever calls this has seen to it that `loadYaml` has resolved. */
export function yaml(): Yaml {
  return must(loaded, 'loadYaml resolves before YAML is read or written');
}
