/** What client and server are, and where they are. */
import { pathOf, services, type Service } from '../../client/index.ts';
import { command } from '../command/command.ts';
import { complaint } from '../command/errors.ts';
import { text, toggle } from '../command/flags.ts';
import { clusterInfoDump } from './clusterInfoDump.ts';
import { ownOf } from '../kubeconfig/kubeconfig.ts';
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
  flags: {
    client: toggle(),
    output: text({ short: 'o' }),
    short: toggle(),
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
  flags: {},
  subcommands: [clusterInfoDump],
  run: async ({ session, client }) => {
    const { names } = client;
    const path = pathOf(services, names, names.systemNamespace);
    const labelSelector = names.fill('{label}/cluster-service=true');
    const { items } = (await client.json(path, { query: { labelSelector } })) as {
      readonly items?: readonly Service[] | null;
    };
    const base = ownOf(session).server;
    session.out(`${green(`${names.Product} control plane`)} is running at ${yellow(base)}\n`);
    for (const { metadata } of items ?? []) {
      const name = metadata.labels?.[names.fill('{label}/name')] ?? metadata.name ?? '';
      session.out(`${green(name)} is running at ${yellow(`${base}${path}/${metadata.name}/proxy`)}\n`);
    }
    session.out(`\nTo further debug and diagnose cluster problems, use '${session.program} cluster-info dump'.\n`);
  },
});
