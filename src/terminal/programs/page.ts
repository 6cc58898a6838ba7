/** Programs that do something to the terminal or the page around it. */
import { fail, out, type Program } from '../../programs/index.ts';
import type { Tools } from './tools.ts';

/** `history`, `history -c`. */
export const historyOf =
  ({ history, surroundings }: Tools): Program =>
  async (process) => {
    if (process.args[1] === '-c') {
      history.clear();
      await process.wait(surroundings.store.keepHistory([]));
      return 0;
    }
    const lines = history.lines.map((line, i) => `${String(i + 1).padStart(5)}  ${line}\n`);
    await out(process, lines.join(''));
    return 0;
  };

export const clear =
  ({ console }: Tools): Program =>
  async () => {
    console.clear();
    return 0;
  };

/** Shows the requests of the last command line, or of one by its number. */
export const requestsOf =
  ({ surroundings, line }: Tools): Program =>
  async (process) => {
    const number = Number(process.args[1] ?? line() - 1);
    if (!surroundings.showRequests) return fail(process, 'there is no page to show them');
    if (!(number >= 1 && number < line())) return fail(process, 'no command line has this number');
    surroundings.showRequests(number);
    return 0;
  };
