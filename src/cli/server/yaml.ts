/** YAML as the reference's client reads it: by the rules of version 1.2, but for the words and numbers that only version 1.1 knew. */
import type { ScalarTag } from 'yaml';
import { yaml, yamlProblem } from '../../std/index.ts';
import type { ValueStream } from './jsonStream.ts';

export { loadYaml } from '../../std/index.ts';

/** `yes` is true; it takes quotes to be a text. */
const words: ScalarTag = {
  ...{ tag: 'tag:yaml.org,2002:bool', default: true },
  test: /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF)$/,
  resolve: (text: string) => /^(?:[yY]|[oO][nN])/.test(text),
};

/** `0644` is 420. */
const octals: ScalarTag = {
  ...{ tag: 'tag:yaml.org,2002:int', default: true, format: 'OCT' },
  test: /^[-+]?0[0-7]+$/,
  resolve: (text: string) => parseInt(text, 8),
};

/**
 * The values of a text's documents; an empty document is null. Throws an Error in the words of the reference's client.
 * Whoever calls this has seen to it that `loadYaml` has resolved.
 */
export function readYaml(text: string): readonly unknown[] {
  const parsed = yaml().parseAllDocuments(text, {
    ...{ prettyErrors: false, merge: true, uniqueKeys: false },
    customTags: (tags) => [words, octals, ...tags],
  });
  return (Array.isArray(parsed) ? parsed : []).map((document) => {
    const [problem] = document.errors;
    if (problem) throw new Error(`error converting YAML to JSON: yaml: ${yamlProblem(problem, text)}`);
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  });
}

/**
 * The documents of a text, each read by itself; what stands before a mistake is read. As in the reference's client, a line with
 * more than `---` separates nothing, and what follows it is left out.
 */
export function readYamlStream(text: string): ValueStream {
  const values: unknown[] = [];
  try {
    for (const document of text.split(/^---[^\S\n]*(?:\n|$)/m)) values.push(readYaml(document)[0]);
    return { values };
  } catch (error) {
    return { values, problem: error instanceof Error ? error.message : String(error) };
  }
}
