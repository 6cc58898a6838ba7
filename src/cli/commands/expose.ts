/** `expose`: a service for what is there; `autoscale`: an autoscaler for it. */
import type { ApiObject, objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { command, type Call } from '../command/command.ts';
import { forEach } from '../command/each.ts';
import { complaint, misused, requireFlags } from '../command/errors.ts';
import { integer, text } from '../command/flags.ts';
import { recordFlags } from '../command/record.ts';
import { fileFlags, namesFiles } from '../server/manifests.ts';
import { podSpecOf } from '../server/podSpecs.ts';
import { liveOrLocal, selectedObjects, type Found } from '../server/selected.ts';
import { groupVersionOf } from '../server/served.ts';
import { createFlags } from './create.ts';
import { createMade, overridden, type Made } from './generators/generator.ts';
import { labelsOfText } from './generators/selectors.ts';

const { validate: _, ...makingFlags } = createFlags;

const exposeFlags = {
  ...fileFlags,
  ...makingFlags,
  generator: text({ initial: 'service/v2' }),
  ...recordFlags,
  'cluster-ip': text(),
  'external-ip': text(),
  labels: text({ short: 'l' }),
  overrides: text(),
  'load-balancer-ip': text(),
  name: text(),
  port: text(),
  protocol: text(),
  selector: text(),
  'session-affinity': text(),
  'target-port': text(),
  type: text(),
};

type ExposeCall = Call<typeof exposeFlags>;

export const expose = command({
  name: 'expose',
  flags: exposeFlags,
  run: async (call) => {
    checkGenerator(call);
    const plain = { ...call, flags: { ...call.flags, selector: '' } };
    const local = { ...plain, flags: { ...plain.flags, local: namesFiles(call.flags) } };
    const found = await named(call.path, () => liveOrLocal(local, call.args));
    await forEach(found, async (each) => {
      const made = overridden(serviceFor(call, each), call.flags.overrides);
      await createMade(call, { makes: 'services', made, did: 'exposed' });
    });
  },
});

const GENERATORS: readonly string[] = ['service/v1', 'service/v2'];

function checkGenerator({ flags: { generator }, path }: ExposeCall): void {
  if (!GENERATORS.includes(generator)) throw misused(`generator ${JSON.stringify(generator)} not found.`, path);
}

/** Where no object is named, or one of no kind, the error points to the help. */
async function named<T>(path: string, select: () => Promise<T>): Promise<T> {
  try {
    return await select();
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^error: /, '') : '';
    throw /^(You must provide|the server doesn't have)/.test(message) ? misused(message, path) : error;
  }
}

type Labels = Readonly<Record<string, string>>;
type Selecting = ApiObject & { readonly spec?: { readonly selector?: Labels | { readonly matchLabels?: Labels } } };

/** The labels of the pods that an object has; undefined for kinds without. */
function podLabels({ resource: { kind, group }, object }: Found): Labels | undefined {
  const selector = (object as Selecting).spec?.selector;
  if (kind === 'Pod') return object.metadata.labels;
  if (kind === 'Service' || kind === 'ReplicationController') return selector as Labels | undefined;
  if (kind === 'Deployment' || kind === 'ReplicaSet')
    return (selector as { readonly matchLabels?: Labels } | undefined)?.matchLabels;
  throw complaint(`cannot expose a ${kind}${group === '' ? '' : `.${group}`}`);
}

/** What the reference says of an object that selects no pods. */
const WITHOUT_LABELS: Readonly<Record<string, string>> = {
  Service: 'the service has no pod selector set',
  Pod: 'the pod has no labels and cannot be exposed',
};

function serviceFor(call: ExposeCall, found: Found): Made {
  const { flags } = call;
  const own = podLabels(found);
  const selector = flags.selector === '' ? own : labelsOfText(flags.selector);
  if (!selector)
    throw misused(
      `couldn't retrieve selectors via --selector flag or introspection: ${getOwn(WITHOUT_LABELS, found.resource.kind) ?? 'the object has none'}`,
      call.path,
    );
  const labels = flags.labels === '' ? found.object.metadata.labels : labelsOfText(flags.labels);
  const name = (flags.name || found.name).slice(0, 63);
  return {
    metadata: { name, ...(labels && Object.keys(labels).length > 0 ? { labels } : {}) },
    spec: {
      ...{ ports: portsFor(call, found), selector },
      ...(flags.type === '' ? {} : { type: flags.type }),
      ...(flags['cluster-ip'] === '' ? {} : { clusterIP: flags['cluster-ip'] }),
      ...(flags['external-ip'] === '' ? {} : { externalIPs: [flags['external-ip']] }),
      ...(flags['load-balancer-ip'] === '' || flags.type !== 'LoadBalancer'
        ? {}
        : { loadBalancerIP: flags['load-balancer-ip'] }),
      ...(flags['session-affinity'] === '' ? {} : { sessionAffinity: flags['session-affinity'] }),
    },
    status: { loadBalancer: {} },
  };
}

const numberOrName = (typed: string): unknown => (/^\d+$/.test(typed) ? Number(typed) : typed);

function portsFor({ flags, path }: ExposeCall, found: Found): readonly unknown[] {
  const { port: typed, 'target-port': target, protocol } = flags;
  const ports = typed === '' ? portsOf(found) : typed.split(',').map((each) => ({ port: portOf(each), protocol: '' }));
  if (ports.length === 0) throw misused("couldn't find port via --port flag or introspection", path);
  return ports.map((each, i) => ({
    ...(ports.length > 1 ? { name: `port-${i + 1}` } : {}),
    ...{ port: each.port, protocol: protocol || each.protocol || 'TCP' },
    targetPort: target === '' ? each.port : numberOrName(target),
  }));
}

function portOf(typed: string): number {
  if (/^[+-]?\d+$/.test(typed)) return Number(typed);
  throw complaint(`strconv.Atoi: parsing ${JSON.stringify(typed)}: invalid syntax`);
}

/** The ports of a service, or of the containers of what has pods. */
function portsOf({
  resource: { kind },
  object,
}: Found): readonly { readonly port: number; readonly protocol: string }[] {
  if (kind === 'Service') {
    const { spec } = object as ApiObject & Partial<Pick<objects.Service, 'spec'>>;
    return (spec?.ports ?? []).map(({ port, protocol = '' }) => ({ port, protocol }));
  }
  const containers = podSpecOf(object)?.containers ?? [];
  return containers.flatMap(({ ports }) =>
    (ports ?? []).map(({ containerPort, protocol = '' }) => ({ port: containerPort, protocol })),
  );
}

export const autoscale = command({
  name: 'autoscale',
  flags: {
    ...fileFlags,
    ...makingFlags,
    ...recordFlags,
    'cpu-percent': integer({ initial: -1 }),
    max: integer({
      initial: -1,
    }),
    min: integer({ initial: -1 }),
    name: text(),
  },
  run: async (call) => {
    requireFlags(call.given, 'max');
    const { max, min, name, 'cpu-percent': percent } = call.flags;
    if (max < 1) throw complaint(`--max=MAXPODS is required and must be at least 1, max: ${max}`);
    if (max < min) throw complaint(`--max=MAXPODS must be larger or equal to --min=MINPODS, max: ${max}, min: ${min}`);
    await forEach(await selectedObjects(call, call.args), async ({ resource, name: target }) => {
      if (!resource.subresources.includes('scale'))
        throw complaint(
          `cannot autoscale a ${resource.kind}: could not find scale subresource for ${resource.group}/${resource.version}, Resource=${resource.resource} in discovery information`,
        );
      const made = {
        metadata: { name: name || target },
        spec: {
          maxReplicas: max,
          ...(min > 0 ? { minReplicas: min } : {}),
          scaleTargetRef: { apiVersion: groupVersionOf(resource), kind: resource.kind, name: target },
          ...(percent >= 0 ? { targetCPUUtilizationPercentage: percent } : {}),
        },
        status: { currentReplicas: 0, desiredReplicas: 0 },
      };
      await createMade(call, { makes: 'horizontalpodautoscalers.v1.autoscaling', made, did: 'autoscaled' });
    });
  },
});
