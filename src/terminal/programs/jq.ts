/** `jq`, as a program of the shell; what runs it is the page's. */
import { fail, out, readAll, SystemError, type Process, type Program } from '../../programs/index.ts';
import { decodeText, encodeText, getOwn } from '../../std/index.ts';
import type { Surroundings } from '../surroundings.ts';

type Run = NonNullable<Surroundings['jq']>;

/** How many words follow an option. */
const TAKES: Readonly<Record<string, number>> = { '--arg': 2, '--argjson': 2, '--indent': 1 };

interface Words {
  readonly flags: readonly string[];
  readonly filter: string | undefined;
  readonly files: readonly string[];
}

function read(words: readonly string[]): Words {
  const flags: string[] = [];
  const rest: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (!/^-./.test(word)) rest.push(word);
    else {
      const takes = getOwn(TAKES, word) ?? 0;
      flags.push(...words.slice(i, i + 1 + takes));
      i += takes;
    }
  }
  const [filter, ...files] = rest;
  return { flags, filter, files };
}

/** `jq [OPTIONS] FILTER [FILE…]`: files are read here, as only the shell has them. */
export const jq =
  (run: Run): Program =>
  async (process) => {
    const { flags, filter, files } = read(process.args.slice(1));
    if (filter === undefined) return fail(process, 'say what to pick: jq .items', 2);
    try {
      const input = await inputOf(process, flags, files);
      const ended = await process.wait(run([...flags, filter], input, process.killed));
      await out(process, ended.out);
      await process.stderr.write(encodeText(ended.err));
      return ended.code;
    } catch (problem) {
      if (!(problem instanceof SystemError)) throw problem;
      return fail(process, `error: ${problem.path ?? ''}: ${problem.message}`, 2);
    }
  };

async function inputOf(process: Process, flags: readonly string[], files: readonly string[]): Promise<string> {
  if (files.length > 0) return files.map((file) => process.files.text(file)).join('\n');
  if (flags.some((flag) => /^-[a-zA-Z]*n/.test(flag) || flag === '--null-input')) return '';
  return decodeText(await readAll(process.stdin));
}
