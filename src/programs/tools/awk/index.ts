import type { Process, Program } from '../../process.ts';
import { eachInput, fail, linesOf, readOptions, splitOnce } from '../tool.ts';
import { PatternError } from '../regex.ts';
import { AwkError } from './error.ts';
import { Awk } from './interpreter.ts';
import { parseAwk } from './parse.ts';
import type { InputLine } from './record.ts';
import { Input } from './values.ts';

/** The pattern language, without pipes and `system()`. */
export const awk: Program = async (process) => {
  const options = readOptions(process.args.slice(1), '', 'Fvf', [], true);
  const files = options.values('f');
  const [first, ...others] = options.rest;
  const text = files.length > 0 ? files.map((path) => process.files.text(path)).join('\n') : first;
  if (text === undefined) return fail(process, 'usage: awk [-F sep] [-v name=value] program [file...]', 2);
  try {
    const names = files.length > 0 ? options.rest : others;
    const inputs = names.filter((name) => !/^[A-Za-z_]\w*=/.test(name));
    const interpreter = new Awk(process, parseAwk(text), lines(process, inputs));
    const separator = options.value('F');
    if (separator !== undefined) interpreter.set('FS', separator === 't' ? '\t' : separator.replace(/\\t/g, '\t'));
    for (const assignment of [...options.values('v'), ...names.filter((name) => !inputs.includes(name))]) {
      const [name, value = ''] = splitOnce(assignment, '=');
      interpreter.set(name, new Input(value.replace(/\\n/g, '\n').replace(/\\t/g, '\t')));
    }
    return await interpreter.run();
  } catch (problem) {
    if (problem instanceof AwkError || problem instanceof PatternError) return fail(process, problem.message, 2);
    throw problem;
  }
};

/** The lines of the standard input as they are asked for, or those of all named files. */
async function* lines(process: Process, names: readonly string[]): AsyncGenerator<InputLine> {
  if (names.length === 0) return yield* numbered(linesOf(process, process.stdin), '');
  const gathered: InputLine[] = [];
  await eachInput(process, names, async (stream, file) => {
    for await (const line of numbered(linesOf(process, stream), file)) gathered.push(line);
  });
  yield* gathered;
}

async function* numbered(texts: AsyncIterable<string>, file: string): AsyncGenerator<InputLine> {
  let number = 0;
  for await (const text of texts) yield { text, file, number: ++number };
}
