/** The flags of every command that say to which server it speaks, as whom, and for how long. */
import type { Transport } from '../../client/index.ts';
import type { Clock } from '../../std/index.ts';
import { CommandError, complaint } from './errors.ts';
import { duration, integer, parseDuration, text, texts, toggle, type Flag, type Flags, type Values } from './flags.ts';
import type { Chosen } from '../kubeconfig/chosen.ts';
import type { Session } from './session.ts';

export const connectionFlags = {
  as: text(),
  'as-group': texts(),
  cluster: text(),
  context: text(),
  kubeconfig: text(),
  'request-timeout': text({ initial: '0' }),
  server: text({ short: 's' }),
  token: text(),
  user: text(),
  'warnings-as-errors': toggle(),
} as const satisfies Flags;

/** A flag of the log, whose errors have words of their own. */
const logging = <T>(flag: Flag<T>, fits: (typed: string) => boolean, wrong: (typed: string) => string): Flag<T> => ({
  ...flag,
  take: (typed, before, given) => {
    if (!fits(typed)) throw new Error(wrong(typed));
    return flag.take(typed, before, given);
  },
});

const logToggle = (initial = false): Flag<boolean> =>
  logging(
    toggle({ initial }),
    (typed) => /^([01tfTF]|true|TRUE|True|false|FALSE|False)$/.test(typed),
    () => 'parse error',
  );

const SEVERITY = /^([+-]?\d+|info|warning|error|fatal)$/i;

/** Flags that the reference's client has and that change nothing here: a page has no certificates, caches or versions of its own. */
export const idleFlags = {
  'add-dir-header': logToggle(),
  alsologtostderr: logToggle(),
  'cache-dir': text(),
  'certificate-authority': text(),
  'client-certificate': text(),
  'client-key': text(),
  'insecure-skip-tls-verify': toggle(),
  'log-backtrace-at': logging(
    text({ initial: ':0' }),
    (typed) => /^[^:]+:\d+$/.test(typed) || typed === '',
    () => 'syntax error: expect file.go:234',
  ),
  'log-dir': text(),
  'log-file': text(),
  'log-file-max-size': logging(
    integer({ initial: 1800 }),
    (typed) => /^\d+$/.test(typed),
    () => 'parse error',
  ),
  'log-flush-frequency': duration({ initial: 5000 }),
  logtostderr: logToggle(true),
  'match-server-version': toggle(),
  'one-output': logToggle(),
  password: text(),
  profile: text({ initial: 'none' }),
  'profile-output': text({ initial: 'profile.pprof' }),
  'skip-headers': logToggle(),
  'skip-log-headers': logToggle(),
  stderrthreshold: logging(
    text({ initial: '2' }),
    (typed) => SEVERITY.test(typed),
    (typed) => `strconv.ParseInt: parsing ${JSON.stringify(typed)}: invalid syntax`,
  ),
  'tls-server-name': text(),
  username: text(),
  vmodule: logging(
    text(),
    (typed) => /^([^=,]+=\d+(,|$))*$/.test(typed),
    () => 'syntax error: expect comma-separated list of filename=N',
  ),
} as const satisfies Flags;

type Connection = Partial<Values<typeof connectionFlags>>;

/** A transport that asks as the configuration and the flags say. */
export function connected(transport: Transport, session: Session, flags: Connection, chosen: Chosen): Transport {
  const { as = '', 'as-group': groups = [], token = '', 'request-timeout': typed = '0' } = flags;
  if (as === '' && groups.length > 0)
    throw complaint(`requesting groups or user-extra for ${chosen.user} without impersonating a user`);
  const known = withCredentials(transport, token === '' ? chosen.headers : []);
  return limited(withHeaders(known, { as, groups, token }), session.clock, timeoutOf(typed));
}

/** Asks as somebody else than the page does; credentials that a request carries itself stand. */
export function withCredentials(transport: Transport, credentials: Chosen['headers']): Transport {
  if (credentials.length === 0) return transport;
  return (path, init) => {
    const said = new Headers(init?.headers);
    const headers = new Headers(said);
    for (const [name, value] of credentials) if (!said.has(name)) headers.append(name, value);
    return transport(path, { ...init, headers });
  };
}

interface Caller {
  readonly as: string;
  readonly groups: readonly string[];
  readonly token: string;
}

function withHeaders(transport: Transport, { as, groups, token }: Caller): Transport {
  if (as === '' && token === '') return transport;
  return (path, init) => {
    const headers = new Headers(init?.headers);
    if (token !== '') headers.set('authorization', `Bearer ${token}`);
    if (as !== '') headers.set('impersonate-user', as);
    for (const each of groups) headers.append('impersonate-group', each);
    return transport(path, { ...init, headers });
  };
}

/** Milliseconds; 0 for no limit. A plain number is one of seconds. */
function timeoutOf(typed: string): number {
  if (/^\d+$/.test(typed)) return Number(typed) * 1000;
  try {
    return parseDuration(typed);
  } catch {
    throw complaint(
      'Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)',
    );
  }
}

function limited(transport: Transport, clock: Clock, most: number): Transport {
  if (most === 0) return transport;
  return async (path, init) => {
    const late = new AbortController();
    const timer = clock.setTimeout(() => late.abort(), most);
    const signal = init?.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal;
    try {
      return await transport(path, { ...init, signal });
    } catch (error) {
      if (!late.signal.aborted) throw error;
      throw new CommandError(
        'Unable to connect to the server: net/http: request canceled (Client.Timeout exceeded while awaiting headers)',
      );
    } finally {
      clock.clearTimeout(timer);
    }
  };
}

/** Says what the server warns of, each text once, and counts the warnings. */
export function warning(transport: Transport, session: Session): { readonly transport: Transport; count(): number } {
  const said = new Set<string>();
  let count = 0;
  return {
    count: () => count,
    transport: async (path, init) => {
      const response = await transport(path, init);
      for (const [, quoted = ''] of (response.headers.get('warning') ?? '').matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)) {
        const warned = quoted.replace(/\\(.)/g, '$1');
        count++;
        if (!said.has(warned)) session.err(`Warning: ${warned}\n`);
        said.add(warned);
      }
      return response;
    },
  };
}
