/** The worker behind a page: it has one cluster open, alone or together with the workers of other tabs. */
import type { ClusterOptions } from '../../cluster/index.ts';
import type { Seat } from '../tabs/index.ts';
import { placeOf, takeSeat } from '../tabs/index.ts';
import { createWireServer } from '../wire/index.ts';
import { failureOf } from './failure.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { openCluster } from './open.ts';
import { throwRejections } from './problems.ts';
import { inBackground, Part, throwToHost } from '../../std/index.ts';

const page = self as {
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  close(): void;
};

throwRejections(self, throwToHost);

/** Rarely used. */
const chores = new Part(() => import('./chores.ts'));
const flags = new Part(() => import('./flags.ts'));
const bridge = new Part(() => import('../bridge/tab.ts'));

let seat: Seat | undefined;
const post = (message: FromWorker, transfer: Transferable[] = []): void => page.postMessage(message, transfer);

const wire = createWireServer(async (request, realm) => {
  if (!seat) throw new TypeError('no cluster is open');
  return realm === 'tab' ? (await bridge.load()).openBridge(request, seat.handle) : seat.handle(request, realm);
}, post);

page.onmessage = ({ data }) => {
  if (data.type === 'open') inBackground(open(data), refuse);
  else if (data.type === 'chore')
    void chores
      .load()
      .then(({ doChore }) => doChore(data))
      .then((result) => post({ type: 'done', result }), refuse);
  else if (data.type === 'leave') inBackground(leave('the cluster was stopped'), throwToHost);
  else if (data.type === 'flags')
    void flags
      .load()
      .then(({ answerAboutFlags }) => answerAboutFlags(data.question))
      .then((answer) => post({ ...data, answer }), refuse);
  else wire.receive(data);
};

async function open({ options, known }: ToWorker & { type: 'open' }): Promise<void> {
  try {
    post({ type: 'step', step: { step: 'storage' } });
    seat = await takeSeatFor(options, known);
    post({ type: 'opened', role: seat.role });
  } catch (error) {
    refuse(error);
  }
}

/** A cluster in memory belongs to its tab; one on disk is shared by all tabs, and one of them writes. */
async function takeSeatFor(options: ClusterOptions, known: boolean): Promise<Seat> {
  if (options.storage !== 'indexeddb') {
    const { handle, stop } = await openCluster(options, false);
    return { handle, role: 'leader', leave: stop };
  }
  return takeSeat({
    place: placeOf(options.name),
    open: () => openCluster(options, known),
    onEnd: (reason) => inBackground(leave(reason.message), throwToHost),
  });
}

async function leave(reason: string): Promise<void> {
  wire.disconnect();
  await seat?.leave();
  post({ type: 'left', reason });
  page.close();
}

function refuse(error: unknown): void {
  post({ type: 'refused', failure: failureOf(error) });
}
