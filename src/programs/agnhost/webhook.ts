/** The reference's example of an admission webhook. */
import { encodeText, getOwn, toBase64 } from '../../std/index.ts';
import type { Process, Program } from '../process.ts';
import { serveReviews } from './reviews.ts';

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: ReviewRequest;
}

interface ReviewRequest {
  readonly uid: string;
  readonly name?: string;
  readonly operation?: string;
  readonly object?: Reviewed | null;
  readonly oldObject?: Reviewed | null;
}

/** The fields of an object that the handlers read. */
interface Reviewed {
  readonly metadata?: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly containers?: readonly Named[]; readonly initContainers?: readonly Named[] };
  readonly stdin?: boolean;
  readonly container?: string;
}

interface Named {
  readonly name: string;
}

interface Decision {
  readonly allowed: boolean;
  readonly status?: { readonly message?: string; readonly reason?: string };
  readonly patch?: string;
  readonly patchType?: 'JSONPatch';
}

type Handler = (request: ReviewRequest, process: Process) => Decision | Promise<Decision>;

const ALLOWED: Decision = { allowed: true };
const patched = (patch: unknown): Decision => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: toBase64(encodeText(JSON.stringify(patch))),
});
const denied = (reason: string): Decision => ({ allowed: false, status: { reason } });

/** Refuses objects whose data says so. */
const admitData =
  (what: string): Handler =>
  ({ operation, object, oldObject }) => {
    const deletes = operation === 'DELETE';
    const word = (deletes ? oldObject : object)?.data?.['webhook-e2e-test'];
    if (word === 'webhook-disallow' && (operation === 'CREATE' || operation === 'UPDATE'))
      return denied(
        what === 'configmap'
          ? 'the configmap contains unwanted key and value'
          : 'the custom resource contains unwanted data',
      );
    if (word === 'webhook-nondeletable' && deletes)
      return denied(`the ${what} cannot be deleted because it contains unwanted key and value`);
    return ALLOWED;
  };

/** Marks the two stages of a mutation in an object's data. */
const mutateData: Handler = ({ object }) => {
  const data = object?.data ?? {};
  const stage = data['mutation-stage-1'] === 'yes' ? 2 : data['mutation-start'] === 'yes' ? 1 : undefined;
  return stage === undefined ? ALLOWED : patched([{ op: 'add', path: `/data/mutation-stage-${stage}`, value: 'yes' }]);
};

const admitPods: Handler = async ({ object }, process) => {
  const label = object?.metadata?.labels?.['webhook-e2e-test'];
  if (label === 'wait-forever') await process.wait(new Promise(() => undefined));
  const problems = [
    ...(label === 'webhook-disallow' ? ['the pod contains unwanted label;'] : []),
    ...(object?.spec?.containers ?? []).flatMap(({ name }) =>
      name.includes('webhook-disallow') ? ['the pod contains unwanted container name;'] : [],
    ),
  ];
  return problems.length === 0 ? ALLOWED : { allowed: false, status: { message: problems.join(' ') } };
};

const mutatePods: Handler = ({ object }) => {
  const added = object?.spec?.initContainers?.some(({ name }) => name === 'webhook-added-init-container');
  if (object?.metadata?.name !== 'webhook-to-be-mutated' || added) return ALLOWED;
  return patched([
    {
      op: 'add',
      path: '/spec/initContainers',
      value: [{ image: 'webhook-added-image', name: 'webhook-added-init-container', resources: {} }],
    },
  ]);
};

const admitAttachment: Handler = ({ name, object }) => {
  const refuses = name === 'to-be-attached-pod' && object?.stdin === true && object.container === 'container1';
  return refuses
    ? { allowed: false, status: { message: "attaching to pod 'to-be-attached-pod' is not allowed" } }
    : ALLOWED;
};

const admitDefinition: Handler = ({ object }) =>
  object?.metadata?.labels?.['webhook-e2e-test'] === 'webhook-disallow'
    ? denied('the crd contains unwanted label')
    : ALLOWED;

const addLabel: Handler = ({ object }) => {
  const { labels } = object?.metadata ?? {};
  if (labels?.['added-label'] !== undefined) return ALLOWED;
  if (!labels || Object.keys(labels).length === 0)
    return patched([{ op: 'add', path: '/metadata/labels', value: { 'added-label': 'yes' } }]);
  return patched([{ op: 'add', path: '/metadata/labels/added-label', value: 'yes' }]);
};

const HANDLERS: Readonly<Record<string, Handler>> = {
  '/always-allow-delay-5s': async (_, process) => {
    await process.sleep(5000);
    return { allowed: true, status: { message: 'this webhook allows all requests' } };
  },
  '/always-deny': () => ({ allowed: false, status: { message: 'this webhook denies all requests' } }),
  '/add-label': addLabel,
  '/pods': admitPods,
  '/pods/attach': admitAttachment,
  '/mutating-pods': mutatePods,
  '/configmaps': admitData('configmap'),
  '/mutating-configmaps': mutateData,
  '/custom-resource': admitData('custom resource'),
  '/mutating-custom-resource': mutateData,
  '/crd': admitDefinition,
};

/** Serves admission reviews over TLS. */
export const webhook: Program = (process) =>
  serveReviews(process, ['sidecar-image='], async ({ pathname }, body) => {
    const handler = getOwn(HANDLERS, pathname);
    if (!handler) return undefined;
    const { apiVersion, kind, request } = JSON.parse(body) as Review;
    return { apiVersion, kind, response: { uid: request.uid, ...(await handler(request, process)) } };
  });
