/** `clusterctl`: a client as people type it, which answers as the reference's client does. See README.md. */
import type { Command } from './command/command.ts';
import { reading } from './commands/reading.ts';
import { writing } from './commands/writing.ts';

export { run } from './command/command.ts';
export { withCredentials } from './command/connection.ts';
export { chosenContext, type Chosen } from './kubeconfig/chosen.ts';
export { served } from './server/served.ts';
export type { Command } from './command/command.ts';
export type { Files, Server, Session } from './command/session.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [...reading, ...writing];
