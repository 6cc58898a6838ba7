/** The cluster's name server: answers by its Corefile, serves health checks, and counts queries. */
import { encodeText } from '../../../std/index.ts';
import { serveHttp, type DnsRecord, type NameQuestion } from '../../network/index.ts';
import type { Process, Program } from '../../process.ts';
import { out, readOptions } from '../../tools/tool.ts';
import { CorefileError, parseCorefile, type ServerBlock } from './corefile.ts';
import { answerOf, blockFor, type Surroundings } from './zones.ts';

const VERSION = '1.7.0';
const DEFAULT_FILE = 'Corefile';
/** Milliseconds between two looks at the Corefile of a server that reloads it. */
const RELOAD_AFTER = 30_000;
/** What answering takes, in steps of work: a twentieth of a millisecond of a core. */
const STEPS_OF_QUESTION = 1;

const BUILT_IN = `.:53 {\n    whoami\n}\n`;

export const coredns: Program = async (process) => {
  const options = readOptions(
    process.args.slice(1).map((word) => word.replace(/^-(?=\w{2,})/, '--')),
    '',
    '',
    ['conf=', 'dns.port='],
  );
  const path = options.value('conf') ?? DEFAULT_FILE;
  try {
    const server = new NameServer(process, path);
    await server.start();
    return await process.stay();
  } catch (problem) {
    if (!(problem instanceof CorefileError)) throw problem;
    await out(process, `${problem.message}\n`);
    return 1;
  }
};

class NameServer {
  readonly #process: Process;
  readonly #path: string;
  readonly #around: Surroundings;
  #text: string;
  #blocks: readonly ServerBlock[];
  #lookedAt: number;
  #questions = 0;

  constructor(process: Process, path: string) {
    this.#process = process;
    this.#path = path;
    const read = (file: string): string => (process.files.tryFind(file) ? process.files.text(file) : '');
    this.#around = { network: process.system.network, read };
    this.#text = this.#read();
    this.#blocks = parseCorefile(this.#text, path);
    this.#lookedAt = process.system.clock.now();
  }

  async start(): Promise<void> {
    const { network } = this.#process.system;
    const ports = [...new Set(this.#blocks.map(({ port }) => port))];
    const open = ports.flatMap((port) => [
      network.serveNames(port, (question) => this.#answer(question, port)),
      network.listen(port, ({ stream }) => stream.release()),
    ]);
    this.#process.killed.addEventListener('abort', () => open.forEach((each) => each.close()), { once: true });
    this.#serve('health', 8080, '/health', () => 'OK');
    this.#serve('ready', 8181, '/ready', () => 'OK');
    this.#serve('prometheus', 9153, '/metrics', () => this.#metrics());
    const listens = this.#blocks.flatMap(({ zones, port }) => zones.map((zone) => `${zone}.:${port}\n`));
    await out(this.#process, `${listens.join('')}CoreDNS-${VERSION}\nlinux/amd64 (simulated)\n`);
  }

  /** A plugin that serves HTTP if a block contains it, optionally with its address. */
  #serve(plugin: string, usual: number, path: string, body: () => string): void {
    const found = this.#blocks.flatMap(({ plugins }) => plugins).find(({ name }) => name === plugin);
    if (!found) return;
    const port = Number(/:(\d+)$/.exec(found.args[0] ?? '')?.[1] ?? usual);
    serveHttp(this.#process, port, ({ target }) =>
      target === path ? { body: body() } : { status: 404, body: '404 page not found\n' },
    );
  }

  #answer(question: NameQuestion, port: number): readonly DnsRecord[] {
    this.#reload();
    this.#questions += 1;
    this.#process.system.count(STEPS_OF_QUESTION);
    const block = blockFor(
      question.name.toLowerCase(),
      this.#blocks.filter((each) => each.port === port),
    );
    const records = block ? answerOf(block, question, this.#around) : [];
    if (block?.plugins.some(({ name }) => name === 'log')) this.#log(question, records);
    return records;
  }

  /** With the plugin `reload` a changed Corefile counts after a while; one that can't be read is said and passed over. */
  #reload(): void {
    const now = this.#process.system.clock.now();
    const reloads = this.#blocks.some(({ plugins }) => plugins.some(({ name }) => name === 'reload'));
    if (!reloads || now - this.#lookedAt < RELOAD_AFTER) return;
    this.#lookedAt = now;
    const text = this.#read();
    if (text === this.#text) return;
    this.#text = text;
    try {
      this.#blocks = parseCorefile(text, this.#path);
      this.#write('[INFO] Reloading complete\n');
    } catch (problem) {
      if (!(problem instanceof CorefileError)) throw problem;
      this.#write(`[ERROR] Restart failed: ${problem.message}\n`);
    }
  }

  #log({ name, type, from }: NameQuestion, records: readonly DnsRecord[]): void {
    const code = records.length > 0 ? 'NOERROR' : 'NXDOMAIN';
    this.#write(`[INFO] ${from} - "${type} IN ${name}. udp" ${code} ${records.length}\n`);
  }

  /** Output during a query does not delay the answer. */
  #write(text: string): void {
    void this.#process.stdout.write(encodeText(text)).catch(() => undefined);
  }

  #metrics(): string {
    const help =
      '# HELP coredns_dns_requests_total Counter of DNS requests made.\n# TYPE coredns_dns_requests_total counter\n';
    return `${help}coredns_dns_requests_total ${this.#questions}\n`;
  }

  #read(): string {
    const { files } = this.#process;
    return files.tryFind(this.#path) ? files.text(this.#path) : BUILT_IN;
  }
}
