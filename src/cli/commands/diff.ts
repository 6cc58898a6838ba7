/** `diff`: what an apply would change, as the server sees it. */
import { type ApiObject } from '../../schema/index.ts';
import { command, type Call } from '../command/command.ts';
import { allOf } from '../command/each.ts';
import { CommandError, complaint, describeFailure } from '../command/errors.ts';
import { text, toggle } from '../command/flags.ts';
import { unifiedDiff } from '../output/diff.ts';
import { printYaml } from '../output/yaml.ts';
import { applyServerSide, applyThreeWay, liveObject } from '../server/apply.ts';
import { chosenBy, fileFlags, readManifests, type Manifest } from '../server/manifests.ts';

const flags = {
  ...fileFlags,
  'field-manager': text(),
  selector: text({ short: 'l' }),
  'force-conflicts': toggle(),
  'server-side': toggle(),
};

export const diff = command({
  name: 'diff',
  flags,
  run: async (call) => {
    // As the program `diff`, 1 says that there is a difference.
    if (await failingWith(2, () => printDifferences(call))) throw new CommandError('', 1);
  },
});

async function failingWith<T>(exitCode: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new CommandError(describeFailure(error), exitCode);
  }
}

/** Whether there is a difference. */
async function printDifferences(call: Call<typeof flags>): Promise<boolean> {
  const now = call.session.clock.now();
  let differs = false;
  for (const manifest of allOf(chosenBy(call.flags.selector, await readManifests(call, true)))) {
    if (!manifest.object.metadata.name) throw complaint('resource name may not be empty');
    const live = await liveObject(call.client, manifest);
    const sides = { before: asYaml(live), after: asYaml(await merged(call, manifest)) };
    const difference = unifiedDiff(fileName(manifest), sides, now);
    differs ||= difference !== '';
    call.session.out(difference);
  }
  return differs;
}

const asYaml = (object: ApiObject | undefined): string => (object ? printYaml(object) : '');

const fileName = ({ resource: { group, version, kind }, namespace, object }: Manifest): string =>
  [...(group === '' ? [] : [group]), version, kind, namespace, object.metadata.name ?? ''].join('.');

/** The object as an apply would leave it. */
async function merged({ client, session, flags: given }: Call<typeof flags>, manifest: Manifest): Promise<ApiObject> {
  const manager = given['field-manager'];
  if (given['server-side']) {
    const options = { fieldManager: manager || session.program, force: given['force-conflicts'] };
    return applyServerSide(client, manifest, { ...options, dryRun: true });
  }
  const fieldManager = manager || `${session.program}-client-side-apply`;
  const options = { dryRun: 'server', fieldManager, force: false, onFirst: () => undefined, note: false } as const;
  return (await applyThreeWay(client, manifest, options)).object;
}
