import type { ApiObject } from '../../schema/index.ts';
import { command, type Call } from '../command/command.ts';
import { amongOthers, complaint } from '../command/errors.ts';
import { text, toggle } from '../command/flags.ts';
import { describeObject } from '../describe/index.ts';
import { choosing, fileFlags, namedInFiles, namesFiles, type Named } from '../server/manifests.ts';
import { fetchObjects } from '../server/tables.ts';
import { readTargets, type Target } from '../server/targets.ts';

const flags = {
  ...fileFlags,
  'all-namespaces': toggle({ short: 'A' }),
  selector: text({ short: 'l' }),
  'show-events': toggle({ initial: true }),
};

type DescribeCall = Call<typeof flags>;

interface Found {
  readonly target: Target;
  readonly object: ApiObject;
}

export const describe = command({
  name: 'describe',
  flags,
  run: async (call) => {
    const { args, session, namespace } = call;
    if (args.length === 0 && !namesFiles(call.flags))
      throw complaint(
        `You must specify the type of resource to describe. Use "${session.program} api-resources" for a complete list of supported resources.`,
      );
    const { 'all-namespaces': allNamespaces, selector } = call.flags;
    const { targets, problems: unread }: Named = namesFiles(call.flags)
      ? await namedInFiles(call)
      : {
          targets: (await readTargets(call, args, { allNamespaces, selects: selector !== '' })).list,
          problems: [],
        };
    const found = await findAll(call, targets);
    const problems: unknown[] = [...found.problems, ...unread.map(amongOthers)];
    let shown = 0;
    for (const each of found.objects) {
      const description = await describeFound(call, each).catch((error: unknown) => void problems.push(error));
      if (description === undefined) continue;
      session.out(found.begun ? `${description}\n` : shown === 0 ? description : `\n\n${description}`);
      shown++;
    }
    if (problems.length > 0) throw new AggregateError(problems);
    if (found.objects.length === 0 && problems.length === 0)
      session.err(allNamespaces ? 'No resources found\n' : `No resources found in ${namespace} namespace.\n`);
  },
});

interface FoundAll {
  readonly objects: readonly Found[];
  /** Found by a prefix of their names. */
  readonly begun: boolean;
  /** What could not be had. */
  readonly problems: readonly unknown[];
}

/** Everything that was asked for. As in the reference, of two words one that is missing keeps the other from being shown. */
async function findAll(call: DescribeCall, targets: readonly Target[]): Promise<FoundAll> {
  const objects: Found[] = [];
  const problems: unknown[] = [];
  for (const target of targets) {
    try {
      objects.push(...(await find(call, target)));
    } catch (error) {
      problems.push(error);
    }
  }
  const [target] = targets;
  if (problems.length === 0 || call.args.length !== 2) return { objects, begun: false, problems };
  const byName = target?.name !== undefined && !call.args[0]?.includes('/');
  const begun = byName ? await beginningWith(call, target, target.name) : [];
  if (begun.length === 0) throw new AggregateError(problems);
  return { objects: begun, begun: true, problems: [] };
}

async function find({ client, flags: given }: DescribeCall, target: Target): Promise<readonly Found[]> {
  const selectors = { labelSelector: given.selector, fieldSelector: '' };
  const objects = await fetchObjects(client, target, selectors);
  // The server has chosen, but for objects that a file names.
  return objects.filter(choosing(namesFiles(given) ? given.selector : '')).map((object) => ({ target, object }));
}

/** If no object has the name, it is taken as a prefix of names. */
async function beginningWith(call: DescribeCall, target: Target, name: string): Promise<readonly Found[]> {
  const { resource, namespace } = target;
  const all = await find(call, { resource, namespace });
  return all.filter(({ object }) => object.metadata.name?.startsWith(name));
}

const describeFound = ({ client, flags: given, session }: DescribeCall, { target, object }: Found): Promise<string> =>
  describeObject(client, target.resource, object, { now: session.clock.now(), events: given['show-events'] });
