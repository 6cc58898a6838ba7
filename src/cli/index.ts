/** `clusterctl`: a client as people type it, which answers as the reference's client does. See README.md. */
import type { Command } from './command/command.ts';
import { apply } from './commands/apply.ts';
import { createWith } from './commands/create.ts';
import { remove } from './commands/delete.ts';
import { diff } from './commands/diff.ts';
import { reading } from './commands/reading.ts';
import { replace } from './commands/replace.ts';

export { run } from './command/command.ts';
export { served } from './server/served.ts';
export type { Command } from './command/command.ts';
export type { Files, Server, Session } from './command/session.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [...reading, createWith([]), apply, diff, replace, remove];
