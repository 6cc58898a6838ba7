/** The terminal of the open cluster: it lives on while the dock shows something else. */
import { startTerminal, type HomeStore, type Surroundings } from '../../../terminal/index.ts';
import { realClock, type Clock } from '../../../std/index.ts';
import { hideOverlay } from '../../shell/overlay.ts';
import { go, useAddress } from '../../stores/address.ts';
import { clusterNow, stepClock } from '../../stores/clock.ts';
import { nameOfIdentity, transportAs, useIdentity } from '../../stores/identity.ts';
import { TERMINAL_LINE } from '../../stores/requests.ts';
import { theCluster, useSession } from '../../stores/session.ts';
import { openBrowser } from '../browse/opened.ts';
import { makeFrame, type Frame } from '../shells/frame.ts';
import { useTerminal } from './opened.ts';
import { memoryHomeStore, savedHomeStore } from './homeStore.ts';
import { screenOf } from './screen.ts';

export interface TerminalSession {
  readonly cluster: string;
  readonly frame: Frame;
  /** Puts files into the folder where the shell is. Waits for a terminal that is only being started. */
  add(files: ReadonlyMap<string, Uint8Array>): Promise<void>;
}

const LINK = 'requests:';
/** What is kept of clusters in memory. */
const memoryStores = new Map<string, HomeStore>();
let current: TerminalSession | undefined;

/** The terminal of a cluster; the one before ends when another cluster is opened. */
export function terminalOf(cluster: string): TerminalSession {
  if (current?.cluster !== cluster) current = open(cluster);
  return current;
}

function open(cluster: string): TerminalSession {
  const leave = (): void => document.querySelector<HTMLElement>('[data-leave="terminal"]')?.focus();
  const frame = makeFrame({ onLeave: leave, onLink: (target) => followLink(target) });
  const started = start(frame, cluster);
  const add: TerminalSession['add'] = async (files) => {
    await (await started).add(files);
    frame.terminal.focus();
  };
  const session = { cluster, frame, add };
  const ends: (() => void)[] = [frame.end];
  const isOpen = (): boolean => {
    const { session: now } = useSession.getState();
    return now.phase === 'open' && now.cluster.name === cluster;
  };
  const end = useSession.subscribe(() => {
    if (isOpen()) return;
    for (const each of [...ends, end]) each();
    if (current === session) current = undefined;
  });
  void started.then(({ stop }) => (isOpen() ? ends.push(stop) : stop()));
  return session;
}

interface Started {
  readonly add: TerminalSession['add'];
  readonly stop: () => void;
}

async function start({ terminal }: Frame, cluster: string): Promise<Started> {
  const running = await startTerminal(cluster, screenOf(terminal), surroundingsOf(cluster));
  terminal.onData((text) => running.type(text));
  terminal.onResize(() => running.resized());
  let last = 0;
  const take = (): void => {
    const { wanted, entered } = useTerminal.getState();
    if (entered === last) return;
    last = entered;
    useTerminal.setState({ wanted: [] });
    if (wanted.length > 0) running.insert(wanted.join('\n'));
    // A dialog that closes gives the focus back to what opened it.
    requestAnimationFrame(() => terminal.focus());
  };
  const stop = useTerminal.subscribe(take);
  take();
  return {
    add: (files) => running.add(files),
    stop: () => {
      stop();
      running.end();
    },
  };
}

function surroundingsOf(cluster: string): Surroundings {
  const { names, cluster: running } = theCluster();
  return {
    names,
    transport: (line) => transportOf(line),
    user: () => nameOfIdentity(useIdentity.getState().current),
    namespace: () => useAddress.getState().query['ns'] ?? 'default',
    chooseNamespace: (ns) => go({ query: { ns } }),
    contextChosen: (chosen) => useTerminal.setState({ chosen }),
    clock: clusterClock,
    step: stepClock,
    store: running.options.storage === 'indexeddb' ? savedHomeStore(cluster) : memoryStoreOf(cluster),
    edit: (title, text) =>
      new Promise((resolve) => {
        const finish = (changed: string | undefined): void => {
          useTerminal.setState({ editing: undefined });
          resolve(changed);
        };
        useTerminal.setState({ editing: { title, text, finish } });
      }),
    browse: openBrowser,
    showRequests,
  };
}

/** Asks the cluster that the page shows, as whoever it acts as; each request says which command line it is for. */
function transportOf(line: number): ReturnType<Surroundings['transport']> {
  const transport = transportAs(theCluster().cluster.transport, useIdentity.getState().current);
  if (line === 0) return transport;
  return (path, init) => {
    lastLine = line;
    const headers = new Headers(init?.headers);
    headers.set(TERMINAL_LINE, String(line));
    return transport(path, { ...init, headers });
  };
}

function memoryStoreOf(cluster: string): HomeStore {
  const store = memoryStores.get(cluster) ?? memoryHomeStore();
  memoryStores.set(cluster, store);
  return store;
}

/** The latest command line that asked the cluster for something. */
let lastLine = 0;

/** Shows the requests of the latest command line that made any. */
export const showLastRequests = (): void => showRequests(lastLine);

/** Shows the requests that a command line has made. */
function showRequests(line: number): void {
  hideOverlay();
  go({ panel: 'requests', path: [], query: { line: String(line) } });
}

function followLink(target: string): void {
  const line = Number(target.slice(LINK.length));
  if (target.startsWith(LINK) && Number.isInteger(line)) showRequests(line);
}

const real = realClock();

/** Shows the cluster's time, and waits by the person's: they look on while it stands still or runs fast. */
const clusterClock: Clock = {
  now: clusterNow,
  setTimeout: (fn, ms, use) => real.setTimeout(fn, ms, use),
  clearTimeout: (timer) => real.clearTimeout(timer),
  during: (work, kind) => real.during(work, kind),
};
