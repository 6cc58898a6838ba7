/** The terminal of the page: a shell with the cluster's command-line client. See README.md. */
export { startTerminal, type Terminal } from './terminal.ts';
export type { HomeStore, Kept, Screen, Size, Surroundings } from './surroundings.ts';
