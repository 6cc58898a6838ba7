/** `scale`: through the resource's scale, whatever its kind. */
import type { ApiObject } from '../../schema/index.ts';
import { command, type Call } from '../command/command.ts';
import { dryRunFlag, dryRunOf } from '../command/dryRun.ts';
import { forEach } from '../command/each.ts';
import { complaint, requireFlags } from '../command/errors.ts';
import { duration, integer, text } from '../command/flags.ts';
import { within } from '../command/within.ts';
import { recordFlags, recordPatch } from '../command/record.ts';
import { resultFlags, resultPrinter } from '../output/result.ts';
import { becoming } from '../server/becoming.ts';
import { fileFlags, someManifests } from '../server/manifests.ts';
import { selectedObjects, selectionFlags, type Found } from '../server/selected.ts';

const flags = {
  ...fileFlags,
  all: selectionFlags.all,
  selector: selectionFlags.selector,
  ...recordFlags,
  'current-replicas': integer({ initial: -1 }),
  'dry-run': dryRunFlag,
  ...resultFlags,
  replicas: integer(),
  'resource-version': text(),
  timeout: duration(),
};

interface Scale extends ApiObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number };
}

export const scale = command({
  name: 'scale',
  flags,
  run: async (call) => {
    requireFlags(call.given, 'replicas');
    if (call.flags.replicas < 0)
      throw complaint('The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0');
    const printer = await resultPrinter(call.session, call.flags);
    const found = someManifests(await selectedObjects(call, call.args), 'scale');
    if (call.flags['resource-version'] !== '' && found.length > 1)
      throw complaint('cannot use --resource-version with multiple resources');
    await forEach(found, async (each) => {
      const scaled = await scaleOne(call, each);
      const note = recordPatch(call);
      if (note && scaled) await call.client.of(each.resource).patch(each.object, 'merge', note);
      if (scaled && call.flags.timeout > 0) await untilScaled(call, each);
      printer.print(each, 'scaled');
    });
  },
});

async function scaleOne(
  { client, flags: given }: Call<typeof flags>,
  { resource, namespace, name }: Found,
): Promise<boolean> {
  const objects = client.of<Scale>(resource);
  const scaled = await objects.get(name, namespace, 'scale');
  const { 'current-replicas': expected, 'resource-version': revision, replicas } = given;
  const current = scaled.spec?.replicas ?? 0;
  if (expected >= 0 && expected !== current) throw complaint(`Expected replicas to be ${expected}, was ${current}`);
  const { resourceVersion = '' } = scaled.metadata;
  if (revision !== '' && revision !== resourceVersion)
    throw complaint(`Expected resource version to be ${revision}, was ${resourceVersion}`);
  const dryRun = dryRunOf(given['dry-run']);
  if (dryRun === 'client') return false;
  const next = { ...scaled, spec: { ...scaled.spec, replicas } };
  await objects.update(next, { subresource: 'scale', dryRun: dryRun === 'server' });
  return dryRun === 'none';
}

/** Waits until there are as many replicas as there should be. */
async function untilScaled(call: Call<typeof flags>, { resource, namespace, name }: Found): Promise<void> {
  const { client, flags: given } = call;
  const hasAll = async (): Promise<boolean> => {
    const { spec, status } = await client.of<Scale>(resource).get(name, namespace, 'scale');
    return (spec?.replicas ?? 0) === given.replicas && (status?.replicas ?? 0) === given.replicas;
  };
  const late = `timed out waiting for ${JSON.stringify(name)} to be synced`;
  await within(call, given.timeout, late, async (signal) => {
    await becoming(client, { resource, namespace, name }, hasAll, signal);
  });
}
