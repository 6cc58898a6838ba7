/** The plugins of a server block, in the execution order of the reference's server. */
import type { DnsRecord, NameQuestion, Network } from '../../network/index.ts';
import type { Directive, ServerBlock } from './corefile.ts';

/** What plugins need of their container. */
export interface Surroundings {
  readonly network: Network;
  /** The text of a file; empty if it is missing. */
  readonly read: (path: string) => string;
}

/** Answers a question; undefined where the plugin leaves it to the next one. */
type Plugin = (question: NameQuestion) => readonly DnsRecord[] | undefined;

const TTL = 3600;
const MOST_ALIASES = 8;

/** Whether a name is in a zone; the empty text is the root. */
export const isIn = (name: string, zone: string): boolean => zone === '' || name === zone || name.endsWith(`.${zone}`);

/** The block that answers for a name: the one with the longest zone. */
export function blockFor(name: string, blocks: readonly ServerBlock[]): ServerBlock | undefined {
  const lengthOf = ({ zones }: ServerBlock): number =>
    Math.max(...zones.map((zone) => (isIn(name, zone) ? zone.length : -1)));
  return blocks.filter((block) => lengthOf(block) >= 0).sort((a, b) => lengthOf(b) - lengthOf(a))[0];
}

/** What a block answers. Names that none of its plugins knows don't exist. */
export function answerOf(block: ServerBlock, question: NameQuestion, around: Surroundings): readonly DnsRecord[] {
  const asked = rewritten(block, { ...question, name: question.name.toLowerCase() });
  for (const [name, make] of Object.entries(plugins))
    for (const directive of block.plugins.filter((each) => each.name === name)) {
      const records = make(directive, block, around)(asked);
      if (records) return asked.name === question.name ? records : renamed(records, asked.name, question.name);
    }
  return [];
}

/** In the order of the reference's server, whatever the order in the file is. */
const plugins: Readonly<Record<string, (directive: Directive, block: ServerBlock, around: Surroundings) => Plugin>> = {
  hosts,
  kubernetes,
  forward,
};

/** `rewrite name [exact] FROM TO`; other forms have no effect. */
function rewritten({ plugins: all }: ServerBlock, question: NameQuestion): NameQuestion {
  for (const { name, args } of all) {
    const [field, ...rest] = args.filter((word) => word !== 'exact');
    const [from, to] = rest.map((word) => word.toLowerCase().replace(/\.$/, ''));
    if (name === 'rewrite' && field === 'name' && from === question.name && to !== undefined && rest.length === 2)
      return { ...question, name: to };
  }
  return question;
}

const renamed = (records: readonly DnsRecord[], from: string, to: string): DnsRecord[] =>
  records.map((record) => (record.name === `${from}.` ? { ...record, name: `${to}.` } : record));

/** The cluster's own names. */
function kubernetes({ args, block: lines }: Directive, { zones }: ServerBlock, { network }: Surroundings): Plugin {
  const own = args.length > 0 ? args.map((zone) => zone.toLowerCase().replace(/\.$/, '')) : zones;
  const rest = lines.find(({ name }) => name === 'fallthrough');
  return ({ name }) => {
    if (!own.some((zone) => isIn(name, zone))) return undefined;
    const records = network.clusterRecords(name);
    if (records.length > 0) return records;
    const passesOn = rest && (rest.args.length === 0 || rest.args.some((zone) => isIn(name, zone.replace(/\.$/, ''))));
    return passesOn ? undefined : [];
  };
}

/** Lines as those of /etc/hosts, in a file or in the Corefile. */
function hosts({ args, block }: Directive, _: ServerBlock, { read }: Surroundings): Plugin {
  const inline = block.filter(({ name }) => /^[\d.]+$|:/.test(name)).map(({ name, args: names }) => [name, ...names]);
  const listed = args[0] !== undefined || inline.length === 0 ? read(args[0] ?? '/etc/hosts').split('\n') : [];
  const lines = [...inline, ...listed.map((line) => line.replace(/#.*/, '').trim().split(/\s+/))];
  return ({ name }) => {
    const found = lines.filter(([, ...names]) => names.some((each) => each.toLowerCase() === name));
    const records = found.map(([address = '']): DnsRecord => ({
      ...{ type: address.includes(':') ? 'AAAA' : 'A', name: `${name}.`, ttl: TTL, address },
    }));
    // The reference's server has no answer if the name is not listed and nothing falls through; here the next plugin is
    // used.
    return records.length > 0 ? records : undefined;
  };
}

/** Passes questions on to other name servers; the first that answers counts. */
function forward({ args, block }: Directive, _: ServerBlock, { network, read }: Surroundings): Plugin {
  const [zone = '.', ...targets] = args;
  const except = block.filter(({ name }) => name === 'except').flatMap(({ args: zones }) => zones);
  const own = zone.replace(/\.$/, '').toLowerCase();
  return (question) => {
    if (!isIn(question.name, own) || except.some((each) => isIn(question.name, each.replace(/\.$/, ''))))
      return undefined;
    for (const server of targets.flatMap((target) => serversIn(target, read))) {
      const records = network.askServer(server, question);
      if (records) return withAliases(records, server, question, network);
    }
    return [];
  };
}

/** `/etc/resolv.conf` stands for the servers that it names. */
function serversIn(target: string, read: Surroundings['read']): string[] {
  if (!target.startsWith('/')) return [target.replace(/^dns:\/\//, '').replace(/^([\d.]+):\d+$/, '$1')];
  return [...read(target).matchAll(/^nameserver\s+(\S+)/gm)].map(([, server = '']) => server);
}

/** An alias without its address is followed at the same server. */
function withAliases(
  records: readonly DnsRecord[],
  server: string,
  question: NameQuestion,
  network: Network,
): readonly DnsRecord[] {
  const all = [...records];
  for (let followed = 0; followed < MOST_ALIASES; followed++) {
    const last = all.at(-1);
    if (last?.type !== 'CNAME') break;
    const more = network.askServer(server, { ...question, name: last.target.replace(/\.$/, '') }) ?? [];
    if (more.length === 0) break;
    all.push(...more);
  }
  return all;
}
