/** What client and server are, and where they are. */
import { pathOf, services, type Service } from '../../client/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { command, group, type Call } from '../command/command.ts';
import { complaint } from '../command/errors.ts';
import { text, toggle } from '../command/flags.ts';
import { clusterInfoDump } from './clusterInfoDump.ts';
import { Columns } from '../output/columns.ts';
import { formatOf } from '../output/format.ts';
import { checkResultFormat, outputFlag } from '../output/result.ts';
import { printYaml } from '../output/yaml.ts';

interface Version {
  readonly gitVersion: string;
}

/** As Go prints a struct: `version.Info{Major:"1", Minor:"20"}`. */
function goStruct(info: object): string {
  const fields = Object.entries(info).map(
    ([name, value]) => `${name.charAt(0).toUpperCase()}${name.slice(1)}:${JSON.stringify(value)}`,
  );
  return `version.Info{${fields.join(', ')}}`;
}

export const version = command({
  name: 'version',
  summary: 'Print the client and server version information',
  flags: {
    client: toggle('If true, shows client version only (no server required).'),
    output: text("One of 'yaml' or 'json'.", { short: 'o' }),
    short: toggle('If true, print just the version number.'),
  },
  run: async ({ flags: given, session, client }) => {
    if (!['', 'yaml', 'json'].includes(given.output)) throw complaint(`--output must be 'yaml' or 'json'`);
    // The client is a part of the same program, so it has the server's version.
    const info = (await client.json('/version')) as Version;
    const both = { clientVersion: info, ...(given.client ? {} : { serverVersion: info }) };
    if (given.output === 'yaml') return session.out(printYaml(both));
    if (given.output === 'json') return session.out(JSON.stringify(both, null, 2) + '\n');
    const shown = (of: Version): string => (given.short ? of.gitVersion : goStruct(of));
    session.out(`Client Version: ${shown(info)}\n`);
    if (!given.client) session.out(`Server Version: ${shown(info)}\n`);
  },
});

const green = (words: string): string => `\x1b[0;32m${words}\x1b[0m`;
const yellow = (words: string): string => `\x1b[0;33m${words}\x1b[0m`;

export const clusterInfo = command({
  name: 'cluster-info',
  summary: 'Display cluster info',
  flags: {},
  subcommands: [clusterInfoDump],
  run: async ({ session, client }) => {
    const { names } = client;
    const path = pathOf(services, names, names.systemNamespace);
    const labelSelector = names.fill('{label}/cluster-service=true');
    const { items } = (await client.json(path, { query: { labelSelector } })) as {
      readonly items?: readonly Service[] | null;
    };
    const base = contextOf({ session }).server;
    session.out(`${green(`${names.Product} control plane`)} is running at ${yellow(base)}\n`);
    for (const { metadata } of items ?? []) {
      const name = metadata.labels?.[names.fill('{label}/name')] ?? metadata.name ?? '';
      session.out(`${green(name)} is running at ${yellow(`${base}${path}/${metadata.name}/proxy`)}\n`);
    }
    session.out(`\nTo further debug and diagnose cluster problems, use '${session.program} cluster-info dump'.\n`);
  },
});

/** The one context that there is: this cluster, as who is shown. */
const contextOf = ({
  session,
}: Pick<Call, 'session'>): {
  readonly name: string;
  readonly cluster: string;
  readonly user: string;
  readonly server: string;
} => session.context ?? { name: 'here', cluster: 'here', user: 'you', server: '/' };

const currentContext = command({
  name: 'current-context',
  summary: 'Displays the current-context',
  flags: {},
  run: async (call) => call.session.out(`${contextOf(call).name}\n`),
});

const getContexts = command({
  name: 'get-contexts',
  summary: 'Describe one or many contexts',
  flags: {
    'no-headers': toggle("When using the default or custom-column output format, don't print headers."),
    output: text('Output format. One of: name', { short: 'o' }),
  },
  run: async (call) => {
    const { flags: given, session, args } = call;
    const { name, cluster, user } = contextOf(call);
    if (!['', 'name'].includes(given.output))
      throw complaint(`--output ${given.output} is not available in ${call.path}; resetting to default output format`);
    const unknown = args.find((each) => each !== name);
    if (given.output === 'name') return session.out(`${name}\n`);
    const head = ['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE'];
    const row = ['*', name, cluster, user, session.namespace];
    const rows = args.length > 0 && !args.includes(name) ? [] : [row];
    session.out(new Columns().lines(given['no-headers'] ? rows : [head, ...rows]));
    if (unknown !== undefined) throw complaint(`context ${unknown} not found`);
  },
});

const useContext = command({
  name: 'use-context',
  aliases: ['use'],
  summary: 'Sets the current-context in a kubeconfig file',
  usage: 'CONTEXT_NAME',
  flags: {},
  run: async (call) => {
    const [wanted, ...more] = call.args;
    if (wanted === undefined || more.length > 0) throw complaint('Unexpected args: [' + call.args.join(' ') + ']');
    if (wanted !== contextOf(call).name) throw complaint(`no context exists with the name: ${JSON.stringify(wanted)}`);
    call.session.out(`Switched to context ${JSON.stringify(wanted)}.\n`);
  },
});

const setContext = command({
  name: 'set-context',
  summary: 'Sets a context entry in kubeconfig',
  usage: '[NAME | --current] [--namespace=namespace]',
  flags: { current: toggle('Modify the current context') },
  run: async (call) => {
    const { args, flags: given, session } = call;
    const { name } = contextOf(call);
    if (args.length > 1) throw complaint('Unexpected args: [' + args.join(' ') + ']');
    if (args.length === 1 && given.current) throw complaint('cannot specify both a context name and --current');
    if (args.length === 0 && !given.current) throw complaint('you must specify a non-empty context name or --current');
    if (args[0] !== undefined && args[0] !== name)
      throw complaint(`there is one context here, ${JSON.stringify(name)}: a page has one cluster at a time`);
    if (given.namespace !== '') session.namespace = given.namespace;
    session.out(`Context ${JSON.stringify(name)} modified.\n`);
  },
});

const getClusters = command({
  name: 'get-clusters',
  summary: 'Display clusters defined in the kubeconfig',
  flags: {},
  run: async (call) => call.session.out(`NAME\n${contextOf(call).cluster}\n`),
});

const getUsers = command({
  name: 'get-users',
  summary: 'Display users defined in the kubeconfig',
  flags: {},
  run: async (call) => call.session.out(`NAME\n${contextOf(call).user}\n`),
});

const view = command({
  name: 'view',
  summary: 'Display merged kubeconfig settings or a specified kubeconfig file',
  flags: {
    minify: toggle('Remove all information not used by current-context from the output'),
    output: text(outputFlag.help, { short: 'o', initial: 'yaml' }),
    raw: toggle('Display raw byte data (there is none here)'),
  },
  run: async (call) => {
    const { name, cluster, user, server } = contextOf(call);
    const { namespace } = call.session;
    const shown = {
      apiVersion: 'v1',
      clusters: [{ cluster: { server }, name: cluster }],
      contexts: [{ context: { cluster, namespace, user }, name }],
      'current-context': name,
      kind: 'Config',
      preferences: {},
      users: [{ name: user, user: {} }],
    };
    const { files } = call.session;
    checkResultFormat(call.flags.output);
    const format = await formatOf(call.flags.output, files, { headers: true, nameOf: () => 'config' });
    call.session.out(format?.([shown as Partial<ApiObject> as ApiObject], true) ?? printYaml(shown));
  },
});

export const config = group({
  name: 'config',
  aliases: [],
  summary: 'Modify kubeconfig files',
  subcommands: [currentContext, getClusters, getContexts, getUsers, setContext, useContext, view],
});
