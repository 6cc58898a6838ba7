/** A component's flags, as given on its command line. */

/** Thrown for a flag that can't be read; the component does not start. */
export class FlagError extends Error {
  override name = 'FlagError';
}

export interface FlagSet {
  /** The last value given, or the default; undefined where there is neither. */
  get(name: string): string | undefined;
  /** Whether the flag was given. */
  has(name: string): boolean;
}

/** Reads `--name=value` and `--name` (true). Throws FlagError for anything else. */
export function parseFlags(args: readonly string[], defaults: Readonly<Record<string, string>>): FlagSet {
  const given = new Map<string, string>();
  for (const arg of args) {
    const match = /^--([a-z0-9-]+)(?:=([\s\S]*))?$/.exec(arg);
    if (!match) throw new FlagError(`${JSON.stringify(arg)} is not a flag: write --name=value`);
    given.set(match[1] as string, match[2] ?? 'true');
  }
  return { get: (name) => given.get(name) ?? defaults[name], has: (name) => given.has(name) };
}

/** Feature gates: their defaults, and what `--feature-gates` says. */
export function featureGates(
  text: string | undefined,
  defaults: Readonly<Record<string, boolean>>,
): (name: string) => boolean {
  const set = new Map<string, boolean>();
  for (const pair of (text ?? '').split(',').filter((p) => p !== '')) {
    const [name = '', value = ''] = pair.split('=').map((s) => s.trim());
    if (value !== 'true' && value !== 'false')
      throw new FlagError(`feature gate ${JSON.stringify(pair)}: write ${name}=true or ${name}=false`);
    set.set(name, value === 'true');
  }
  return (name) => set.get(name) ?? defaults[name] ?? false;
}
