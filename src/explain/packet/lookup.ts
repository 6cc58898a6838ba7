/** What a name stands for from where a pod is, step by step. */
import {
  isUnanswered,
  lookUp,
  recordsAt,
  tracePacket,
  type Lookup,
  type NetworkView,
  type PacketTrace,
} from '../../network/index.ts';
import type { objects } from '../../schema/index.ts';
import { placeOf, type Evidence } from '../answer.ts';
import { describeHops, passedServers, type HopText } from './hops.ts';

const DNS_PORT = 53;

export interface LookupAnswer {
  readonly sentence: string;
  readonly steps: readonly HopText[];
}

/** Explains how a pod looks a name up; every question to the name server is a step. */
export function explainLookup(name: string, pod: objects.Pod, view: NetworkView): LookupAnswer {
  const queries = new Map<string, PacketTrace>();
  const lookup = lookUp(name, pod, view, (full, server) => {
    const query = queries.get(server) ?? askServer(server, pod, view);
    queries.set(server, query);
    return query.outcome === 'delivered' ? recordsAt(server, full, view) : undefined;
  });
  const { server, questions } = lookup;
  const query = server === undefined ? undefined : queries.get(server);
  const reached = !isUnanswered(lookup);
  const passed = passedServers(lookup).map((text) => step(text, { passedOver: true }));
  const answers = questions.map((each, i) => questionStep(each, i < questions.length - 1, view));
  const asked = [...passed, ...(reached || !query ? [...serverSteps(query, view), ...answers] : stepsTo(query, view))];
  return {
    sentence: sentenceFor(lookup, reached),
    steps: [hostsStep(lookup), ...(isInHosts(lookup) ? [] : [resolverStep(lookup), ...asked])],
  };
}

const askServer = (server: string, pod: objects.Pod, view: NetworkView): PacketTrace =>
  tracePacket({ from: { pod }, to: server, port: DNS_PORT, protocol: 'UDP' }, view);

/** Which service and pod take the question, where the name server is no part of the simulation. */
function serverSteps(query: PacketTrace | undefined, view: NetworkView): HopText[] {
  const service = query?.hops.find(({ kind }) => kind === 'service');
  return query && service ? describeHops({ ...query, hops: [service] }, view) : [];
}

const isInHosts = ({ questions, addresses }: Lookup): boolean => questions.length === 0 && addresses.length > 0;

function sentenceFor(lookup: Lookup, reached: boolean): string {
  const { name, server, questions, addresses } = lookup;
  if (isInHosts(lookup)) return `"${name}" stands for ${addresses.join(', ')}, by the pod's own /etc/hosts.`;
  if (server === undefined) return `"${name}" does not resolve: the pod has no name server.`;
  if (!reached) return `"${name}" cannot be looked up: the name server cannot be reached.`;
  const count = questions.length;
  const tried = `${count} ${count === 1 ? 'question' : 'questions'}`;
  if (addresses.length > 0) return `"${name}" stands for ${addresses.join(', ')}, after ${tried}.`;
  const alias = questions.at(-1)?.records.some(({ type }) => type === 'CNAME');
  return alias
    ? `"${name}" is an alias for a name that does not exist.`
    : `Nobody knows "${name}": ${tried}, and no answer.`;
}

const step = (text: string, more: Partial<HopText> = {}): HopText => ({ text, stopped: false, details: [], ...more });

const hostsStep = (lookup: Lookup): HopText =>
  step(isInHosts(lookup) ? '/etc/hosts has the name.' : '/etc/hosts does not have the name.', {
    passedOver: !isInHosts(lookup),
  });

/** Which server is asked, and in which order names are tried. */
function resolverStep({ name, config: { nameservers, searches, options } }: Lookup): HopText {
  const server = nameservers[0];
  if (server === undefined) return step('/etc/resolv.conf names no server.', { stopped: true });
  const asks = `/etc/resolv.conf: it asks ${nameservers.join(', then ')}.`;
  if (name.endsWith('.')) return step(`${asks} The name ends with a dot, so it is tried as it is.`);
  if (searches.length === 0) return step(`${asks} There are no search domains, so the name is tried as it is.`);
  const dots = name.split('.').length - 1;
  const ndots = Number(options.find((option) => option.name === 'ndots')?.value ?? 1);
  const order = dots >= ndots ? 'as it is first, then with' : 'first with';
  const compared = `${dots} ${dots === 1 ? 'dot' : 'dots'}, ndots is ${ndots}`;
  return step(`${asks} The name has ${compared}: it is tried ${order} ${searches.join(', ')}.`);
}

function questionStep({ name, records }: Lookup['questions'][number], goesOn: boolean, view: NetworkView): HopText {
  if (records.length === 0) return step(`${name}: no such name.`, goesOn ? { passedOver: true } : { stopped: true });
  const answers = records.map((record) => {
    const what = 'address' in record ? record.address : record.target;
    return record.name === name ? `${record.type} ${what}` : `${record.name} is ${record.type} ${what}`;
  });
  return step(`${name}: ${answers.join(', ')}.`, originOf(name, view));
}

/** The service that a name speaks of, if any does. */
function originOf(name: string, view: NetworkView): Pick<Evidence, 'at'> {
  const suffix = `.svc.${view.settings.domain}`;
  if (!name.endsWith(suffix)) return {};
  const [namespace = '', service = ''] = name.slice(0, -suffix.length).split('.').reverse();
  const found = view.get('services', `${namespace}/${service}`);
  return found ? { at: placeOf('v1', 'Service', found) } : {};
}

function stepsTo(query: PacketTrace, view: NetworkView): HopText[] {
  const hops = describeHops(query, view);
  return hops.length > 0 ? hops : [step(`Nothing answers at ${query.question.to}.`, { stopped: true })];
}
