import { formatDate } from '../date.ts';
import { format } from '../printf.ts';
import { compilePattern, matchesIn, type Pattern } from '../regex.ts';
import { AwkError } from './error.ts';
import { toNumber, toText, type Value } from './values.ts';

/** What functions need that isn't in their arguments. */
export interface Surroundings {
  readonly now: () => number;
  readonly random: () => number;
  get(name: string): Value;
  set(name: string, value: Value): void;
}

type Function = (args: readonly Value[], surroundings: Surroundings) => Value;

const patterns = new Map<string, Pattern>();
const MOST_PATTERNS = 500;

/** A compiled expression; scripts use the same ones for every line. */
export function patternOf(source: string): Pattern {
  const found = patterns.get(source) ?? compilePattern(source, { extended: true });
  if (patterns.size >= MOST_PATTERNS) patterns.clear();
  patterns.set(source, found);
  return found;
}

const text = (args: readonly Value[], at: number): string => toText(args[at] ?? '');
const number = (args: readonly Value[], at: number): number => toNumber(args[at] ?? 0);

/** Functions whose arguments are values. Those that change their arguments are the interpreter's own. */
export const functions: Readonly<Record<string, Function>> = {
  index: (args) => text(args, 0).indexOf(text(args, 1)) + 1,
  substr: (args) => {
    const start = Math.round(number(args, 1));
    const end = args.length > 2 ? start + Math.round(number(args, 2)) : Infinity;
    return text(args, 0).slice(Math.max(0, start - 1), Math.max(0, end - 1));
  },
  tolower: (args) => text(args, 0).toLowerCase(),
  toupper: (args) => text(args, 0).toUpperCase(),
  int: (args) => Math.trunc(number(args, 0)),
  sqrt: (args) => Math.sqrt(number(args, 0)),
  exp: (args) => Math.exp(number(args, 0)),
  log: (args) => Math.log(number(args, 0)),
  sin: (args) => Math.sin(number(args, 0)),
  cos: (args) => Math.cos(number(args, 0)),
  atan2: (args) => Math.atan2(number(args, 0), number(args, 1)),
  rand: (_, { random }) => random(),
  srand: () => 0,
  systime: (_, { now }) => Math.floor(now() / 1000),
  strftime: (args, { now }) =>
    formatDate(text(args, 0) || '%a %b %e %H:%M:%S UTC %Y', args.length > 1 ? number(args, 1) * 1000 : now()),
  sprintf: (args) => formatted(args),
  match: (args, { set }) => {
    const found = patternOf(text(args, 1)).match(text(args, 0));
    set('RSTART', found ? found.start + 1 : 0);
    set('RLENGTH', found ? found.end - found.start : -1);
    return found ? found.start + 1 : 0;
  },
  system: () => {
    throw new AwkError('system() is not simulated');
  },
  fflush: () => 0,
  close: () => 0,
};

/** What `printf` writes: one round of the format. */
export function formatted([template, ...values]: readonly Value[]): string {
  const words = values.map(toText);
  const wanted = (toText(template ?? '').match(/%(?!%)/g) ?? []).length;
  return format(toText(template ?? ''), words.slice(0, Math.max(wanted, 0)));
}

/** A text with matches replaced; how many there were. */
export function substitute(
  subject: string,
  source: string,
  replacement: string,
  all: boolean,
): readonly [string, number] {
  let [result, end, count] = ['', 0, 0];
  for (const match of matchesIn(patternOf(source), subject)) {
    const whole = subject.slice(match.start, match.end);
    result += subject.slice(end, match.start) + replacement.replace(/\\&|&/g, (mark) => (mark === '&' ? whole : '&'));
    count += 1;
    end = match.end;
    if (!all) break;
  }
  return [result + subject.slice(end), count];
}

/** The fields of a record: by white space, by a character, by an expression. */
export function splitFields(record: string, separator: string): string[] {
  if (separator === ' ') return record.split(/[ \t\n]+/).filter(Boolean);
  if (record === '') return [];
  if (separator === '') return [...record];
  if (separator.length === 1 && separator !== '\\') return record.split(separator);
  const fields: string[] = [];
  let end = 0;
  for (const match of matchesIn(patternOf(separator), record)) {
    if (match.start === match.end) continue;
    fields.push(record.slice(end, match.start));
    end = match.end;
  }
  return [...fields, record.slice(end)];
}
