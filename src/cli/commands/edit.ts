/** `edit`: the person changes an object's text, and what changed is sent. */
import type { ApiObject } from '../../schema/index.ts';
import { command, type Call } from '../command/command.ts';
import { dryRunNote, dryRunOf } from '../command/dryRun.ts';
import { forEach } from '../command/each.ts';
import { recorded, recordFlags } from '../command/record.ts';
import { resultPrinter } from '../output/result.ts';
import { changeObject } from '../server/change.ts';
import { edited } from '../server/edited.ts';
import { selectedObjects, selectionFlags, type Found } from '../server/selected.ts';
import { createFlags } from './create.ts';

const flags = { ...selectionFlags, ...createFlags, ...recordFlags };

type EditCall = Call<typeof flags>;

export const edit = command({
  name: 'edit',
  summary: 'Edit a resource on the server',
  usage: '(RESOURCE/NAME | -f FILENAME)',
  flags,
  run: async (call) => {
    const printer = await resultPrinter(call.session, call.flags.output);
    await forEach(await selectedObjects(call, call.args), async (found) => {
      const after = await editOne(call, found);
      if (after)
        printer.print(
          { resource: found.resource, object: after },
          `edited${dryRunNote(dryRunOf(call.flags['dry-run']))}`,
        );
    });
  },
});

/** Undefined where nothing changed. */
function editOne(call: EditCall, { resource, name, object }: Found): Promise<ApiObject | undefined> {
  const { client, session, flags: given } = call;
  const shown = withoutOwners(object);
  const options = {
    dryRun: dryRunOf(given['dry-run']),
    fieldManager: given['field-manager'] || `${session.program}-edit`,
  };
  return edited(session, `${resource.resource}/${name}`, shown, (next) =>
    changeObject(client, { resource, object: shown, next: recorded(call, next) }, options),
  );
}

/** Managed fields are not for people to edit. */
function withoutOwners({ metadata: { managedFields: _, ...metadata }, ...rest }: ApiObject): ApiObject {
  return { ...rest, metadata };
}
