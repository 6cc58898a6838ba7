/** What a command says when it can't do what it was asked to, in the words of the reference's client. */
import { StatusError, type Status } from '../../schema/index.ts';

/** Ends a command: its message goes to the error stream as it is. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** Ends a command that has something to print before it fails. */
export class PrintedError extends CommandError {
  readonly printed: string;

  constructor(message: string, printed: string) {
    super(message);
    this.printed = printed;
  }
}

/** The command line itself is wrong: an unknown flag, a value that a flag can't have. */
export class UsageError extends CommandError {}

/** `error: MESSAGE`, as most of a command's own complaints begin. */
export const complaint = (message: string, exitCode = 1): CommandError =>
  new CommandError(`error: ${message}`, exitCode);

/** As `complaint`, for wrong usage. */
export const misused = (message: string, path: string): CommandError =>
  complaint(`${message}\nSee '${path} -h' for help and examples`);

/** Throws if required flags are missing. */
export function requireFlags(given: ReadonlySet<string>, ...names: readonly string[]): void {
  const missing = names.filter((name) => !given.has(name));
  if (missing.length > 0)
    throw new CommandError(`Error: required flag(s) ${missing.map((name) => JSON.stringify(name)).join(', ')} not set`);
}

/** What stands on the error stream for whatever a command has thrown; each text ends without a line break. */
export function describeError(error: unknown): string {
  if (error instanceof StatusError) return describeStatus(error.status);
  if (error instanceof CommandError) return error.message;
  return `error: ${error instanceof Error ? error.message : String(error)}`;
}

/** A complaint as the reference's client tells it among others, without its beginning. */
export const amongOthers = (error: Error): Error =>
  error instanceof CommandError ? new CommandError(error.message.replace(/^error: /, ''), error.exitCode) : error;

/** As `describeError`. Several problems are told one below the other. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof AggregateError)) return describeError(error);
  const problems = error.errors.map(describeError);
  return problems.length === 1 ? problems.join() : problems.map((each) => each.replace(/^error: /, '')).join('\n');
}

function describeStatus(status: Status): string {
  if (status.reason === 'Invalid') return describeInvalid(status);
  if (status.reason === 'Unauthorized') return `error: You must be logged in to the server (${status.message ?? ''})`;
  const reason = status.reason ? ` (${status.reason})` : '';
  return `Error from server${reason}: ${status.message ?? ''}`;
}

function describeInvalid({ details }: Status): string {
  if (!details) return 'The request is invalid';
  const causes = details.causes ?? [];
  const what =
    details.kind || details.name
      ? `The ${details.kind ?? ''} ${JSON.stringify(details.name ?? '')} is invalid`
      : 'The request is invalid';
  if (causes.length === 0) return what;
  return inLines(
    `${what}: `,
    causes.map(({ field, message: cause }) => `${field ?? ''}: ${cause ?? ''}`),
  );
}

/** One problem stands beside its beginning, several below it, each once. */
export function inLines(beginning: string, problems: readonly string[]): string {
  const each = [...new Set(problems)];
  return each.length === 1
    ? `${beginning}${each[0]}`
    : [beginning, ...each.map((problem) => `* ${problem}`)].join('\n');
}
