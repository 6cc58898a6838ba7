/** `edit`: the person changes an object's text, and what changed is sent. */
import { StatusError, type ApiObject } from '../../schema/index.ts';
import { command, type Call } from '../command/command.ts';
import { dryRunNote, dryRunOf } from '../command/dryRun.ts';
import { forEach } from '../command/each.ts';
import { complaint, describeError } from '../command/errors.ts';
import { recorded, recordFlags } from '../command/record.ts';
import { resultPrinter } from '../output/result.ts';
import { printYaml } from '../output/yaml.ts';
import { changeObject } from '../server/change.ts';
import { editedObject } from '../server/edited.ts';
import { selectedObjects, selectionFlags, type Found } from '../server/selected.ts';
import { createFlags } from './create.ts';

const flags = { ...selectionFlags, ...createFlags, ...recordFlags };

type EditCall = Call<typeof flags>;

const NOTE = `# Please edit the object below. Lines beginning with a '#' will be ignored,
# and an empty file will abort the edit. If an error occurs while saving this file will be
# reopened with the relevant failures.
#
`;

export const edit = command({
  name: 'edit',
  summary: 'Edit a resource on the server',
  usage: '(RESOURCE/NAME | -f FILENAME)',
  flags,
  run: async (call) => {
    const printer = await resultPrinter(call.session, call.flags.output);
    await forEach(await selectedObjects(call, call.args), async (found) => {
      const after = await editOne(call, found);
      if (!after) return call.session.err('Edit cancelled, no changes made.\n');
      printer.print(
        { resource: found.resource, object: after },
        `edited${dryRunNote(dryRunOf(call.flags['dry-run']))}`,
      );
    });
  },
});

/** Lets the person try again as long as the server refuses; undefined where they change nothing. */
async function editOne(call: EditCall, { resource, name, object }: Found): Promise<ApiObject | undefined> {
  const { client, session, flags: given } = call;
  if (!session.edit) throw complaint('there is no editor here');
  const shown = withoutOwners(object);
  const options = {
    dryRun: dryRunOf(given['dry-run']),
    fieldManager: given['field-manager'] || `${session.program}-edit`,
  };
  let offered = NOTE + printYaml(shown);
  for (;;) {
    const typed = await session.edit(`${resource.resource}/${name}`, offered);
    if (typed === undefined || typed === offered || withoutComments(typed).trim() === '') return undefined;
    try {
      const next = recorded(call, await editedObject(typed));
      return await changeObject(client, { resource, object: shown, next }, options);
    } catch (error) {
      if (!(error instanceof StatusError) && !(error instanceof SyntaxError)) throw error;
      offered = `${commented(describeError(error))}#\n${withoutComments(typed)}`;
    }
  }
}

/** Managed fields are not for people to edit. */
function withoutOwners({ metadata: { managedFields: _, ...metadata }, ...rest }: ApiObject): ApiObject {
  return { ...rest, metadata };
}

const withoutComments = (typed: string): string => typed.replace(/^#.*\n?/gm, '');

const commented = (message: string): string => message.replace(/^/gm, '# ') + '\n';
