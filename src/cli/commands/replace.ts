/** `replace`: objects as files say them, in place of what is there. */
import { StatusError, type ApiObject } from '../../schema/index.ts';
import { command, type Call } from '../command/command.ts';
import { dryRunNote, dryRunOf, type DryRun } from '../command/dryRun.ts';
import { allOf, forEach } from '../command/each.ts';
import { complaint } from '../command/errors.ts';
import { deletionFlags, policyOf } from '../command/cascade.ts';
import { within } from '../command/within.ts';
import { kindName, resultPrinter } from '../output/result.ts';
import { untilGone } from '../server/gone.ts';
import { withLastApplied, lastAppliedText } from '../../merge/index.ts';
import { atSource, fileFlags, readManifests, someManifests, type Manifest } from '../server/manifests.ts';
import { rawFlag, sendRaw } from '../server/raw.ts';
import { createFlags } from './create.ts';

const flags = {
  ...fileFlags,
  ...createFlags,
  ...deletionFlags,
  raw: rawFlag,
};

type ReplaceCall = Call<typeof flags>;

export const replace = command({
  name: 'replace',
  flags,
  run: async (call) => {
    if (call.given.has('raw')) return sendRaw(call, 'PUT');
    if (call.flags['grace-period'] >= 0 && !call.flags.force)
      throw complaint('--grace-period must have --force specified');
    if (call.flags.timeout !== 0 && !call.flags.force) throw complaint('--timeout must have --force specified');
    const dryRun = dryRunOf(call.flags['dry-run']);
    const printer = await resultPrinter(call.session, call.flags);
    const manifests = someManifests(await readManifests(call, call.flags.validate), 'replace');
    if (call.flags.force) await removeAll(call, allOf(manifests));
    await forEach(manifests, async (manifest) => {
      const object = await put(call, manifest, dryRun);
      printer.print({ resource: manifest.resource, object }, `replaced${dryRunNote(dryRun)}`);
    });
  },
});

async function put(
  call: ReplaceCall,
  { resource, namespace, object: plain, source }: Manifest,
  dryRun: DryRun,
): Promise<ApiObject> {
  const { client, session, flags: given } = call;
  const noted = given['save-config'] || lastAppliedText(plain, client.names) !== undefined;
  const object = noted ? withLastApplied(plain, client.names) : plain;
  if (dryRun === 'client') return object;
  const fieldManager = given['field-manager'] || `${session.program}-replace`;
  const options = { fieldManager, dryRun: dryRun === 'server' };
  const objects = client.of(resource);
  try {
    return given.force
      ? await objects.create(object, { ...options, namespace })
      : await objects.update(object, options);
  } catch (error) {
    throw atSource(error, given.force ? 'creating' : 'replacing', source);
  }
}

/** Deletes what the manifests name, and waits until it is gone. */
async function removeAll(
  { client, session, flags: given }: ReplaceCall,
  manifests: readonly Manifest[],
): Promise<void> {
  const grace = given['grace-period'];
  const propagationPolicy = policyOf(given.cascade, session);
  const period = grace < 0 ? {} : { gracePeriodSeconds: Math.max(grace, 1) };
  for (const { resource, namespace, object } of manifests) {
    const name = object.metadata.name ?? '';
    try {
      await client.of(resource).delete(object, { ...period, propagationPolicy });
    } catch (error) {
      if (error instanceof StatusError && error.status.code === 404) continue;
      throw error;
    }
    session.out(`${kindName(resource)} ${JSON.stringify(name)} deleted\n`);
    const gone = { resource, namespace, name, uid: '' };
    await within({ session }, given.timeout, 'timed out waiting for the condition', (signal) =>
      untilGone(client, gone, signal),
    );
  }
}
