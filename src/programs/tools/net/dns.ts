import { SystemError } from '../../errors.ts';
import type { DnsRecord, RecordType } from '../../network/index.ts';
import type { Process, Program } from '../../process.ts';
import { fail, out, readOptions } from '../tool.ts';

const isAddress = (text: string): boolean => /^\d+\.\d+\.\d+\.\d+$/.test(text) || text.includes(':');
const reverseName = (address: string): string => `${address.split('.').reverse().join('.')}.in-addr.arpa.`;

/** The name server of the container. */
function nameServer({ files }: Process): string {
  const text = files.tryFind('/etc/resolv.conf') ? files.text('/etc/resolv.conf') : '';
  return /^nameserver\s+(\S+)/m.exec(text)?.[1] ?? '127.0.0.1';
}

/** The records of a name; undefined if it does not exist. `server` replaces the container's name server. */
async function records(
  process: Process,
  name: string,
  type: RecordType,
  server?: string,
): Promise<readonly DnsRecord[] | undefined | 'no answer'> {
  try {
    return await process.wait(process.system.network.lookup(name, type, server));
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    return problem.code === 'ETIMEDOUT' ? 'no answer' : undefined;
  }
}

/** The records that there are, whatever the reason is that there are none. */
async function foundRecords(process: Process, name: string, type: RecordType): Promise<readonly DnsRecord[]> {
  const found = await records(process, name, type);
  return found === 'no answer' ? [] : (found ?? []);
}

const NO_ANSWER = ';; connection timed out; no servers could be reached\n';

/** The address of a name server that a command names. */
async function addressOf(process: Process, server: string): Promise<string> {
  if (isAddress(server)) return server;
  const found = await foundRecords(process, server, 'A');
  return found.flatMap((record) => ('address' in record ? [record.address] : []))[0] ?? server;
}

/** The data of a record in dig's format. */
function dataOf(record: DnsRecord): string {
  if ('address' in record) return record.address;
  if (record.type === 'SRV') return `${record.priority} ${record.weight} ${record.port} ${dotted(record.target)}`;
  if (record.type === 'TXT') return JSON.stringify(record.text);
  return dotted(record.target);
}

const dotted = (name: string): string => (name.endsWith('.') ? name : `${name}.`);

export const nslookup: Program = async (process) => {
  const options = process.args.slice(1).filter((word) => word.startsWith('-'));
  const [name = '', other] = process.args.slice(1).filter((word) => !word.startsWith('-'));
  const type = (
    /^-(?:type|query|q|querytype)=(\w+)$/i.exec(options[0] ?? '')?.[1] ?? (isAddress(name) ? 'PTR' : 'A')
  ).toUpperCase() as RecordType;
  const asked = other === undefined ? undefined : await addressOf(process, other);
  const server = asked ?? nameServer(process);
  const found = await records(process, isAddress(name) ? reverseName(name) : name, type, asked);
  if (found === 'no answer') {
    await out(process, `${NO_ANSWER}\n`);
    return 1;
  }
  await out(process, `Server:\t\t${server}\nAddress:\t${server}#53\n\n`);
  if (!found) {
    await out(process, `** server can't find ${name}: NXDOMAIN\n\n`);
    return 1;
  }
  if (found.length === 0) await out(process, `*** Can't find ${name}: No answer\n`);
  for (const record of found) await out(process, lookupLines(record));
  await out(process, '\n');
  return 0;
};

function lookupLines(record: DnsRecord): string {
  const name = record.name.replace(/\.$/, '');
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return `Name:\t${name}\nAddress: ${record.address}\n`;
    case 'CNAME':
      return `${name}\tcanonical name = ${dotted(record.target)}\n`;
    case 'PTR':
      return `${name}\tname = ${dotted(record.target)}\n`;
    case 'SRV':
      return `${name}\tservice = ${dataOf(record)}\n`;
    case 'TXT':
      return `${name}\ttext = ${dataOf(record)}\n`;
  }
}

/** `dig @SERVER +short +search NAME TYPE`; names are absolute unless `+search` is given. */
export const dig: Program = async (process) => {
  const words = process.args.slice(1);
  const flags = new Set(words.filter((word) => word.startsWith('+')));
  const reverse = words[words.indexOf('-x') + 1];
  const plain = words.filter((word, i) => !/^[-+@]/.test(word) && !/^-[tpbx]$/.test(words[i - 1] ?? ''));
  const types = /^(A|AAAA|SRV|PTR|CNAME|TXT)$/i;
  const type = (
    words[words.indexOf('-t') + 1]?.match(types)?.[0] ??
    plain.find((word) => types.test(word)) ??
    (words.includes('-x') ? 'PTR' : 'A')
  ).toUpperCase() as RecordType;
  const name = words.includes('-x')
    ? reverseName(reverse ?? '')
    : (plain.find((word) => !types.test(word) && word !== 'IN') ?? '.');
  const asked = flags.has('+search') ? name : dotted(name);
  const at = words.find((word) => word.startsWith('@'))?.slice(1);
  const found = await records(process, asked, type, at === undefined ? undefined : await addressOf(process, at));
  if (found === 'no answer') {
    await out(process, NO_ANSWER);
    return 9;
  }
  if (flags.has('+short')) await out(process, (found ?? []).map((record) => `${dataOf(record)}\n`).join(''));
  else await out(process, digText(name, type, found, flags.has('+noall')));
  return 0;
};

function digText(
  name: string,
  type: RecordType,
  found: readonly DnsRecord[] | undefined,
  answersOnly: boolean,
): string {
  const answers = (found ?? [])
    .map((record) => `${dotted(record.name)}\t${record.ttl}\tIN\t${record.type}\t${dataOf(record)}\n`)
    .join('');
  if (answersOnly) return answers;
  const status = found ? 'NOERROR' : 'NXDOMAIN';
  const head = `;; ->>HEADER<<- opcode: QUERY, status: ${status}, id: 1\n;; flags: qr aa rd; QUERY: 1, ANSWER: ${found?.length ?? 0}, AUTHORITY: 0, ADDITIONAL: 0\n\n`;
  return `${head};; QUESTION SECTION:\n;${dotted(name)}\tIN\t${type}\n\n${answers === '' ? '' : `;; ANSWER SECTION:\n${answers}\n`}`;
}

/** `getent hosts NAME`, `getent passwd NAME`: the container's own files first. */
export const getent: Program = async (process) => {
  const { rest } = readOptions(process.args.slice(1), '', 's');
  const [database = '', ...keys] = rest;
  if (database === 'hosts' || database === 'ahosts' || database === 'ahostsv4') return hosts(process, keys);
  if (!/^(passwd|group|services)$/.test(database)) return fail(process, `Unknown database: ${database}`);
  const lines = process.files.tryFind(`/etc/${database}`) ? process.files.text(`/etc/${database}`).split('\n') : [];
  const found =
    keys.length === 0
      ? lines.filter(Boolean)
      : lines.filter((line) => keys.includes(line.split(':')[0] ?? '') || keys.includes(line.split(':')[2] ?? ''));
  await out(process, found.map((line) => `${line}\n`).join(''));
  return found.length > 0 ? 0 : 2;
};

async function hosts(process: Process, names: readonly string[]): Promise<number> {
  let code = 0;
  for (const name of names) {
    const own = hostsEntry(process, name);
    const found = own ? [] : await foundRecords(process, name, 'A');
    const lines =
      own ??
      found
        .flatMap((record) =>
          record.type === 'A' ? `${record.address.padEnd(15)} ${record.name.replace(/\.$/, '')}\n` : [],
        )
        .join('');
    if (lines === '') code = 2;
    await out(process, lines);
  }
  return code;
}

function hostsEntry({ files }: Process, name: string): string | undefined {
  const lines = files.tryFind('/etc/hosts') ? files.text('/etc/hosts').split('\n') : [];
  const fields = lines
    .map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
    .find(([address, ...known]) => address !== '' && known.includes(name));
  return fields && `${(fields[0] ?? '').padEnd(15)} ${fields.slice(1).join(' ')}\n`;
}

export const ping: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'qn46A', 'cWwisI');
  const host = options.rest[0] ?? '';
  const count = Number(options.value('c') ?? Infinity);
  await out(process, `PING ${host} (${host}): 56 data bytes\n`);
  let received = 0;
  let sent = 0;
  for (; sent < count; sent++) {
    const time = await echoTime(process, host);
    if (time === 'unknown') return fail(process, `bad address '${host}'`);
    if (time !== undefined) received += 1;
    if (time !== undefined)
      await out(process, `64 bytes from ${host}: seq=${sent} ttl=64 time=${time.toFixed(3)} ms\n`);
    if (sent + 1 < count) await process.sleep(1000);
  }
  await out(
    process,
    `\n--- ${host} ping statistics ---\n${sent} packets transmitted, ${received} packets received, ${Math.round(((sent - received) / Math.max(1, sent)) * 100)}% packet loss\n`,
  );
  return received > 0 ? 0 : 1;
};

async function echoTime(process: Process, host: string): Promise<number | 'unknown' | undefined> {
  try {
    return await process.wait(process.system.network.ping(host));
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    return problem.code === 'ENOTFOUND' ? 'unknown' : undefined;
  }
}
