/** The map of the network while connections run over it, against a page on which nothing moves. */
import { flushSync, useState } from 'preact/compat';
import { createRoot } from 'preact/compat/client';
import { namesOf } from '../../../src/names/index.ts';
import { Matrix, networkSettings, NetworkView } from '../../../src/network/index.ts';
import '../../../src/ui/theme/index.css';
import { NetworkMap } from '../../../src/ui/panels/network/NetworkMap.tsx';
import type { Picture } from '../../../src/ui/panels/network/picture.ts';
import { parsePort, WorkloadMatrix, workloadsOf } from '../../../src/ui/panels/network/workloads.ts';
import { useFlows, type SeenFlow } from '../../../src/ui/stores/flows.ts';
import { byTurns, type Row } from '../row.ts';

const NODES = 500;
const NAMESPACES = 10;
const FLOWS_PER_SECOND = 200;
/** How often the page takes what has come together, in milliseconds. */
const GATHER_MS = 100;
const KEPT = 500;
const PORT = 'TCP/80';
const SECONDS = 4;

const podName = (i: number): string => `pod-${i}`;
const namespaceOf = (i: number): string => `ns-${i % NAMESPACES}`;
const addressOf = (i: number): string => `10.244.${i >> 8}.${i & 255}`;

function largeView(): NetworkView {
  const view = new NetworkView(networkSettings(namesOf('k8s.io')));
  for (let i = 0; i < NAMESPACES; i++)
    view.set('namespaces', { metadata: { name: namespaceOf(i), creationTimestamp: null }, spec: {}, status: {} });
  for (let i = 0; i < NODES; i++)
    view.set('pods', {
      metadata: { name: podName(i), namespace: namespaceOf(i), labels: { app: podName(i) }, creationTimestamp: null },
      spec: { containers: [{ name: 'c', ports: [{ containerPort: 80 }], resources: {} }] },
      status: { phase: 'Running', podIP: addressOf(i) },
    });
  return view;
}

function pictureOf(view: NetworkView): Picture {
  const workloads = workloadsOf(view, true);
  const pods = workloads.flatMap((workload) => workload.pods);
  const now = new WorkloadMatrix(new Matrix(pods, parsePort(PORT), view), workloads);
  return { workloads, leftOut: 0, ports: [{ value: PORT, label: PORT }], port: PORT, now, next: undefined };
}

const endOf = (i: number): { readonly address: string; readonly pod: string } => ({
  address: addressOf(i),
  pod: `${namespaceOf(i)}/${podName(i)}`,
});

/** The connection of a number: clients and servers go by turns, so that it is not always the same line. */
function flowOf(id: number): SeenFlow {
  const [from, to] = [(id * 7) % NODES, (id * 13 + 1) % NODES];
  const way = { from: endOf(from), to: endOf(to), asked: addressOf(to), port: 80, protocol: 'TCP' as const };
  return { ...way, topic: 'flow', outcome: 'delivered', count: 1, id, at: id };
}

/** Lets connections come as the page gets them, until the returned function is called. */
function sendFlows(): () => void {
  let id = useFlows.getState().rows[0]?.id ?? 0;
  const count = (FLOWS_PER_SECOND * GATHER_MS) / 1000;
  const timer = setInterval(() => {
    const fresh = Array.from({ length: count }, () => flowOf(++id)).reverse();
    useFlows.setState(({ rows }) => ({ rows: [...fresh, ...rows].slice(0, KEPT) }));
  }, GATHER_MS);
  return () => clearInterval(timer);
}

/** Frames a second, over some seconds. */
function frames(): Promise<number> {
  return new Promise((resolve) => {
    let count = -1;
    let began = 0;
    const next = (now: number): void => {
      if (++count === 0) began = now;
      if (now - began < SECONDS * 1000) requestAnimationFrame(next);
      else resolve((count * 1000) / (now - began));
    };
    requestAnimationFrame(next);
  });
}

function MapOf({ view }: { readonly view: NetworkView }) {
  const [picture] = useState(() => pictureOf(view));
  return <NetworkMap picture={picture} view={view} />;
}

/** Shows the map, and measures once it has stood for a second. */
async function framesOfMap(): Promise<number> {
  const place = document.body.appendChild(document.createElement('div'));
  Object.assign(place.style, { width: '100vw', height: '100vh', display: 'grid' });
  const root = createRoot(place);
  flushSync(() => root.render(<MapOf view={largeView()} />));
  const stop = sendFlows();
  try {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    if (place.querySelectorAll('button[aria-pressed]').length < NODES)
      throw new Error('the map does not show all nodes');
    return await frames();
  } finally {
    stop();
    root.unmount();
    place.remove();
  }
}

const perSecond = (count: number): string => `${count.toFixed(1)} frames/s`;

export const mapRows: readonly Row[] = [
  {
    name: `map of ${NODES} workloads, ${FLOWS_PER_SECOND} connections/s`,
    aim: '1: 60 frames/s on a machine that does nothing else',
    run: async () => {
      const measured = await byTurns(framesOfMap, frames, 3);
      return {
        subject: perSecond(measured.subject),
        reference: `${perSecond(measured.reference)} where nothing moves`,
        ratio: measured.subject / measured.reference,
      };
    },
  },
];
