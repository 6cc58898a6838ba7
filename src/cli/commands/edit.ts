/** `edit`: the person changes an object's text, and what changed is sent. */
import type { ApiObject } from '../../schema/index.ts';
import { command, type Call } from '../command/command.ts';
import { forEach } from '../command/each.ts';
import { recorded, recordFlags } from '../command/record.ts';
import { toggle } from '../command/flags.ts';
import { resultPrinter } from '../output/result.ts';
import { changeObject } from '../server/change.ts';
import { fileFlags } from '../server/manifests.ts';
import { edited } from '../server/edited.ts';
import { selectedOrAll, type Found } from '../server/selected.ts';
import { createFlags } from './create.ts';

const { 'dry-run': _, ...editFlags } = createFlags;

const flags = {
  ...fileFlags,
  ...editFlags,
  ...recordFlags,
  'output-patch': toggle(),
  'windows-line-endings': toggle(),
};

type EditCall = Call<typeof flags>;

export const edit = command({
  name: 'edit',
  flags,
  run: async (call) => {
    const printer = await resultPrinter(call.session, call.flags);
    await forEach(await selectedOrAll(call, call.args), async (found) => {
      const after = await editOne(call, found);
      if (after) printer.print({ resource: found.resource, object: after }, 'edited');
    });
  },
});

/** Undefined where nothing changed. */
function editOne(call: EditCall, { resource, name, object }: Found): Promise<ApiObject | undefined> {
  const { client, session, flags: given } = call;
  const shown = withoutOwners(object);
  const options = {
    dryRun: 'none' as const,
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
