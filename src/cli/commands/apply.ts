/** `apply`: makes the cluster say what files say. */
import { command, type Call } from '../command/command.ts';
import { deletionFlags, policyOf } from '../command/cascade.ts';
import { dryRunFlag, dryRunNote, dryRunOf, type DryRun } from '../command/dryRun.ts';
import { allOf, forEach } from '../command/each.ts';
import { complaint, misused } from '../command/errors.ts';
import { text, texts, toggle } from '../command/flags.ts';
import { recorded, recordFlags } from '../command/record.ts';
import { kindName, resultFlags, resultPrinter, type Result, type ResultPrinter } from '../output/result.ts';
import { applyServerSide, applyThreeWay, firstApplyWarning } from '../server/apply.ts';
import { chosenBy, fileFlags, namesFiles, readManifests, someManifests, type Manifest } from '../server/manifests.ts';
import { resourceOfKind } from '../server/served.ts';
import { superfluous, type PrunedKind } from '../server/prune.ts';
import { editLastApplied, setLastApplied, viewLastApplied } from './lastApplied.ts';

const flags = {
  ...fileFlags,
  ...recordFlags,
  all: toggle(),
  'dry-run': dryRunFlag,
  'field-manager': text(),
  ...deletionFlags,
  'force-conflicts': toggle(),
  ...resultFlags,
  'openapi-patch': toggle({ initial: true }),
  overwrite: toggle({ initial: true }),
  prune: toggle(),
  'prune-whitelist': texts(),
  selector: text({ short: 'l' }),
  'server-side': toggle(),
  validate: toggle({ initial: true }),
};

type ApplyCall = Call<typeof flags>;

export const apply = command({
  name: 'apply',
  flags,
  subcommands: [viewLastApplied, setLastApplied, editLastApplied],
  run: async (call) => {
    if (call.args.length > 0) throw misused(`Unexpected args: [${call.args.join(' ')}]`, call.path);
    const dryRun = dryRunOf(call.flags['dry-run']);
    checkFlags(call, dryRun);
    const printer = await resultPrinter(call.session, call.flags);
    const propagationPolicy = policyOf(call.flags.cascade, call.session);
    const kinds = call.flags.prune ? call.flags['prune-whitelist'].map(kindToPrune) : [];
    for (const kind of kinds) await checkServed(call, kind);
    const manifests = chosenBy(call.flags.selector, await readManifests(call, call.flags.validate));
    const results: Result[] = [];
    await forEach(someManifests(manifests, 'apply'), async (said) => {
      const manifest = { ...said, object: recorded(call, said.object) };
      const { object, did } = await applyOne(call, manifest, dryRun);
      results.push({ resource: manifest.resource, object });
      if (!printer.whole) printer.print({ resource: manifest.resource, object }, did + dryRunNote(dryRun));
    });
    printer.printAll(results);
    if (call.flags.prune)
      await prune(call, { manifests: allOf(manifests), kinds, results, dryRun, printer, propagationPolicy });
  },
});

function checkFlags({ flags: given }: ApplyCall, dryRun: DryRun): void {
  if (given.force && given['server-side']) throw complaint('--force cannot be used with --server-side');
  if (given['force-conflicts'] && !given['server-side'])
    throw complaint('--force-conflicts only works with --server-side');
  if (dryRun === 'client' && given['server-side'])
    throw complaint("--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)");
  if (given.force && dryRun === 'server') throw complaint('--dry-run=server cannot be used with --force');
  if (!namesFiles(given)) throw complaint('must specify one of -f and -k');
  if (given.all && given.selector !== '') throw complaint('cannot set --all and --selector at the same time');
  if (given.prune && !given.all && given.selector === '')
    throw complaint(
      'all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector',
    );
}

async function applyOne(
  call: ApplyCall,
  manifest: Manifest,
  dryRun: DryRun,
): Promise<Pick<Result, 'object'> & { did: string }> {
  const { client, session, flags: given } = call;
  const manager = given['field-manager'];
  if (given['server-side']) {
    const options = { dryRun: dryRun === 'server', fieldManager: manager || session.program };
    const object = await applyServerSide(client, manifest, { ...options, force: given['force-conflicts'] });
    return { object, did: 'serverside-applied' };
  }
  const fieldManager = manager || `${session.program}-client-side-apply`;
  const onFirst = (): void => session.err(firstApplyWarning(client, session.program, manifest));
  const { force, overwrite } = given;
  const conflict = { overwrite, onConflict: (warning: string): void => session.err(warning) };
  return applyThreeWay(client, manifest, { dryRun, fieldManager, force, ...conflict, onFirst, note: true });
}

/** `apps/v1/Deployment`; the group of `v1` is `core`. */
function kindToPrune(typed: string): PrunedKind {
  const [group = '', version = '', kind = '', ...more] = typed.split('/');
  if (kind === '' || more.length > 0)
    throw complaint(`invalid GroupVersionKind format: ${typed}, please follow <group/version/kind>`);
  return [group === 'core' ? version : `${group}/${version}`, kind];
}

interface Pruning {
  readonly kinds: readonly PrunedKind[];
  readonly manifests: readonly Manifest[];
  readonly results: readonly Result[];
  readonly dryRun: DryRun;
  readonly printer: ResultPrinter;
  readonly propagationPolicy: ReturnType<typeof policyOf>;
}

/** Throws where the server has no such kind. */
async function checkServed({ session, client }: ApplyCall, [apiVersion, kind]: PrunedKind): Promise<void> {
  if (!(await resourceOfKind(session, client, apiVersion, kind)))
    throw complaint(`no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`);
}

async function prune(
  call: ApplyCall,
  { manifests, kinds, results, dryRun, printer, propagationPolicy }: Pruning,
): Promise<void> {
  const namespaces = new Set(manifests.map(({ namespace }) => namespace).filter((each) => each !== ''));
  const grace = call.flags['grace-period'] < 0 ? {} : { gracePeriodSeconds: call.flags['grace-period'] };
  const kept = new Set(results.map(({ object }) => object.metadata.uid ?? ''));
  for (const result of await superfluous(call, { namespaces, kinds, labelSelector: call.flags.selector, kept })) {
    if (dryRun !== 'client') {
      const options = { ...grace, propagationPolicy, dryRun: dryRun === 'server' };
      await call.client.of(result.resource).delete(result.object, options);
    }
    if (printer.whole) call.session.out(`${kindName(result.resource)}/${result.object.metadata.name} pruned\n`);
    else printer.print(result, `pruned${dryRunNote(dryRun)}`);
  }
}
