export { BaseStream } from './base.ts';
export { concatenate, readAll, readLine } from './bytes.ts';
export { pipe } from './pipe.ts';
export { nullStream, sink, source, textSource } from './simple.ts';
export type { Stream, TerminalSize } from './stream.ts';
export { terminal, type Terminal } from './terminal.ts';
