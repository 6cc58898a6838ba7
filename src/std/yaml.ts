/** The YAML library, loaded when the first text wants it: most of what a cluster reads and writes is JSON. */
import type * as library from 'yaml';
import { Part } from './part.ts';

export type Yaml = Pick<typeof library, 'parse' | 'parseAllDocuments' | 'stringify'>;

const part = new Part<Yaml>(() => import('yaml'));

/** Resolves when `yaml` may be called. */
export async function loadYaml(): Promise<void> {
  await part.load();
}

export const yamlLoaded = (): boolean => part.loaded;

/** The library. Whoever calls this has seen to it that `loadYaml` has resolved. */
export const yaml = (): Yaml => part.get();
