import { fail, out, pipe, readAll, readOptions, type Process, type Program } from '../../programs/index.ts';
import { decodeText } from '../../std/index.ts';
import type { Tools } from './tools.ts';

const OTHER_SCREEN = '\x1b[?1049h\x1b[?25l';
const USUAL_SCREEN = '\x1b[?25h\x1b[?1049l';
const TOP = '\x1b[H\x1b[J';

/** `watch [-n SECONDS] COMMAND`: shows what a command says, again and again, until it is interrupted. */
export const watch =
  (tools: Tools): Program =>
  async (process) => {
    const options = readOptions(process.args.slice(1), 'tdecg', 'n', ['interval='], true);
    const seconds = Number(options.value('n', 'interval') ?? 2);
    const command = options.rest.join(' ');
    if (command === '')
      return fail(process, 'say what to run: watch kubectl get pods'.replace('kubectl', tools.surroundings.names.ctl));
    if (!(seconds > 0)) return fail(process, `failed to parse argument: '${options.value('n', 'interval') ?? ''}'`);
    const every = Math.max(100, seconds * 1000);
    const title = `Every ${(every / 1000).toFixed(1)}s: ${command}`;
    if (process.stdout.terminal) return onScreen(process, tools, title, () => repeat(process, command, every));
    for await (const text of repeat(process, command, every)) await out(process, text);
    return 0;
  };

/** What the command says, each time. */
async function* repeat(process: Process, command: string, every: number): AsyncGenerator<string> {
  for (;;) {
    const { input, output } = pipe();
    const streams = new Map(process.streams).set(1, output).set(2, output);
    const child = process.spawn(['sh', '-c', command], { streams });
    output.release();
    const text = decodeText(await readAll(input, process.killed));
    input.release();
    await process.wait(child.exit);
    yield text;
    await process.sleep(every);
  }
}

/** Shows each text in place of the one before, on a screen of its own. */
async function onScreen(
  process: Process,
  { console, surroundings }: Tools,
  title: string,
  texts: () => AsyncGenerator<string>,
): Promise<number> {
  await console.say(OTHER_SCREEN);
  try {
    for await (const text of texts()) {
      const { rows } = console.size;
      const time = new Date(surroundings.clock.now()).toISOString().slice(11, 19);
      const lines = text.split('\n').slice(0, rows - 3);
      await console.control(TOP);
      await out(process, `${title}   ${time} UTC\n\n${lines.join('\n')}`);
    }
    return 0;
  } finally {
    await console.control(USUAL_SCREEN);
  }
}
