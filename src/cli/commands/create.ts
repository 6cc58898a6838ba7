/** `create -f` and `replace`: objects as files say them. */
import { command, type Command } from '../command/command.ts';
import { dryRunFlag, dryRunNote, dryRunOf } from '../command/dryRun.ts';
import { forEach } from '../command/each.ts';
import { text, toggle } from '../command/flags.ts';
import { recorded, recordFlags } from '../command/record.ts';
import { outputFlag, resultPrinter } from '../output/result.ts';
import { withLastApplied } from '../../merge/index.ts';
import { atSource, fileFlags, readManifests, someManifests } from '../server/manifests.ts';
import { rawFlag, sendRaw } from '../server/raw.ts';

export const createFlags = {
  'dry-run': dryRunFlag,
  'field-manager': text('Name of the manager used to track field ownership.'),
  output: outputFlag,
  validate: toggle('If true, use a schema to validate the input before sending it', { initial: true }),
  'save-config': toggle('If true, the configuration of current object will be saved in its annotation.'),
};

/** `create`; `generators` are the kinds that it makes from flags. */
export const createWith = (generators: readonly Command[]): Command =>
  command({
    name: 'create',
    summary: 'Create a resource from a file or from stdin.',
    usage: '-f FILENAME',
    flags: { ...fileFlags, ...createFlags, ...recordFlags, raw: rawFlag('POST to') },
    subcommands: generators,
    run: async (call) => {
      if (call.given.has('raw')) return sendRaw(call, 'POST');
      const { client, session } = call;
      const dryRun = dryRunOf(call.flags['dry-run']);
      const printer = await resultPrinter(session, call.flags.output);
      const fieldManager = call.flags['field-manager'] || `${session.program}-create`;
      const manifests = await readManifests(call, call.flags.validate);
      await forEach(someManifests(manifests, 'create'), async ({ resource, namespace, object: plain, source }) => {
        const said = recorded(call, plain);
        const object = call.flags['save-config'] ? withLastApplied(said, client.names) : said;
        try {
          const options = { namespace, fieldManager, dryRun: dryRun === 'server' };
          const created = dryRun === 'client' ? object : await client.of(resource).create(object, options);
          printer.print({ resource, object: created }, `created${dryRunNote(dryRun)}`);
        } catch (error) {
          throw atSource(error, 'creating', source);
        }
      });
    },
  });
