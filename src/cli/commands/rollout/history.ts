/** `rollout history` and `rollout undo`. */
import type { Client } from '../../../client/index.ts';
import { withoutHash, type ApiObject, type objects } from '../../../schema/index.ts';
import { deepEqual, isObject } from '../../../std/index.ts';
import { command, type Call } from '../../command/command.ts';
import { dryRunFlag, dryRunNote, dryRunOf, type DryRun } from '../../command/dryRun.ts';
import { forEach } from '../../command/each.ts';
import { complaint } from '../../command/errors.ts';
import { integer } from '../../command/flags.ts';
import { podTemplate } from '../../describe/pods.ts';
import { Columns } from '../../output/columns.ts';
import { resultFlags, resultPrinter } from '../../output/result.ts';
import { fileFlags } from '../../server/manifests.ts';
import type { Found } from '../../server/selected.ts';
import { namedWorkloads, type Workload } from './named.ts';
import { revisionsOf, type Revision } from './revisions.ts';

const WORKLOADS: readonly string[] = ['Deployment', 'DaemonSet', 'StatefulSet'];

export const history = command({
  name: 'history',
  flags: {
    ...fileFlags,
    ...resultFlags,
    revision: integer(),
  },
  run: async (call) => {
    const { revision } = call.flags;
    if (revision < 0) throw complaint(`revision must be a positive integer: ${revision}`);
    const printer = await resultPrinter(call.session, call.flags);
    await forEach(await namedWorkloads(call), async (found) => {
      const { resource, object } = found;
      if (!WORKLOADS.includes(resource.kind))
        throw complaint(
          resource.group === ''
            ? `error retrieving history for ${JSON.stringify(resource.kind)}, no visitor method exists for { ${resource.kind}}`
            : `no history viewer has been implemented for ${JSON.stringify(`${resource.kind}.${resource.group}`)}`,
        );
      const revisions = await revisionsOf(call, found);
      if (revision > 0) {
        const wanted = revisions.find(({ number }) => number === revision);
        if (!wanted) throw complaint('unable to find the specified revision');
        printer.print(
          { resource, object },
          `with revision #${revision}\n${templateText(withCause(wanted, call.client))}`,
        );
      } else printer.print({ resource, object }, `\n${historyText(revisions)}`);
    });
  },
});

function historyText(revisions: readonly Revision[]): string {
  if (revisions.length === 0) return 'No rollout history found.';
  const rows = revisions.map(({ number, cause }) => [String(number), cause || '<none>']);
  return new Columns(2, 0).lines([['REVISION', 'CHANGE-CAUSE'], ...rows]);
}

/** As `describe` has it, but with its cells not lined up. */
const templateText = (template: unknown): string =>
  podTemplate(template as objects.PodTemplateSpec | undefined)
    .map((line) => `${line.replace(/^ +\t/, '\t')}\n`)
    .join('');

/** The template of a revision says why the revision came about. */
function withCause({ template, cause }: Revision, { names }: Client): unknown {
  if (cause === '' || !isObject(template)) return template;
  const metadata = isObject(template['metadata']) ? template['metadata'] : {};
  const annotations = isObject(metadata['annotations']) ? metadata['annotations'] : {};
  const key = names.fill('{label}/change-cause');
  return { ...template, metadata: { ...metadata, annotations: { ...annotations, [key]: cause } } };
}

const undoFlags = {
  ...fileFlags,
  'dry-run': dryRunFlag,
  ...resultFlags,
  'to-revision': integer(),
};

export const undo = command({
  name: 'undo',
  flags: undoFlags,
  run: async (call) => {
    const dryRun = dryRunOf(call.flags['dry-run']);
    const printer = await resultPrinter(call.session, call.flags);
    await forEach(await namedWorkloads(call), async (found) => {
      const { resource, object } = found;
      if (!WORKLOADS.includes(resource.kind))
        throw complaint(
          `error retrieving rollbacker for ${JSON.stringify(resource.kind)}, no visitor method exists for { ${resource.kind}}`,
        );
      printer.print({ resource, object }, `${await undoOne(call, found, dryRun)}${dryRunNote(dryRun)}`);
    });
  },
});

/** What was done, in words. */
async function undoOne(call: Call<typeof undoFlags>, found: Found, dryRun: DryRun): Promise<string> {
  const wanted = chosen(found, await revisionsOf(call, found), call.flags['to-revision']);
  const { spec } = found.object as Workload;
  if (spec?.paused)
    throw complaint(
      `you cannot rollback a paused deployment; resume it first with '${call.session.program} rollout resume deployment/${found.name}' and try again`,
    );
  const template = withoutHash(wanted.template as objects.PodTemplateSpec);
  if (deepEqual(spec?.template && withoutHash(spec.template), template))
    return `skipped rollback (current template already matches revision ${wanted.number})`;
  const operations = [
    { op: 'replace', path: '/spec/template', value: template },
    ...(found.resource.kind === 'Deployment'
      ? [{ op: 'add', path: '/metadata/annotations', value: annotationsFor(found.object, wanted) }]
      : []),
  ];
  if (dryRun === 'client')
    return `${found.resource.kind === 'Deployment' ? '' : 'will roll back to '}${templateText(wanted.template)}`;
  const options = { dryRun: dryRun === 'server' };
  await call.client.of<ApiObject>(found.resource).patch(found.object, 'json', operations, options);
  return 'rolled back';
}

/** What the deployment keeps about itself, and what the revision says of everything else. */
function annotationsFor({ metadata }: ApiObject, { annotations }: Revision): Readonly<Record<string, string>> {
  const isOwn = ([key]: readonly [string, string]): boolean =>
    /^(deprecated\.)?deployment\.|\/last-applied-configuration$/.test(key);
  return Object.fromEntries([
    ...Object.entries(metadata.annotations ?? {}).filter(isOwn),
    ...Object.entries(annotations).filter((entry) => !isOwn(entry)),
  ]);
}

/** The requested revision; if none was requested, the one before the last. */
function chosen({ resource, name }: Found, revisions: readonly Revision[], wanted: number): Revision {
  if (wanted < 0) throw complaint(`unable to find specified revision ${wanted} in history`);
  const found = wanted === 0 ? revisions.at(-2) : revisions.find(({ number }) => number === wanted);
  if (found) return found;
  if (wanted === 0 && resource.kind !== 'Deployment') throw complaint('no last revision to roll back to');
  throw complaint(
    wanted === 0
      ? `no rollout history found for ${resource.kind.toLowerCase()} ${JSON.stringify(name)}`
      : `unable to find specified revision ${wanted} in history`,
  );
}
