import { pathOf, readWatch, type DiscoveredResource } from '../../client/index.ts';
import { StatusError, type ApiObject } from '../../schema/index.ts';
import { isObject } from '../../std/index.ts';
import { command, type Call } from '../command/command.ts';
import { CommandError, complaint } from '../command/errors.ts';
import { duration, text, toggle } from '../command/flags.ts';
import { resultFlags, resultPrinter } from '../output/result.ts';
import { fileFlags, filesOf, fileTargets, namesFiles } from '../server/manifests.ts';
import { fetchObjects } from '../server/tables.ts';
import { readTargets, type Target } from '../server/targets.ts';

const flags = {
  filename: fileFlags.filename,
  recursive: toggle({ short: 'R', initial: true }),
  local: toggle(),
  all: toggle(),
  'all-namespaces': toggle({ short: 'A' }),
  'field-selector': text(),
  for: text(),
  ...resultFlags,
  selector: text({ short: 'l' }),
  timeout: duration({ initial: 30_000 }),
};

type WaitCall = Call<typeof flags>;

/** One object that is waited for. */
interface Subject {
  readonly resource: DiscoveredResource;
  readonly object: ApiObject;
}

/** Whether an object, undefined once it is gone, is as it should be. */
type Holds = (object: ApiObject | undefined) => boolean;

const WEEK = 7 * 24 * 3_600_000;

export const wait = command({
  name: 'wait',
  flags,
  run: async (call) => {
    if (call.flags.local && !namesFiles(call.flags)) throw complaint(NOTHING_LOCAL);
    const holds = conditionOf(call.flags.for);
    const printer = await resultPrinter(call.session, call.flags);
    const { subjects, problems } = await subjectsOf(call);
    if (subjects.length === 0 && problems.length === 0) throw complaint('no matching resources found');
    const limit = call.flags.timeout < 0 ? WEEK : call.flags.timeout;
    for (const subject of subjects) printer.print(await until(call, subject, holds, limit), 'condition met');
    if (problems.length > 0) throw new AggregateError(problems);
  },
});

const NOTHING_LOCAL = `you must specify resources by --filename when --local is set.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'`;

function conditionOf(wanted: string): Holds {
  const lower = wanted.toLowerCase();
  if (lower === 'delete') return (object) => object === undefined;
  if (!lower.startsWith('condition=')) throw complaint(`unrecognized condition: ${JSON.stringify(wanted)}`);
  const [type = '', status = 'true'] = lower.slice('condition='.length).split('=');
  return (object) =>
    conditionsOf(object).some(
      (each) => String(each.type).toLowerCase() === type && String(each.status).toLowerCase() === status,
    );
}

function conditionsOf(object: ApiObject | undefined): readonly Record<string, unknown>[] {
  const status: unknown = isObject(object) ? object.status : undefined;
  const conditions: unknown = isObject(status) ? status.conditions : undefined;
  return Array.isArray(conditions) ? conditions.filter(isObject) : [];
}

interface Subjects {
  readonly subjects: readonly Subject[];
  /** What could not be had. */
  readonly problems: readonly unknown[];
}

async function subjectsOf(call: WaitCall): Promise<Subjects> {
  const { flags: given } = call;
  const subjects: Subject[] = [];
  const problems: unknown[] = [];
  const selectors = { labelSelector: given.selector, fieldSelector: given['field-selector'] };
  for (const target of await targetsOf(call)) {
    try {
      const objects = await fetchObjects(call.client, target, selectors);
      subjects.push(...objects.map((object) => ({ resource: target.resource, object })));
    } catch (error) {
      // Already gone: there is nothing to wait for.
      const gone = given.for === 'delete' && error instanceof StatusError && error.status.code === 404;
      if (!gone) problems.push(error);
    }
  }
  return { subjects, problems };
}

async function targetsOf(call: WaitCall): Promise<readonly Target[]> {
  const { flags: given, args } = call;
  if (namesFiles(given)) return fileTargets(filesOf(call));
  if (args.length === 0) throw complaint('at least one resource must be specified to use a selector');
  const selects = given.all || given.selector !== '' || given['field-selector'] !== '';
  const { list } = await readTargets(call, args, { selects, allNamespaces: given['all-namespaces'] });
  if (!selects && list.some(({ name }) => name === undefined))
    throw complaint('resource(s) were provided, but no name, label selector, or --all flag specified');
  return list;
}

/** Watches the object until the condition holds, and returns it. Throws CommandError when the time limit is over. */
async function until({ client, session }: WaitCall, subject: Subject, holds: Holds, limit: number): Promise<Subject> {
  const { resource, object } = subject;
  const { namespace, name = '' } = object.metadata;
  const path = pathOf(resource, client.names, namespace);
  const query = { fieldSelector: `metadata.name=${name}` };
  const over = new AbortController();
  const late = new CommandError(`error: timed out waiting for the condition on ${resource.resource}/${name}`);
  const timer = session.clock.setTimeout(() => over.abort(), limit);
  const signal = AbortSignal.any([over.signal, session.signal]);
  try {
    const list = (await client.json(path, { query })) as {
      items?: ApiObject[] | null;
      metadata: { resourceVersion?: string };
    };
    const [now] = list.items ?? [];
    const replaced = now !== undefined && now.metadata.uid !== object.metadata.uid;
    if (holds(replaced ? undefined : now)) return { resource, object: now ?? object };
    if (limit === 0) throw late;
    const { resourceVersion } = list.metadata;
    const answer = await client.raw(path, { query: { ...query, watch: true, resourceVersion }, signal });
    for await (const events of readWatch(answer))
      for (const { type, object: changed } of events)
        if (type !== 'BOOKMARK' && holds(type === 'DELETED' ? undefined : changed))
          return { resource, object: changed };
  } catch (error) {
    if (over.signal.aborted) throw late;
    throw error;
  } finally {
    session.clock.clearTimeout(timer);
    over.abort();
  }
  throw late;
}
