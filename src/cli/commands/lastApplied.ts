/** `apply view-last-applied`, `apply set-last-applied`: the note of the last apply itself. */
import { command } from '../command/command.ts';
import { dryRunFlag, dryRunNote, dryRunOf } from '../command/dryRun.ts';
import { forEach } from '../command/each.ts';
import { complaint } from '../command/errors.ts';
import { text, toggle } from '../command/flags.ts';
import { recordFlags } from '../command/record.ts';
import { resultFlags, resultPrinter } from '../output/result.ts';
import { printYaml } from '../output/yaml.ts';
import { lastAppliedKey, lastAppliedText, withLastApplied } from '../../merge/index.ts';
import { fileFlags, filesOf, readManifests, someManifests } from '../server/manifests.ts';
import { NOTHING_NAMED, selectedObjects, selectedOrAll, selectionFlags } from '../server/selected.ts';
import { editedObject } from '../server/edited.ts';

export const viewLastApplied = command({
  name: 'view-last-applied',
  flags: {
    ...fileFlags,
    all: selectionFlags.all,
    selector: selectionFlags.selector,
    output: text({ short: 'o', initial: 'yaml' }),
  },
  run: async (call) => {
    const { output } = call.flags;
    await forEach(await selectedObjects(call, call.args), async ({ object }) => {
      const note = lastAppliedText(object, call.client.names);
      if (note === undefined) return;
      if (output !== 'yaml' && output !== 'json')
        throw complaint(`Unexpected -o output mode: ${output}, the flag 'output' must be one of yaml|json`);
      const value: unknown = JSON.parse(note);
      call.session.out(output === 'yaml' ? printYaml(value) : `${JSON.stringify(value, null, 2)}\n`);
    });
  },
});

export const setLastApplied = command({
  name: 'set-last-applied',
  flags: {
    filename: fileFlags.filename,
    'create-annotation': toggle(),
    'dry-run': dryRunFlag,
    ...resultFlags,
  },
  run: async (call) => {
    const dryRun = dryRunOf(call.flags['dry-run']);
    if (call.flags.filename.length === 0) throw complaint(NOTHING_NAMED);
    const printer = await resultPrinter(call.session, call.flags);
    const manifests = await readManifests(filesOf(call), false);
    await forEach(someManifests(manifests, 'set-last-applied'), async ({ resource, namespace, object }) => {
      const name = object.metadata.name ?? '';
      const live = await call.client.of(resource).get(name, namespace);
      const before = lastAppliedText(live, call.client.names);
      if (before === undefined && !call.flags['create-annotation'])
        throw complaint(
          `no last-applied-configuration annotation found on resource: ${name}, to create the annotation, run the command with --create-annotation`,
        );
      const note = lastAppliedText(withLastApplied(object, call.client.names), call.client.names);
      if (note === before) return printer.print({ resource, object: live }, 'unchanged');
      const patch = { metadata: { annotations: { [lastAppliedKey(call.client.names)]: note } } };
      const after =
        dryRun === 'client'
          ? live
          : await call.client.of(resource).patch(live, 'merge', patch, { dryRun: dryRun === 'server' });
      printer.print({ resource, object: after }, `configured${dryRunNote(dryRun)}`);
    });
  },
});

export const editLastApplied = command({
  name: 'edit-last-applied',
  flags: { ...fileFlags, ...resultFlags, ...recordFlags, 'field-manager': text(), 'windows-line-endings': toggle() },
  run: async (call) => {
    const { client, session } = call;
    const printer = await resultPrinter(session, call.flags);
    const found = await selectedOrAll(call, call.args);
    if (found.every((each) => !(each instanceof Error) && lastAppliedText(each.object, client.names) === undefined))
      throw complaint(
        `no last-applied-configuration annotation found on resources, to create the annotation, use command \`${session.program} apply set-last-applied --create-annotation\``,
      );
    await forEach(found, async ({ resource, object, name }) => {
      const before = lastAppliedText(object, client.names);
      if (before === undefined) return;
      if (!session.edit) throw complaint('there is no editor here');
      const offered = printYaml(JSON.parse(before));
      const typed = await session.edit(`${resource.resource}/${name}`, offered);
      if (typed === undefined || typed === offered) return session.err('Edit cancelled, no changes made.\n');
      const next = await editedObject(typed);
      const note = lastAppliedText(withLastApplied(next, client.names), client.names);
      const patch = { metadata: { annotations: { [lastAppliedKey(client.names)]: note } } };
      printer.print({ resource, object: await client.of(resource).patch(object, 'merge', patch) }, 'edited');
    });
  },
});
