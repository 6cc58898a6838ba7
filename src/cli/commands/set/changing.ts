/** What the commands under `set` have in common: objects are selected, changed, and sent. */
import { StatusError, type ApiObject } from '../../../schema/index.ts';
import type { Call } from '../../command/command.ts';
import { dryRunFlag, dryRunNote, dryRunOf } from '../../command/dryRun.ts';
import { forEach } from '../../command/each.ts';
import { complaint } from '../../command/errors.ts';
import { text } from '../../command/flags.ts';
import { recorded, type recordFlags } from '../../command/record.ts';
import { resultFlags, typedPrinter } from '../../output/result.ts';
import { changeObject } from '../../server/change.ts';
import { fileFlags } from '../../server/manifests.ts';
import { podSpecOf, type PodSpec } from '../../server/podSpecs.ts';
import { localFlag, selectionFlags, type Found } from '../../server/selected.ts';
import { typedObjects } from '../../server/typed.ts';

export const setFlags = {
  ...fileFlags,
  all: selectionFlags.all,
  'dry-run': dryRunFlag,
  'field-manager': text(),
  local: localFlag,
  ...resultFlags,
};

/** Of the commands that find objects by their labels, too. */
export const selectingFlags = { ...setFlags, selector: selectionFlags.selector };

export type SetCall = Call<Omit<typeof setFlags, 'kustomize'> & Partial<typeof recordFlags>>;

interface Setting {
  /** What is said of a changed object: `image updated`. */
  readonly did: string;
  /** The object with the change made. Throws if it cannot be made; `tell` says what of it could not. */
  readonly next: (found: Found, tell: (problem: Error) => void) => ApiObject;
  /** Comes before the server's reason when a change is refused. */
  readonly failure?: string;
  /** Whether unchanged objects are printed too. */
  readonly tellsUnchanged?: boolean;
}

/** The pod spec of an object. Throws for kinds without pods. */
export function specIn(
  { flags: { local } }: { readonly flags: { readonly local: boolean } },
  { resource, name, object }: Found,
): PodSpec {
  const spec = podSpecOf(object);
  if (spec) return spec;
  // Without the server the reference's client does not know what the resource of a kind is called.
  const called = local ? resource.kind.toLowerCase() : resource.resource;
  throw complaint(
    `${called}/${name} the object is not a pod or does not have a pod template: *${resource.version}.${resource.kind}`,
  );
}

/** Changes each object; prints the object, or a line that says what was done. */
export async function setEach(
  call: SetCall,
  found: readonly (Found | Error)[],
  { did, next, failure, tellsUnchanged = false }: Setting,
): Promise<void> {
  const dryRun = dryRunOf(call.flags['dry-run']);
  const printer = await typedPrinter(call.session, call.flags);
  const options = {
    dryRun: call.flags.local ? ('client' as const) : dryRun,
    fieldManager: call.flags['field-manager'] || `${call.session.program}-set`,
  };
  const known = call.flags.local ? await typedObjects(call.client.names, found) : found;
  await forEach(known, async (each) => {
    const { resource, object } = each;
    const problems: Error[] = [];
    const wanted = next(each, (problem) => problems.push(problem));
    const changed = changeObject(call.client, { resource, object, next: recorded(call, wanted) }, options);
    const after = await changed.catch((error: unknown) => {
      throw failure !== undefined && error instanceof StatusError
        ? complaint(`${failure} ${error.status.message ?? ''}`)
        : error;
    });
    if (after || tellsUnchanged) printer.print({ resource, object: after ?? object }, did + dryRunNote(dryRun));
    const [problem] = problems;
    if (problem) throw problem;
  });
}
