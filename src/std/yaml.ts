/** The YAML library, loaded when the first text wants it: most of what a cluster reads and writes is JSON. */
import type * as library from 'yaml';
import { Part } from './part.ts';

export type Yaml = Pick<
  typeof library,
  'parse' | 'parseAllDocuments' | 'stringify' | 'Composer' | 'Lexer' | 'LineCounter' | 'Parser'
>;

export const yamlPart: Part<Yaml> = new Part<Yaml>(() => import('yaml'));

/** Resolves when `yaml` may be called. */
export async function loadYaml(): Promise<void> {
  await yamlPart.load();
}

/** The library. Whoever calls this has seen to it that `loadYaml` has resolved. */
export const yaml = (): Yaml => yamlPart.get();
