/** The real kubectl, of the version whose streams are SPDY/3.1: run by tests, where it can be had. */
import { execFile, spawnSync } from 'node:child_process';

const program = process.env['VITRINE_KUBECTL'] ?? 'kubectl';
const printed = spawnSync(program, ['version', '--client', '--short'], { encoding: 'utf8' }).stdout ?? '';

/** Whether kubectl v1.20 can be run here; where not, `why` is the line that skipped tests show. */
export const kubectlHere: { readonly program: string; readonly has: boolean; readonly why: string } = {
  program,
  has: printed.includes('v1.20.'),
  why: 'no kubectl v1.20 here (VITRINE_KUBECTL names one)',
};

/** How a command ended, with what it wrote. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

export interface KubectlSettings {
  /** Flags before those of each command. */
  readonly flags?: readonly string[];
  /** Variables besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Runs a command to its end, for a minute at most, with a text as its input. */
export function runKubectl(
  args: readonly string[],
  { flags = [], env = {}, cwd }: KubectlSettings = {},
  input = '',
): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { timeout: 60_000, env: { ...process.env, ...env }, cwd };
    const child = execFile(program, [...flags, ...args], options, (error, out, errors) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, out, errors }),
    );
    // A command that ends before it has read its input closes the pipe.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** What a command wrote that has to succeed. */
export async function kubectlOutput(
  args: readonly string[],
  settings: KubectlSettings = {},
  input = '',
): Promise<string> {
  const { code, out, errors } = await runKubectl(args, settings, input);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${errors || out}`);
  return out;
}

/** Runs a command until it succeeds: the service account of a new namespace takes a moment. */
export async function kubectlUntilDone(
  args: readonly string[],
  settings: KubectlSettings = {},
  input = '',
): Promise<void> {
  for (let left = 50; left > 0; left--) if ((await runKubectl(args, settings, input)).code === 0) return;
  throw new Error(`kubectl ${args.join(' ')} keeps failing`);
}
