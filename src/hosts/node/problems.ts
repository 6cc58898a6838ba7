import { problemEvent, type Tracer } from '../../cluster/index.ts';

/** The events of Node's `process` by which it tells of errors that nothing caught. */
const UNCAUGHT = ['uncaughtException', 'unhandledRejection'] as const;

interface Process {
  on(event: (typeof UNCAUGHT)[number], listener: (error: unknown) => void): unknown;
}

/** Keeps the process alive after an error that nothing caught: it is printed and becomes a trace event. */
export function surviveErrors(process: Process, tracer: Tracer, print: (message: string) => void): void {
  const onError = (error: unknown): void => {
    tracer.emit(problemEvent(error));
    print(
      `error: a part of the cluster failed, the rest goes on: ${(error instanceof Error && error.stack) || String(error)}`,
    );
  };
  for (const event of UNCAUGHT) process.on(event, onError);
}
