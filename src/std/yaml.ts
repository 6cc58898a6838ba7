/** The YAML library, loaded when the first text wants it: most of what a cluster reads and writes is JSON. */
import { must } from './assert.ts';

export type Yaml = Pick<typeof import('yaml'), 'parse' | 'parseAllDocuments' | 'stringify'>;

let library: Yaml | undefined;

/** Resolves when `yaml` may be called. */
export async function loadYaml(): Promise<void> {
  library ??= await import('yaml');
}

/** The library. Whoever calls this has seen to it that `loadYaml` has resolved. */
export function yaml(): Yaml {
  return must(library, 'loadYaml resolves before YAML is read or written');
}
