import { groupVersionOf, qualifiedName, served } from '../server/served.ts';
import { command } from '../command/command.ts';
import { CommandError, complaint, misused } from '../command/errors.ts';
import { text, texts, toggle } from '../command/flags.ts';
import { Columns } from '../output/columns.ts';

export const apiResources = command({
  name: 'api-resources',
  flags: {
    'api-group': text(),
    cached: toggle(),
    namespaced: toggle({ initial: true }),
    'no-headers': toggle(),
    output: text({ short: 'o' }),
    'sort-by': text(),
    verbs: texts({ separator: ',' }),
  },
  run: async ({ flags, given, args, session, client, path }) => {
    refuseWords(args, path);
    if (!['', 'wide', 'name'].includes(flags.output))
      throw new CommandError(`error: --output ${flags.output} is not available`);
    if (!['', 'name', 'kind'].includes(flags['sort-by'])) throw complaint('--sort-by accepts only name or kind');
    const { preferred } = await served(session, client, true);
    const shown = preferred.filter(
      (each) =>
        (!given.has('api-group') || each.group === flags['api-group']) &&
        (!given.has('namespaced') || each.namespaced === flags.namespaced) &&
        flags.verbs.every((verb) => each.verbs.includes(verb)) &&
        each.verbs.length > 0,
    );
    const keyOf = { name: (r: (typeof shown)[number]) => r.resource, kind: (r: (typeof shown)[number]) => r.kind };
    const key = flags['sort-by'] === 'kind' ? keyOf.kind : keyOf.name;
    const bySection = flags['sort-by'] === '' ? (r: (typeof shown)[number]) => r.group : () => '';
    const ordered = [...shown].sort((a, b) => compare(bySection(a), bySection(b)) || compare(key(a), key(b)));
    if (flags.output === 'name') return session.out(ordered.map((each) => `${qualifiedName(each)}\n`).join(''));
    const wide = flags.output === 'wide';
    const head = ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND', ...(wide ? ['VERBS'] : [])];
    const rows = ordered.map((each) => [
      ...[each.resource, each.shortNames.join(','), groupVersionOf(each), String(each.namespaced), each.kind],
      ...(wide ? [`[${[...each.verbs].join(' ')}]`] : []),
    ]);
    session.out(new Columns().lines(flags['no-headers'] ? rows : [head, ...rows]));
  },
});

function refuseWords(args: readonly string[], path: string): void {
  if (args.length > 0) throw misused(`unexpected arguments: [${args.join(' ')}]`, path);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const apiVersions = command({
  name: 'api-versions',
  flags: {},
  run: async ({ args, path, session, client }) => {
    refuseWords(args, path);
    const { resources } = await served(session, client, true);
    const versions = [...new Set(resources.map(groupVersionOf))].sort(compare);
    session.out(versions.map((version) => `${version}\n`).join(''));
  },
});
