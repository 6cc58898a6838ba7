/** `create -f` and `replace`: objects as files say them. */
import type { ApiObject } from '../../schema/index.ts';
import { command, type Call, type Command } from '../command/command.ts';
import { dryRunFlag, dryRunNote, dryRunOf } from '../command/dryRun.ts';
import { forEach } from '../command/each.ts';
import { CommandError, misused } from '../command/errors.ts';
import { text, toggle } from '../command/flags.ts';
import { recorded, recordFlags } from '../command/record.ts';
import { resultFlags, resultPrinter } from '../output/result.ts';
import { withLastApplied } from '../../merge/index.ts';
import { edited } from '../server/edited.ts';
import { atSource, chosenBy, fileFlags, readManifests, someManifests, type Manifest } from '../server/manifests.ts';
import { rawFlag, sendRaw } from '../server/raw.ts';

export const createFlags = {
  'dry-run': dryRunFlag,
  'field-manager': text(),
  ...resultFlags,
  validate: toggle({ initial: true }),
  'save-config': toggle(),
};

const flags = {
  ...fileFlags,
  ...createFlags,
  ...recordFlags,
  ...{ edit: toggle(), raw: rawFlag, selector: text({ short: 'l' }), 'windows-line-endings': toggle() },
};

type CreateCall = Call<typeof flags>;

/** `create`; `generators` are the kinds that it makes from flags. */
export const createWith = (generators: readonly Command[]): Command =>
  command({
    name: 'create',
    flags,
    subcommands: generators,
    run: async (call) => {
      if (call.given.has('raw')) return sendRaw(call, 'POST');
      await checkFiles(call);
      const dryRun = dryRunOf(call.flags['dry-run']);
      const printer = await resultPrinter(call.session, call.flags);
      const manifests = chosenBy(call.flags.selector, await readManifests(call, call.flags.validate));
      await forEach(someManifests(manifests, 'create'), async (manifest) => {
        const created = call.flags.edit ? await createEdited(call, manifest) : await createOne(call, manifest);
        if (created) printer.print({ resource: manifest.resource, object: created }, `created${dryRunNote(dryRun)}`);
      });
    },
  });

/** Throws where there is neither a file nor a kind to make. */
async function checkFiles({ args, given, path, session, help }: CreateCall): Promise<void> {
  const [unknown] = args;
  if (given.has('filename') || given.has('kustomize')) return;
  session.err('Error: must specify one of -f and -k\n\n');
  if (unknown === undefined) throw new CommandError((await help()).trimEnd());
  throw misused(`unknown command ${JSON.stringify(args.join(' '))}`, path);
}

async function createOne(call: CreateCall, { resource, namespace, object, source }: Manifest): Promise<ApiObject> {
  const { client, session, flags: given } = call;
  const dryRun = dryRunOf(given['dry-run']);
  const said = recorded(call, object);
  const whole = given['save-config'] ? withLastApplied(said, client.names) : said;
  const fieldManager = given['field-manager'] || `${session.program}-create`;
  if (dryRun === 'client') return whole;
  try {
    return await client.of(resource).create(whole, { namespace, fieldManager, dryRun: dryRun === 'server' });
  } catch (error) {
    throw atSource(error, 'creating', source);
  }
}

/** Creates what the person makes of a manifest; undefined where they leave it as it is. */
const createEdited = (call: CreateCall, manifest: Manifest): Promise<ApiObject | undefined> =>
  edited(call.session, manifest.source || manifest.resource.resource, manifest.object, (object) =>
    createOne(call, { ...manifest, object, source: '' }),
  );
