/** `create deployment`, `job`, `cronjob`, `poddisruptionbudget`. */
import type { ApiObject } from '../../../schema/index.ts';
import { selectorOfText } from './selectors.ts';
import { complaint } from '../../command/errors.ts';
import { integer, text, texts } from '../../command/flags.ts';
import { selectedObjects } from '../../server/selected.ts';
import { afterDash, generator } from './generator.ts';

/** The name of a container with this image: the last part of its path, without tag and digest. */
function containerName(image: string): string {
  const last = image.slice(image.lastIndexOf('/') + 1);
  return (last.split(/[:@]/)[0] ?? '').toLowerCase().replace(/[^a-z0-9-]/g, '-');
}

const withCommand = (words: readonly string[]): { readonly command?: readonly string[] } =>
  words.length > 0 ? { command: words } : {};

export const deployment = generator({
  name: 'deployment',
  aliases: ['deploy', 'dep'],
  flags: {
    image: texts({ separator: ',' }),
    port: integer({ initial: -1 }),
    replicas: integer({ initial: 1, short: 'r' }),
  },
  required: ['image'],
  makes: 'deployments.apps',
  failure: 'failed to create deployment',
  make: (call, name) => {
    const { image, port, replicas } = call.flags;
    const words = afterDash(call);
    if (words.length > 0 && image.length > 1) throw complaint('cannot specify multiple --image options and command');
    const ports = port >= 0 ? { ports: [{ containerPort: port }] } : {};
    const containers = image.map((each, i) => ({
      ...{ image: each, name: containerName(each), resources: {} },
      ...withCommand(words),
      // As in the reference, the first container alone has the port.
      ...(i === 0 ? ports : {}),
    }));
    const labels = { app: name };
    return {
      metadata: { labels },
      spec: {
        ...{ replicas, selector: { matchLabels: labels }, strategy: {} },
        template: { metadata: { creationTimestamp: null, labels }, spec: { containers } },
      },
      status: {},
    };
  },
});

const podOf = (name: string, image: string, restartPolicy: string, words: readonly string[]): unknown => ({
  metadata: { creationTimestamp: null },
  spec: { containers: [{ image, name, resources: {}, ...withCommand(words) }], restartPolicy },
});

interface JobTemplate {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>>; readonly labels?: unknown };
  readonly spec?: unknown;
}

export const job = generator({
  name: 'job',
  flags: {
    from: text(),
    image: text(),
  },
  makes: 'jobs.batch',
  failure: 'failed to create job',
  make: async (call, name) => {
    const { from, image } = call.flags;
    if (from !== '' && afterDash(call).length > 0) throw complaint('cannot specify --from and command');
    if ((from === '') === (image === '')) throw complaint('either --image or --from must be specified');
    if (from === '') return { spec: { template: podOf(name, image, 'Never', afterDash(call)) }, status: {} };
    const none = { filename: [], kustomize: '', recursive: false, all: false, selector: '', 'field-selector': '' };
    const [found] = await selectedObjects({ ...call, flags: { ...call.flags, ...none } }, [from]);
    if (!found || found instanceof Error) throw found ?? complaint('no cronjob was found');
    if (found.resource.kind !== 'CronJob') throw complaint(`from must be an existing cronjob: ${from} is none`);
    const { spec } = found.object as ApiObject & { readonly spec?: { readonly jobTemplate?: JobTemplate } };
    const { metadata = {}, spec: jobSpec } = spec?.jobTemplate ?? {};
    const annotations = { 'cronjob.kubernetes.io/instantiate': 'manual', ...metadata.annotations };
    return {
      metadata: { annotations, ...(metadata.labels ? { labels: metadata.labels } : {}) },
      spec: jobSpec,
      status: {},
    };
  },
});

export const cronJob = generator({
  name: 'cronjob',
  aliases: ['cj'],
  flags: {
    image: text(),
    restart: text(),
    schedule: text(),
  },
  required: ['image', 'schedule'],
  makes: 'cronjobs.batch',
  failure: 'failed to create cronjob',
  make: (call, name) => {
    const { image, restart, schedule } = call.flags;
    const template = podOf(name, image, restart || 'OnFailure', afterDash(call));
    return {
      spec: { schedule, jobTemplate: { metadata: { creationTimestamp: null, name }, spec: { template } } },
      status: {},
    };
  },
});

/** A number, or a text such as `50%`. */
const amount = (typed: string): unknown => (/^\d+$/.test(typed) ? Number(typed) : typed);

export const podDisruptionBudget = generator({
  name: 'poddisruptionbudget',
  aliases: ['pdb'],
  flags: {
    'max-unavailable': text(),
    'min-available': text(),
    selector: text(),
  },
  makes: 'poddisruptionbudgets.policy',
  make: ({ flags: { 'max-unavailable': most, 'min-available': least, selector } }) => {
    if (selector === '') throw complaint('a selector must be specified');
    if (most === '' && least === '') throw complaint('one of min-available or max-unavailable must be specified');
    if (most !== '' && least !== '') throw complaint('min-available and max-unavailable cannot be both specified');
    return {
      spec: {
        ...(least === '' ? { maxUnavailable: amount(most) } : { minAvailable: amount(least) }),
        selector: selectorOfText(selector),
      },
      status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
    };
  },
});
