/** The signals that programs know, by number. */
const NUMBERS = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  ABRT: 6,
  KILL: 9,
  USR1: 10,
  SEGV: 11,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
  CHLD: 17,
  CONT: 18,
  STOP: 19,
  WINCH: 28,
} as const;

/** What asks a program to stop. */
export const STOP_SIGNALS: readonly Signal[] = ['TERM', 'INT', 'QUIT'];

export type Signal = keyof typeof NUMBERS;

/** What a process doesn't notice unless it handles them. */
const IGNORED: ReadonlySet<Signal> = new Set(['CHLD', 'CONT', 'WINCH', 'STOP']);

export const signalNames = Object.keys(NUMBERS) as readonly Signal[];

export const signalNumber = (signal: Signal): number => NUMBERS[signal];

/** Whether a signal ends a process that doesn't handle it. */
export const isFatal = (signal: Signal): boolean => !IGNORED.has(signal);

/** A signal as people write it: `TERM`, `SIGTERM`, `15`. */
export function parseSignal(text: string): Signal | undefined {
  const name = text.toUpperCase().replace(/^SIG/, '');
  return signalNames.find((signal) => signal === name || String(NUMBERS[signal]) === name);
}
