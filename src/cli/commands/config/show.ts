/** `config view` and the lists of contexts, clusters and users. */
import { command } from '../../command/command.ts';
import { complaint, misused } from '../../command/errors.ts';
import { text, toggle } from '../../command/flags.ts';
import {
  fileFrom,
  minified,
  shortened,
  textOf,
  written,
  type Entry,
  type Kubeconfig,
} from '../../kubeconfig/kubeconfig.ts';
import { Columns } from '../../output/columns.ts';
import { formatOf } from '../../output/format.ts';
import { checkResultFormat, resultFlags } from '../../output/result.ts';
import { printYaml } from '../../output/yaml.ts';
import type { ApiObject } from '../../../schema/index.ts';
import { configOf, contentEntry, merged, placeIn } from './place.ts';

export const currentContext = command({
  name: 'current-context',
  offline: true,
  flags: {},
  run: async (call) => {
    const { current } = await configOf(call);
    if (current === '') throw complaint('current-context is not set');
    call.session.out(`${current}\n`);
  },
});

export const getContexts = command({
  name: 'get-contexts',
  offline: true,
  flags: {
    'no-headers': toggle(),
    output: text({ short: 'o' }),
  },
  run: async (call) => {
    const { flags: given, session, args } = call;
    if (!FORMATS.includes(given.output)) throw complaint(`output must be one of '' or 'name': ${given.output}`);
    if (!['', 'name'].includes(given.output))
      throw complaint(`--output ${given.output} is not available in ${call.path}; resetting to default output format`);
    const { contexts, current } = await configOf(call);
    const unknown = args.filter((each) => !contexts.has(each));
    const shown = (args.length > 0 ? args.filter((each) => contexts.has(each)) : [...contexts.keys()]).sort();
    if (given.output === 'name') session.out(shown.map((name) => `${name}\n`).join(''));
    else {
      const head = ['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE'];
      const rows = shown.map((name) => {
        const context = contexts.get(name);
        const cells = ['cluster', 'user', 'namespace'].map((field) => textOf(context, field));
        return [name === current ? '*' : '', name, ...cells];
      });
      session.out(new Columns().lines(given['no-headers'] ? rows : [head, ...rows]));
    }
    if (unknown.length > 0) throw new AggregateError(unknown.map((name) => complaint(`context ${name} not found`)));
  },
});

const FORMATS: readonly string[] = [
  ...['', 'json', 'yaml', 'wide', 'name', 'custom-columns', 'custom-columns-file'],
  ...['go-template', 'go-template-file', 'jsonpath', 'jsonpath-file'],
];

const names = (listed: Iterable<string>): string => ['NAME', ...[...listed].sort()].map((name) => `${name}\n`).join('');

export const getClusters = command({
  name: 'get-clusters',
  offline: true,
  flags: {},
  run: async (call) => call.session.out(names((await configOf(call)).clusters.keys())),
});

export const getUsers = command({
  name: 'get-users',
  offline: true,
  flags: {},
  run: async (call) => call.session.out(names((await configOf(call)).users.keys())),
});

export const view = command({
  name: 'view',
  offline: true,
  flags: {
    flatten: toggle(),
    merge: toggle({ initial: true }),
    minify: toggle(),
    ...resultFlags,
    output: text({ short: 'o', initial: 'yaml' }),
    raw: toggle(),
  },
  run: async (call) => {
    const { flags: given, session, args } = call;
    if (args.length > 0) throw misused(`unexpected arguments: [${args.join(' ')}]`, call.path);
    const output = given.template === '' || call.given.has('output') ? given.output : 'go-template';
    checkResultFormat(output);
    if (!given.merge && !placeIn(call).explicit) throw complaint('if merge==false a precise file must to specified');
    const config = await configOf(call);
    const chosen = given.minify ? minified({ ...config, current: given.context || config.current }) : config;
    const whole = given.flatten
      ? await flattened(chosen, (field, path) => contentEntry(call, field, fileFrom(placeIn(call), path)))
      : chosen;
    const shown = written(given.raw || given.flatten ? whole : shortened(whole));
    if (output === 'json') return session.out(`${JSON.stringify(shown, null, 4)}\n`);
    const format = await formatOf(output, session.files, {
      ...{ headers: true, template: given.template, missing: given['allow-missing-template-keys'] },
      nameOf: () => 'config/<unknown>',
    });
    session.out(format?.([shown as Partial<ApiObject> as ApiObject], true) ?? printYaml(shown));
  },
});

type Read = (field: string, path: string) => Promise<Entry>;

/** The configuration with the content of each file that it names. */
async function flattened(config: Kubeconfig, read: Read): Promise<Kubeconfig> {
  const [clusters, users] = await Promise.all(
    [config.clusters, config.users].map(async (entries) => {
      const flat = [...entries].map(async ([name, entry]) => [name, await withContent(entry, read)] as const);
      return new Map(await Promise.all(flat));
    }),
  );
  return { ...config, clusters: clusters ?? config.clusters, users: users ?? config.users };
}

const NAMED_FILES = ['certificate-authority', 'client-certificate', 'client-key'];

async function withContent(entry: Entry, read: Read): Promise<Entry> {
  const named = NAMED_FILES.filter((field) => textOf(entry, field) !== '');
  const contents = await Promise.all(named.map((field) => read(field, textOf(entry, field))));
  return merged(entry, Object.assign({}, ...contents) as Entry, named);
}
