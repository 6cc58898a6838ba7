/** The rooms of the page over a cluster of 5,000 pods: the longest task while each opens, and while pods come. */
import { chromium, type Browser, type Page } from '@playwright/test';
import { ask, boot, cluster } from '../../../e2e/support.ts';
import { launchOptions, serveBuiltPage } from '../../tools/servedPage.ts';
import { describeRow } from '../row.ts';
import { longestTask, untilQuiet } from './tasks.ts';

const PODS = 5_000;
const NODES = 100;
const COMING = 40;
const ROUNDS = 3;
const AT_ONCE = 50;
/** What a task may take, in milliseconds of CPU. */
const AIM = 50;

interface Room {
  readonly name: string;
  readonly path: string;
  /** What stands there when it is open. */
  readonly shows: string;
}

const DEPLOYMENT = 'apps/deployments/default/web';

const rooms: readonly Room[] = [
  { name: 'Scheduling', path: 'scheduling', shows: `${NODES} nodes` },
  { name: 'a decision', path: 'scheduling/pod/default/p1001', shows: 'Filters are asked in this order' },
  {
    name: 'what belongs to a pod',
    path: 'lifecycle/graph?obj=core/pods/default/p500',
    shows: 'Causes stand on the left',
  },
  { name: 'Deleting', path: 'lifecycle/deleting?obj=core/namespaces/-/default', shows: 'will be gone' },
  {
    name: 'what belongs to a Deployment',
    path: `lifecycle/graph?obj=${DEPLOYMENT}`,
    shows: 'Causes stand on the left',
  },
  { name: 'deleting a Deployment', path: `lifecycle/deleting?obj=${DEPLOYMENT}`, shows: 'will be gone' },
  { name: 'Roll-outs', path: 'lifecycle/rollout', shows: 'Watch its roll-out' },
  { name: 'a roll-out', path: `lifecycle/rollout?obj=${DEPLOYMENT}`, shows: 'ready now' },
  { name: 'pods and their lives', path: 'lifecycle/pod', shows: 'See its life' },
  { name: 'a pod’s life', path: 'lifecycle/pod?obj=core/pods/default/p1001', shows: 'Pod p1001' },
  { name: 'Controllers', path: 'controllers', shows: 'All of them' },
];

const rowName = ({ name }: Room, when: 'opens' | 'while pods come'): string => `rooms: ${name} ${when}`;

/** Builds the page, fills a cluster and prints a row for each room that `only` names. */
export async function runRooms(only: string, print: (line: string) => void): Promise<void> {
  const wanted = rooms.filter((room) =>
    (['opens', 'while pods come'] as const).some((when) => rowName(room, when).includes(only)),
  );
  if (wanted.length === 0) return;
  const served = await serveBuiltPage();
  const browser = await chromium.launch(launchOptions());
  try {
    const page = await browser.newPage();
    const { base, owner } = await fill(page, served.address);
    for (const room of wanted) await measure({ browser, page, base, owner, print }, room);
  } finally {
    await browser.close();
    await served.close();
  }
}

interface Bench {
  readonly browser: Browser;
  readonly page: Page;
  readonly base: string;
  /** What owns the pods. */
  readonly owner: Owner;
  readonly print: (line: string) => void;
}

async function measure({ browser, page, base, owner, print }: Bench, room: Room): Promise<void> {
  const say = (when: 'opens' | 'while pods come', ms: number): void => {
    const measured = { subject: `${ms.toFixed(0)} ms of CPU`, reference: `${AIM} ms`, ratio: ms / AIM };
    print(`  ${describeRow({ name: rowName(room, when), aim: 'at most 1: no task is longer' }, measured)}`);
  };
  const opening = await least(async () => {
    await visit(page, 'settings');
    await page.getByRole('main', { name: 'Settings' }).waitFor();
    return longestTask(browser, page, async () => {
      await visit(page, room.path);
      await page.getByText(room.shows).first().waitFor({ timeout: 120_000 });
      await untilQuiet(page);
    });
  });
  say('opens', opening);
  const coming = await least((round) =>
    longestTask(browser, page, async () => {
      for (let i = 0; i < COMING; i++)
        await make(page, base, podNamed(`${tagOf(room)}-${round}-${i}`, { nodeName: 'n1' }, owner));
      await untilQuiet(page);
    }),
  );
  say('while pods come', coming);
}

const visit = (page: Page, path: string): Promise<void> =>
  page.evaluate((hash) => void (location.hash = hash), `#/many/${path}`);

/** The least of some rounds: a collection of garbage, or a machine that is busy, lengthens one or the other. */
async function least(round: (i: number) => Promise<number>): Promise<number> {
  let best = Infinity;
  for (let i = 0; i < ROUNDS; i++) best = Math.min(best, await round(i));
  return best;
}

const tagOf = ({ name }: Room): string => name.toLowerCase().replaceAll(/[^a-z]+/g, '-');

type Owner = object | undefined;

/** A cluster whose nodes have no agent, and in which nothing is made: nothing but the page works on its pods. */
async function fill(page: Page, address: string): Promise<{ readonly base: string; readonly owner: Owner }> {
  const more = ['--max-mutating-requests-inflight=0', '--disable-admission-plugins=ServiceAccount'];
  const options = cluster('many', { storage: 'indexeddb' });
  const controllerManager = ['--controllers=*,-deployment,-replicaset,-endpoint,-endpointslice'];
  const apiserver = [...(options.apiserver ?? []), ...more];
  const base = await boot(page, { ...options, apiserver, controllerManager }, address);
  const sizes = { cpu: '64', memory: '256Gi', pods: '200' };
  const status = { capacity: sizes, allocatable: sizes, conditions: [{ type: 'Ready', status: 'True' }] };
  for (let i = 0; i < NODES; i++)
    await ask(page, base, '/api/v1/nodes', 'POST', { metadata: { name: `n${i}` }, status });
  const deployment = await own(page, base, 'Deployment', undefined);
  const owner = await own(page, base, 'ReplicaSet', deployment);
  await add(page, base, '/api/v1/namespaces/default/services', {
    metadata: { name: 'web' },
    spec: { selector, ports: [{ port: 80 }] },
  });
  for (let i = 0; i < PODS; i += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, j) => make(page, base, podAt(i + j, owner))));
  return { base, owner };
}

const selector = { app: 'web' };

/** Makes a workload named `web`; the reference by which others name it as their owner. */
async function own(page: Page, base: string, kind: string, owner: Owner): Promise<Owner> {
  const template = { metadata: { labels: selector }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
  const { uid } = await add(page, base, `/apis/apps/v1/namespaces/default/${kind.toLowerCase()}s`, {
    metadata: { name: 'web', ...ownedBy(owner) },
    spec: { replicas: PODS, selector: { matchLabels: selector }, template },
  });
  return { apiVersion: 'apps/v1', kind, name: 'web', uid, controller: true, blockOwnerDeletion: true };
}

const ownedBy = (owner: Owner): object => (owner ? { ownerReferences: [owner] } : {});

/** Every tenth pod of a thousand fits nowhere; the others have their node. */
interface Pod {
  readonly metadata: { readonly name: string; readonly labels: object };
  readonly spec: object;
}

const podAt = (i: number, owner: Owner): Pod =>
  podNamed(`p${i}`, i % 1000 < 100 ? { nodeSelector: { nowhere: 'yes' } } : { nodeName: `n${i % NODES}` }, owner);

const podNamed = (name: string, spec: object, owner: Owner): Pod => ({
  metadata: { name, labels: selector, ...ownedBy(owner) },
  spec: { ...spec, containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '100m' } } }] },
});

const pods = '/api/v1/namespaces/default/pods';

/** Makes a pod; one that has a node is ready at once. */
async function make(page: Page, base: string, pod: Pod): Promise<void> {
  await add(page, base, pods, pod);
  if (!('nodeName' in pod.spec)) return;
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: new Date().toISOString() }];
  const { metadata } = pod;
  await ask(page, base, `${pods}/${metadata.name}/status`, 'PUT', {
    metadata,
    status: { phase: 'Running', conditions },
  });
}

async function add(page: Page, base: string, path: string, object: object): Promise<{ readonly uid: string }> {
  const { status, body } = await ask(page, base, path, 'POST', object);
  if (status !== 201) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body.metadata as { readonly uid: string };
}
