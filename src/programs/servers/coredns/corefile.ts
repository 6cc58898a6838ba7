/** Reads a Corefile: which names a server answers, and by which plugins. */

/** A line of a block: its words and its nested lines. */
export interface Directive {
  readonly name: string;
  readonly args: readonly string[];
  readonly block: readonly Directive[];
  readonly line: number;
}

/** What a server answers for: zones without a final dot (the root is the empty text), at a port. */
export interface ServerBlock {
  readonly zones: readonly string[];
  readonly port: number;
  readonly plugins: readonly Directive[];
}

/** An invalid Corefile, with the server's message. */
export class CorefileError extends Error {
  override name = 'CorefileError';
}

/** Plugins that the reference's server knows. Those that aren't simulated have no effect here. */
const PLUGINS = new Set(
  (
    'acl any auto autopath bind bufsize cache cancel chaos clouddns debug dns64 dnssec dnstap erratic errors etcd file ' +
    'forward grpc health hosts kubernetes loadbalance log loop metadata nsid pprof prometheus ready reload rewrite root ' +
    'route53 secondary sign template tls trace transfer whoami k8s_external'
  ).split(' '),
);

const DEFAULT_PORT = 53;

interface Token {
  readonly text: string;
  readonly line: number;
}

/** Reads a Corefile. Throws CorefileError. */
export function parseCorefile(text: string, path: string): ServerBlock[] {
  const blocks = directivesOf(text, path).map(({ name, args, block }) => serverBlock([name, ...args], block));
  for (const { plugins } of blocks)
    for (const { name, line } of plugins)
      if (!PLUGINS.has(name))
        throw new CorefileError(`${path}:${line} - Error during parsing: Unknown directive '${name}'`);
  return blocks;
}

function serverBlock(addresses: readonly string[], plugins: readonly Directive[]): ServerBlock {
  const parsed = addresses.map((address) => /^(?:dns:\/\/)?([^:]*)(?::(\d+))?$/.exec(address.replace(/,$/, '')));
  const zones = parsed.map((match) => (match?.[1] ?? '').toLowerCase().replace(/\.$/, ''));
  return { zones, port: Number(parsed[0]?.[2] ?? DEFAULT_PORT), plugins };
}

function directivesOf(text: string, path: string): Directive[] {
  const lines = text.split('\n').map((line, i) => tokensOf(line, i + 1));
  const open: { head: readonly Token[]; directives: Directive[] }[] = [{ head: [], directives: [] }];
  for (const tokens of lines.filter(({ length }) => length > 0)) {
    const last = tokens.at(-1)?.text;
    if (last === '{') open.push({ head: tokens.slice(0, -1), directives: [] });
    else if (last === '}' && tokens.length === 1) close(open, tokens[0], path);
    else open.at(-1)?.directives.push(directive(tokens, []));
  }
  if (open.length > 1) throw new CorefileError(`${path}:${lines.length} - Error during parsing: Unexpected EOF`);
  return open[0]?.directives ?? [];
}

function close(open: { head: readonly Token[]; directives: Directive[] }[], at: Token | undefined, path: string): void {
  const ended = open.pop();
  const parent = open.at(-1);
  if (!ended || !parent)
    throw new CorefileError(
      `${path}:${at?.line ?? 0} - Error during parsing: Unexpected '}', expecting a server block`,
    );
  parent.directives.push(directive(ended.head, ended.directives));
}

const directive = (tokens: readonly Token[], block: readonly Directive[]): Directive => ({
  name: tokens[0]?.text ?? '',
  args: tokens.slice(1).map(({ text }) => text),
  block,
  line: tokens[0]?.line ?? 0,
});

const tokensOf = (line: string, number: number): Token[] =>
  [...line.replace(/(^|\s)#.*/, '').matchAll(/"([^"]*)"|\S+/g)].map(([all, quoted]) => ({
    text: quoted ?? all,
    line: number,
  }));
