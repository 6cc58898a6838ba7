import type { OpenSocket } from '../../network/index.ts';
import type { Process, Program } from '../../process.ts';
import { fail, out, readOptions, type Options } from '../tool.ts';

/** Which sockets are shown. */
interface Choice {
  readonly protocols: ReadonlySet<OpenSocket['protocol']>;
  readonly listening: boolean;
  readonly connected: boolean;
}

/** By `-t`, `-u` and `-S` the protocols, by `-l` what listens alone, by `-a` everything; else connections. */
function choiceOf(options: Options, usual: readonly OpenSocket['protocol'][]): Choice {
  const asked = (
    [
      ['TCP', options.has('t', 'tcp')],
      ['UDP', options.has('u', 'udp')],
      ['SCTP', options.has('S', 'sctp')],
    ] as const
  ).flatMap(([protocol, isAsked]) => (isAsked ? [protocol] : []));
  const [all, listening] = [options.has('a', 'all'), options.has('l', 'listening')];
  const protocols = new Set(asked.length > 0 ? asked : usual);
  return { protocols, listening: all || listening, connected: all || !listening };
}

const chosen = ({ system }: Process, { protocols, listening, connected }: Choice): OpenSocket[] =>
  system.network
    .sockets()
    .filter(({ protocol, remote }) => protocols.has(protocol) && (remote ? connected : listening));

const LONG = ['all', 'listening', 'numeric', 'tcp', 'udp', 'sctp', 'processes', 'no-header'];
const ANY = '0.0.0.0';
const LISTENING_QUEUE = 128;

/** The local and remote ends of a socket; the two tools print unbound addresses differently. */
const endsOf = ({
  local,
  remote,
}: OpenSocket): readonly [local: string, localPort: string, peer: string, peerPort: string] => [
  local.address ?? ANY,
  String(local.port),
  remote?.address ?? ANY,
  String(remote?.port ?? '*'),
];

/** What busybox shows of the sockets within a system, of which containers have none here. */
const unixHead = (which: string): string =>
  `Active UNIX domain sockets (${which})\nProto RefCnt Flags       Type       State         I-Node Path\n`;

/** Sockets as busybox shows them. */
export const netstat: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'alntuwWep', '', LONG);
  if (options.unknown !== undefined) return fail(process, `unrecognized option: ${options.unknown}`);
  const choice = choiceOf(options, ['TCP', 'UDP']);
  const which = choice.listening ? (choice.connected ? 'servers and established' : 'only servers') : 'w/o servers';
  const programs = options.has('p');
  const line = (protocol: string, local: string, peer: string, state: string): string => {
    const row = `${protocol.padEnd(5)} ${'0'.padStart(6)} ${'0'.padStart(6)} ${local.padEnd(23)} ${peer.padEnd(23)} ${state.padEnd(12)}`;
    // The processes of other containers can't be seen, and which of the own ones holds a socket isn't known.
    return programs ? `${row}-\n` : `${row}\n`;
  };
  const head = `Active Internet connections (${which})\nProto Recv-Q Send-Q ${'Local Address'.padEnd(23)} ${'Foreign Address'.padEnd(23)} State       ${programs ? 'PID/Program name    ' : ''}\n`;
  const rows = chosen(process, choice).map((socket) => {
    const [local, localPort, peer, peerPort] = endsOf(socket);
    const state = socket.remote ? 'ESTABLISHED' : socket.protocol === 'TCP' ? 'LISTEN' : '';
    return line(socket.protocol.toLowerCase(), `${local}:${localPort}`, `${peer}:${peerPort}`, state);
  });
  const asked = ['t', 'u', 'w'].some((flag) => options.has(flag));
  await out(process, head + rows.join('') + (asked ? '' : unixHead(which)));
  return 0;
};

const STATES = { TCP: 'LISTEN', SCTP: 'LISTEN', UDP: 'UNCONN' } as const;

/** Columns of `ss`; addresses stand at the right, before their ports. */
const COLUMNS: readonly { readonly title: string; readonly right?: boolean }[] = [
  { title: 'Netid' },
  { title: 'State' },
  { title: 'Recv-Q' },
  { title: 'Send-Q' },
  { title: 'Local Address:', right: true },
  { title: 'Port' },
  { title: 'Peer Address:', right: true },
  { title: 'Port' },
];

/** Sockets as iproute2 shows them. */
export const ss: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'alntuSpeHrmio46', '', LONG);
  if (options.unknown !== undefined) return fail(process, `unrecognized option: ${options.unknown}`, 255);
  const choice = choiceOf(options, ['TCP', 'UDP', 'SCTP']);
  const rows = chosen(process, choice).map((socket) => {
    const { protocol, remote } = socket;
    const [local, localPort, peer, peerPort] = endsOf(socket);
    const queue = remote || protocol === 'UDP' ? 0 : LISTENING_QUEUE;
    const state = remote ? 'ESTAB' : STATES[protocol];
    return [protocol.toLowerCase(), state, '0', String(queue), `${local}:`, localPort, `${peer}:`, peerPort];
  });
  // With one protocol its name would be the same in each line.
  const from = choice.protocols.size === 1 ? 1 : 0;
  const titles = COLUMNS.map(({ title }) => title);
  const shown = [...(options.has('H', 'no-header') ? [] : [titles]), ...rows];
  const widths = COLUMNS.map((_, i) => Math.max(0, ...shown.map((row) => row[i]?.length ?? 0)));
  const text = shown.map((row) =>
    row
      .map((cell, i) => {
        const padded = COLUMNS[i]?.right ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0);
        return COLUMNS[i]?.right ? padded : `${padded}  `;
      })
      .slice(from)
      .join(''),
  );
  await out(process, text.map((line) => `${line.trimEnd()}\n`).join(''));
  return 0;
};
