/** Commands that create an object from flags. */
import type { ApiObject } from '../../../schema/index.ts';
import { command, type Call, type Command } from '../../command/command.ts';
import { recorded, type recordFlags } from '../../command/record.ts';
import { dryRunNote, dryRunOf } from '../../command/dryRun.ts';
import { complaint, misused, requireFlags } from '../../command/errors.ts';
import type { Flags } from '../../command/flags.ts';
import { typedPrinter } from '../../output/result.ts';
import { mergePatch, withLastApplied } from '../../../merge/index.ts';
import { isObject } from '../../../std/index.ts';
import { findResource, groupVersionOf } from '../../server/served.ts';
import { createFlags } from '../create.ts';

/** An object before it is sent: what is not named here is the kind's own. */
export type Made = Readonly<Record<string, unknown>> & {
  readonly metadata?: Readonly<Record<string, unknown>>;
};

interface Declaration<F extends Flags> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly flags: F;
  /** Flags that have to be given. */
  readonly required?: readonly string[];
  /** The resource that is made, by its name. */
  readonly makes: string;
  /** Put before the server's error: `failed to create deployment`. */
  readonly failure?: string;
  /** The fields of the object besides what every object has. Throws CommandError. */
  readonly make: (call: Call<F>, name: string) => Made | Promise<Made>;
}

/** Declares a command under `create`. */
export function generator<F extends Flags>({
  flags,
  required = [],
  makes,
  failure,
  make,
  ...rest
}: Declaration<F>): Command {
  return command({
    ...{ ...rest, flags: { ...flags, ...createFlags } },
    run: async (call) => {
      requireFlags(call.given, ...required);
      const name = onlyName(call);
      const made = await make(call as Call<F>, name);
      await createMade(call, {
        makes,
        made: { ...made, metadata: { name, ...made.metadata } },
        did: 'created',
        failure,
      });
    },
  });
}

/** The words before `--` have to be one name. */
export function onlyName({ args, argsBeforeDash, path }: Call): string {
  const names = argsBeforeDash < 0 ? args : args.slice(0, argsBeforeDash);
  const [name] = names;
  if (name === undefined || names.length > 1) throw misused(`exactly one NAME is required, got ${names.length}`, path);
  return name;
}

/** The words behind `--`. */
export const afterDash = ({ args, argsBeforeDash }: Call): readonly string[] =>
  argsBeforeDash < 0 ? [] : args.slice(argsBeforeDash);

interface Creation {
  readonly makes: string;
  readonly made: Made;
  /** Undefined where nothing is printed. */
  readonly did: string | undefined;
  readonly failure?: string | undefined;
}

/** Creates the object, or with a dry run only shows it, and says so. */
export async function createMade(
  call: Call<Omit<typeof createFlags, 'validate'> & Partial<typeof recordFlags>>,
  { makes, made, did, failure }: Creation,
): Promise<ApiObject> {
  const { client, session, flags, given } = call;
  const dryRun = dryRunOf(flags['dry-run']);
  const printer = await typedPrinter(session, flags);
  const resource = await findResource(session, client, client.names.fill(makes));
  const own = resource.namespaced && given.has('namespace') ? { namespace: call.namespace } : {};
  const metadata = { creationTimestamp: null, ...made.metadata, ...own };
  const plain = recorded(call, { apiVersion: groupVersionOf(resource), kind: resource.kind, ...made, metadata });
  const object = flags['save-config'] ? withLastApplied(plain, client.names) : plain;
  const fieldManager = flags['field-manager'] || `${session.program}-${call.path.split(' ')[1] ?? 'create'}`;
  const options = { namespace: resource.namespaced ? call.namespace : '', fieldManager, dryRun: dryRun === 'server' };
  try {
    const created = dryRun === 'client' ? object : await client.of(resource).create(object, options);
    if (did !== undefined) printer.print({ resource, object: created }, `${did}${dryRunNote(dryRun)}`);
    return created;
  } catch (error) {
    if (failure === undefined) throw error;
    throw complaint(`${failure}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What is made with the fields of some JSON in place of its own. Throws CommandError. */
export function overridden(made: Made, overrides: string): Made {
  if (overrides === '') return made;
  try {
    const merged = mergePatch(made, JSON.parse(overrides));
    if (isObject(merged)) return merged;
  } catch {
    // Invalid JSON gets the same error as JSON that is not an object.
  }
  throw complaint('Invalid JSON Patch');
}
