/** What somebody would type who does the same with the command line. */

/** A word as a shell reads it. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

export interface CommandPlace {
  /** The name of the command-line client. */
  readonly ctl: string;
  readonly namespace: string;
}

/** A command line: the client, its words, and the namespace where there is one. */
export function commandLine({ ctl, namespace }: CommandPlace, ...words: readonly string[]): string {
  const split = words.indexOf('--');
  const [own, rest] = split < 0 ? [words, []] : [words.slice(0, split), words.slice(split)];
  const where = namespace === '' ? [] : ['-n', namespace];
  return [ctl, ...own, ...where, ...rest].map(shellWord).join(' ');
}
