/** The YAML library, loaded with the first YAML text, because most clusters read and write mostly JSON. */
import type * as library from 'yaml';
import { Part } from './part.ts';

export type Yaml = Pick<typeof library, 'parse' | 'parseAllDocuments' | 'stringify'>;

export const yamlPart: Part<Yaml> = new Part<Yaml>(() => import('yaml'));

/** Resolves when `yaml` may be called. */
export async function loadYaml(): Promise<void> {
  await yamlPart.load();
}

/** The library. The caller must have awaited `loadYaml`. */
export const yaml = (): Yaml => yamlPart.get();
