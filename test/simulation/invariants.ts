/** What has to hold once a cluster has come to rest. */
import type { TraceEvent } from '../../src/cluster/index.ts';
import { APPS, CORE, type Loose, type Simulation } from './simulation.ts';

const isActive = (pod: Loose): boolean =>
  !pod.metadata.deletionTimestamp && pod.status.phase !== 'Succeeded' && pod.status.phase !== 'Failed';
const ownerOf = (object: Loose): Loose => object.metadata.ownerReferences?.find((each: Loose) => each.controller);
const titleOf = (kind: string, { metadata }: Loose): string => `${kind} ${metadata.name}`;

/** The sentences of everything that is not as it should be. */
async function faultsOf(simulation: Simulation): Promise<string[]> {
  const read = (path: string): Promise<Loose[]> => simulation.items(path);
  const pods = await read(`${CORE}/pods`);
  const sets = await read(`${APPS}/replicasets`);
  const deployments = await read(`${APPS}/deployments`);
  const stateful = await read(`${APPS}/statefulsets`);
  const daemons = await read(`${APPS}/daemonsets`);
  const jobs = await read('/apis/batch/v1/namespaces/sim/jobs');
  return [
    ...orphans([...pods, ...sets], [...sets, ...deployments, ...stateful, ...daemons, ...jobs]),
    ...crowded(daemons, pods),
    ...surplus(
      [...sets.map((each) => ['ReplicaSet', each] as const), ...stateful.map((each) => ['StatefulSet', each] as const)],
      pods,
    ),
    ...unfinished(deployments, sets),
    ...(await wrongQuota(simulation, pods)),
    ...(await wrongEndpoints(simulation, pods)),
  ];
}

function orphans(owned: readonly Loose[], owners: readonly Loose[]): string[] {
  const uids = new Set(owners.map(({ metadata }) => metadata.uid));
  return owned
    .filter((each) => ownerOf(each) && !uids.has(ownerOf(each).uid))
    .map((each) => `${each.metadata.name} outlived its owner ${ownerOf(each).kind} ${ownerOf(each).name}`);
}

/** No more pods than wanted; fewer only where the quota is spent. */
function surplus(wanting: readonly (readonly [string, Loose])[], pods: readonly Loose[]): string[] {
  return wanting.flatMap(([kind, owner]) => {
    const own = pods.filter((pod) => ownerOf(pod)?.uid === owner.metadata.uid && isActive(pod)).length;
    return own > owner.spec.replicas
      ? [`${titleOf(kind, owner)} wants ${owner.spec.replicas} pods and has ${own}`]
      : [];
  });
}

/** A daemon set has one pod on each node at most. */
function crowded(daemons: readonly Loose[], pods: readonly Loose[]): string[] {
  return daemons.flatMap((set) => {
    const own = pods.filter((pod) => ownerOf(pod)?.uid === set.metadata.uid && isActive(pod) && pod.spec.nodeName);
    const nodes = new Set(own.map(({ spec }) => spec.nodeName));
    return nodes.size === own.length
      ? []
      : [`${titleOf('DaemonSet', set)} has ${own.length} pods on ${nodes.size} nodes`];
  });
}

function unfinished(deployments: readonly Loose[], sets: readonly Loose[]): string[] {
  return deployments.flatMap((deployment) => {
    const { generation } = deployment.metadata;
    const own = sets.filter((set) => ownerOf(set)?.uid === deployment.metadata.uid);
    const total = own.reduce((sum, { spec }) => sum + spec.replicas, 0);
    const most = deployment.spec.replicas + Math.ceil(deployment.spec.replicas / 4);
    return [
      ...(deployment.status.observedGeneration === generation
        ? []
        : [`${titleOf('Deployment', deployment)} was not looked at`]),
      ...(total > most ? [`${titleOf('Deployment', deployment)} has ${total} replicas of at most ${most}`] : []),
    ];
  });
}

async function wrongQuota(simulation: Simulation, pods: readonly Loose[]): Promise<string[]> {
  const quota = await simulation.send('GET', `${CORE}/resourcequotas/q`);
  const counted = pods.filter(({ status }) => status.phase !== 'Succeeded' && status.phase !== 'Failed').length;
  const services = (await simulation.items(`${CORE}/services`)).length;
  const used = (quota.status?.used ?? {}) as Readonly<Record<string, string>>;
  const told = `${used['count/services']} services and ${used['pods']} pods`;
  const wanted = `${services} services and ${counted} pods`;
  return told === wanted ? [] : [`the quota says ${told} where there is ${wanted}`];
}

async function wrongEndpoints(simulation: Simulation, pods: readonly Loose[]): Promise<string[]> {
  const faults: string[] = [];
  for (const service of await simulation.items(`${CORE}/services`)) {
    const { name } = service.metadata;
    // A service that a full disk kept from being deleted may select nothing.
    const app = service.spec.selector?.app as string | undefined;
    const isBehind = (pod: Loose): boolean =>
      app !== undefined && isActive(pod) && pod.metadata.labels?.app === app && pod.status.podIP !== undefined;
    const wanted = pods.filter((pod) => isBehind(pod) && isReady(pod)).map(({ status }) => status.podIP);
    const endpoints = await simulation.send('GET', `${CORE}/endpoints/${name}`);
    const told = (endpoints.subsets ?? []).flatMap(({ addresses = [] }: Loose) => addresses.map(({ ip }: Loose) => ip));
    const sliced = await sliceAddresses(simulation, name);
    for (const [what, addresses] of [['endpoints', told] as const, ['slices', sliced] as const])
      if (addresses.sort().join() !== wanted.sort().join())
        faults.push(`the ${what} of service ${name} are [${addresses.join()}] instead of [${wanted.join()}]`);
  }
  return faults;
}

async function sliceAddresses(simulation: Simulation, service: string): Promise<string[]> {
  const slices = await simulation.items('/apis/discovery.cluster.io/v1beta1/namespaces/sim/endpointslices');
  return slices
    .filter(({ metadata }) => metadata.labels?.['cluster.io/service-name'] === service)
    .flatMap(({ endpoints }) => endpoints ?? [])
    .filter(({ conditions }) => conditions.ready)
    .flatMap(({ addresses }: Loose) => addresses);
}

const isReady = (pod: Loose): boolean =>
  pod.status.conditions?.some(({ type, status }: Loose) => type === 'Ready' && status === 'True');

/** Kinds that are written while nothing happens: heartbeats, and what tells of attempts. */
const RESTLESS = /\/(leases|minions|nodes|events)\//;

/** So often may a loop look at one key while nothing happens: periodic looks are at least a second apart. */
const MOST_LOOKS = 12;

/** Waits until nothing but heartbeats is written for ten seconds, and no loop runs idly; a cluster that never rests is a hot loop. */
async function rest(simulation: Simulation): Promise<string[]> {
  let writes: readonly string[] = [];
  for (let waited = 0; waited < 180; waited += 10) {
    const events = await simulation.ground.traced(() => simulation.advance(10_000));
    writes = events.flatMap((event) =>
      event.topic === 'request' && event.stage === 'stored' && !RESTLESS.test(event.key) ? event.key : [],
    );
    if (writes.length === 0) return hotLoops(events);
  }
  return [`still at work after three minutes: ${[...new Set(writes)].slice(0, 5).join(', ')}`];
}

/** A sentence for each key that a loop looked at too often while nothing happened. */
function hotLoops(events: readonly TraceEvent[]): string[] {
  const looks = new Map<string, number>();
  for (const event of events) {
    if (event.topic !== 'reconcile' || event.what === 'woken' || event.what === 'planned') continue;
    const look = `${event.controller} ${event.key}`;
    looks.set(look, (looks.get(look) ?? 0) + 1);
  }
  return [...looks].flatMap(([look, n]) => (n > MOST_LOOKS ? [`${look} ran ${n} times`] : []));
}

/** What is not as it should be once all nodes are on again and the cluster has come to rest. */
export async function settled(simulation: Simulation): Promise<string[]> {
  for (const { metadata } of await simulation.items('/api/v1/nodes')) {
    const open = { spec: { unschedulable: null } };
    await simulation.send('PATCH', `/api/v1/nodes/${metadata.name}`, open, 'application/merge-patch+json');
    await simulation.switchNode(metadata.name, false);
  }
  // Nodes that were off report again, and what they held is given up.
  await simulation.advance(60_000);
  return [...(await rest(simulation)), ...(await faultsOf(simulation))];
}
