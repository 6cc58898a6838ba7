/** `run`: one pod with an image. */
import { pods } from '../../client/index.ts';
import { isImageName, isObject } from '../../std/index.ts';
import { command, type Call } from '../command/command.ts';
import { deletionFlags } from '../command/cascade.ts';
import { dryRunOf } from '../command/dryRun.ts';
import { complaint, misused, requireFlags } from '../command/errors.ts';
import { integer, text, texts, toggle } from '../command/flags.ts';
import { recordFlags } from '../command/record.ts';
import { attachFlags, talkTo } from '../server/attached.ts';
import { fileFlags } from '../server/manifests.ts';
import { createFlags } from './create.ts';
import { createMade, overridden, type Made } from './generators/generator.ts';
import { labelsOfText } from './generators/selectors.ts';
import { amounts } from './set/containers.ts';

const { validate: _, ...makingFlags } = createFlags;

/** Flags of older clients, which change nothing any more. */
const idleFlags = {
  generator: text(),
  replicas: text(),
  schedule: text(),
};

const flags = {
  ...idleFlags,
  ...makingFlags,
  ...fileFlags,
  ...recordFlags,
  ...deletionFlags,
  ...attachFlags,
  annotations: texts(),
  attach: toggle(),
  command: toggle(),
  env: texts(),
  expose: toggle(),
  image: text(),
  'image-pull-policy': text(),
  labels: text({ short: 'l' }),
  limits: text(),
  overrides: text(),
  port: text(),
  requests: text(),
  rm: toggle(),
  serviceaccount: text(),
  hostport: integer({ initial: -1 }),
  privileged: toggle(),
};

type RunCall = Call<typeof flags>;

export const runPod = command({
  name: 'run',
  flags,
  run: async (call) => {
    requireFlags(call.given, 'image');
    for (const each of Object.keys(idleFlags).filter((flag) => call.given.has(flag)))
      call.session.err(`Flag --${each} has been deprecated, has no effect and will be removed in the future.\n`);
    const name = check(call);
    const labels = call.flags.labels === '' ? { run: name } : labelsOfText(call.flags.labels);
    const pod = withResources(overridden(podFor(call, name, labels), call.flags.overrides));
    if (call.flags.expose)
      await createMade(call, { makes: 'services', made: serviceFor(call, name, labels), did: 'created' });
    if (call.flags.expose && call.flags.output === 'yaml') call.session.out('---\n---\n');
    if (isAttached(call.flags)) return runAttached(call, pod);
    await createMade(call, { makes: 'pods', made: pod, did: 'created' });
  },
});

const isAttached = (given: RunCall['flags']): boolean => given.attach || given.stdin || given.tty;

/** Creates the pod, talks with its program, and with `--rm` deletes it however that ended. */
async function runAttached(call: RunCall, made: Made): Promise<void> {
  const { client, session, flags: given } = call;
  const pod = await createMade(call, { makes: 'pods', made, did: undefined });
  try {
    await talkTo(call, pod.metadata.name ?? '');
  } finally {
    if (given.rm) {
      const { 'grace-period': grace } = given;
      await client.of(pods).delete(pod, grace >= 0 ? { gracePeriodSeconds: grace } : {});
      if (!given.quiet) session.out(`pod ${JSON.stringify(pod.metadata.name)} deleted\n`);
    }
  }
}

/** The pod's name. Throws for flags that do not go together. */
function check({ args, argsBeforeDash, flags: given, path }: RunCall): string {
  const [name] = argsBeforeDash < 0 ? args : args.slice(0, argsBeforeDash);
  if (name === undefined) throw misused('NAME is required for run', path);
  if (given.image === '') throw complaint('--image is required');
  if (!isImageName(given.image))
    throw complaint(`Invalid image name ${JSON.stringify(given.image)}: invalid reference format`);
  const attaches = isAttached(given);
  if (given.tty && !given.stdin) throw misused('-i/--stdin is required for containers with -t/--tty=true', path);
  if (given.expose && given.port === '') throw misused('--port must be set when exposing a service', path);
  if (!['Always', 'OnFailure', 'Never'].includes(given.restart))
    throw misused(`invalid restart policy: ${given.restart}`, path);
  if (attaches && dryRunOf(given['dry-run']) !== 'none')
    throw misused(
      "--dry-run=[server|client] can't be used with attached containers options (--attach, --stdin, or --tty)",
      path,
    );
  if (given.hostport > 0 && given.port === '') throw complaint('--hostport requires --port to be specified');
  if (given.rm && !attaches) throw misused('--rm should only be used for attached containers', path);
  return name;
}

type Labels = Readonly<Record<string, string>>;

function podFor({ args, flags: given }: RunCall, name: string, labels: Labels): Made {
  const words = args.slice(1);
  const [limits, requests] = [amounts(given.limits), amounts(given.requests)];
  const hostPort = given.hostport > 0 ? { hostPort: given.hostport } : {};
  const container = {
    ...{ image: given.image, name },
    resources: { ...(limits ? { limits } : {}), ...(requests ? { requests } : {}) },
    ...(words.length > 0 ? { [given.command ? 'command' : 'args']: words } : {}),
    ...(given.env.length > 0 ? { env: given.env.map(variable).map(withoutEmpty) } : {}),
    ...(given['image-pull-policy'] === '' ? {} : { imagePullPolicy: given['image-pull-policy'] }),
    ...(given.port === '' ? {} : { ports: [{ containerPort: Number(given.port), ...hostPort }] }),
    ...(given.privileged ? { securityContext: { privileged: true } } : {}),
    ...(given.stdin ? { stdin: true } : {}),
    ...(given.stdin && !given['leave-stdin-open'] ? { stdinOnce: true } : {}),
    ...(given.tty ? { tty: true } : {}),
  };
  const annotations = given.annotations.map((each) => variable(each)).map((each) => [each.name, each.value] as const);
  return {
    metadata: { name, labels, ...(annotations.length > 0 ? { annotations: Object.fromEntries(annotations) } : {}) },
    spec: {
      ...{ containers: [container], dnsPolicy: 'ClusterFirst', restartPolicy: given.restart },
      ...(given.serviceaccount === '' ? {} : { serviceAccountName: given.serviceaccount }),
    },
    status: {},
  };
}

function variable(typed: string): { readonly name: string; readonly value: string } {
  const equals = typed.indexOf('=');
  if (equals < 1) throw complaint(`invalid env: ${typed}`);
  return { name: typed.slice(0, equals), value: typed.slice(equals + 1) };
}

/** A variable without a value has no such field. */
const withoutEmpty = ({ name, value }: ReturnType<typeof variable>) => ({ name, ...(value === '' ? {} : { value }) });

/** Containers of overrides have the fields that every container has. */
function withResources(pod: Made): Made {
  const spec = pod['spec'];
  if (!isObject(spec) || !Array.isArray(spec['containers'])) return pod;
  const containers = (spec['containers'] as readonly unknown[]).map((each) =>
    isObject(each) ? { resources: {}, ...each } : each,
  );
  return { ...pod, spec: { ...spec, containers } };
}

function serviceFor({ flags: { port } }: RunCall, name: string, selector: Labels): Made {
  const number = Number(port);
  return {
    metadata: { name },
    spec: { ports: [{ port: number, protocol: 'TCP', targetPort: number }], selector },
    status: { loadBalancer: {} },
  };
}
