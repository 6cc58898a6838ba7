/** `completion` and `plugin`: what a shell outside of the page would need, which this one has or can't have. */
import { command, group } from '../command/command.ts';
import { complaint, misused } from '../command/errors.ts';
import { toggle } from '../command/flags.ts';

const SHELLS: readonly string[] = ['bash', 'zsh'];

export const completion = command({
  name: 'completion',
  offline: true,
  flags: {},
  run: async ({ args, path, session }) => {
    const [shell, ...more] = args;
    if (shell === undefined) throw misused('Shell not specified.', path);
    if (more.length > 0) throw misused('Too many arguments. Expected only the shell type.', path);
    if (!SHELLS.includes(shell)) throw misused(`Unsupported shell type ${JSON.stringify(shell)}.`, path);
    // A shell may read it: it changes nothing.
    session.out(`# This terminal completes ${session.program} by itself: press Tab.\n`);
  },
});

const list = command({
  name: 'list',
  offline: true,
  flags: {
    'name-only': toggle(),
  },
  run: async ({ session }) => {
    throw complaint(`unable to find any ${session.program} plugins in your PATH`);
  },
});

export const plugin = group({
  ...{ name: 'plugin', aliases: [] },
  subcommands: [list],
});
