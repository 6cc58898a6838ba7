/** ImagePolicyWebhook: what the service is asked, what its answers mean, how long they are kept, and what happens without one. */
import { describe, expect, it } from 'vitest';
import { loadYaml, manualClock } from '../../src/std/index.ts';
import { pluginIn, pod, request, START, verdictOf, type Raw, type World } from './helpers.ts';

await loadYaml();

const KUBECONFIG = `
clusters: [{name: c, cluster: {server: "https://images.example/policy", certificate-authority-data: QQ==}}]
users: [{name: u, user: {token: secret}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x`;

interface Service {
  readonly asked: {
    readonly url: string;
    readonly token: string | null;
    readonly authorities: string | undefined;
    readonly body: unknown;
  }[];
  readonly fetch: NonNullable<World['fetch']>;
}

/** A service that answers by a status, a code or not at all. */
function service(answer: Raw | number | Error): Service {
  const asked: Service['asked'] = [];
  const fetch: Service['fetch'] = async (sent, trust) => {
    asked.push({
      url: sent.url,
      token: sent.headers.get('authorization'),
      authorities: trust?.authorities,
      body: await sent.json(),
    });
    if (answer instanceof Error) throw answer;
    if (typeof answer === 'number') return new Response('', { status: answer });
    return Response.json({ status: answer, spec: { containers: [{ image: 'ignored' }] } });
  };
  return { asked, fetch };
}

const worldOf = ({ fetch }: Service, policy: Raw = {}): World => ({
  fetch,
  clock: manualClock(START),
  files: { kube: KUBECONFIG },
  config: { imagePolicy: { kubeConfigFile: 'kube', ...policy } },
});

const annotated = pod(
  { initContainers: [{ name: 'i', image: 'init' }] },
  {
    annotations: { 'a.image-policy.k8s.io/ticket': '7', other: 'x' },
  },
);
const ask = (): ReturnType<typeof request> => request('CREATE pods', { object: annotated });

describe('ImagePolicyWebhook', () => {
  it('sends images, namespace, and the matching annotations', async () => {
    const images = service({ allowed: true });
    expect(await verdictOf(pluginIn('ImagePolicyWebhook', worldOf(images)), ask())).toBe('allowed');
    expect(images.asked).toEqual([
      {
        url: 'https://images.example/policy',
        token: 'Bearer secret',
        authorities: 'A',
        body: {
          kind: 'ImageReview',
          apiVersion: 'imagepolicy.k8s.io/v1alpha1',
          metadata: { creationTimestamp: null },
          spec: {
            containers: [{ image: 'nginx' }, { image: 'init' }],
            annotations: { 'a.image-policy.k8s.io/ticket': '7' },
            namespace: 'ns',
          },
          status: { allowed: false },
        },
      },
    ]);
  });

  it.each<[string, Raw | number, Raw, string, Readonly<Record<string, string>>]>([
    ['yes', { allowed: true }, {}, 'allowed', {}],
    ['no', { allowed: false }, {}, 'one or more images rejected by webhook backend', {}],
    [
      'no, because',
      { allowed: false, reason: 'nginx is banned' },
      {},
      'image policy webhook backend denied one or more images: nginx is banned',
      {},
    ],
    [
      'yes, with notes',
      { allowed: true, auditAnnotations: { ticket: '7' } },
      {},
      'allowed',
      { 'imagepolicywebhook.image-policy.k8s.io/ticket': '7' },
    ],
    ['an error that stays', 404, {}, 'https://images.example/policy answered 404', {}],
    [
      'an error that stays, where pods run without an answer',
      404,
      { defaultAllow: true },
      'allowed',
      { 'imagepolicywebhook.image-policy.k8s.io/failed-open': 'true' },
    ],
  ])('%s', async (_what, answer, policy, expected, audit) => {
    const attributes = ask();
    const verdict = await verdictOf(pluginIn('ImagePolicyWebhook', worldOf(service(answer), policy)), attributes);
    expect(verdict).toBe(expected === 'allowed' ? expected : `403 pods "p" is forbidden: ${expected}`);
    expect(Object.fromEntries(attributes.audit)).toEqual(audit);
  });

  it.each<[string, Raw, Raw, number, number]>([
    ['allowed: kept for allowTTL', { allowed: true }, { allowTTL: 60 }, 59_000, 1],
    ['allowed: asked again after allowTTL', { allowed: true }, { allowTTL: 60 }, 60_000, 2],
    ['denied: kept for denyTTL', { allowed: false }, { denyTTL: 10 }, 9_000, 1],
    ['denied: asked again after denyTTL', { allowed: false }, { denyTTL: 10 }, 10_000, 2],
    ['not kept at all', { allowed: true }, { allowTTL: -1 }, 0, 2],
    ['by default for five minutes', { allowed: true }, {}, 299_000, 1],
  ])('%s', async (_what, answer, policy, later, times) => {
    const images = service(answer);
    const world = worldOf(images, policy);
    const plugin = pluginIn('ImagePolicyWebhook', world);
    await verdictOf(plugin, ask());
    await world.clock?.step(later);
    await verdictOf(plugin, ask());
    expect(images.asked.length).toBe(times);
  });

  it('retries after retryBackoff, with each delay half as long again', async () => {
    const images = service(new Error('no route'));
    const world = worldOf(images, { retryBackoff: 1000 });
    const verdict = verdictOf(pluginIn('ImagePolicyWebhook', world), ask());
    const asked = (): number => images.asked.length;
    for (const [before, wait] of [1000, 1500, 2250, 3375].entries()) {
      await expect.poll(asked).toBe(before + 1);
      await world.clock?.step(wait - 1);
      expect(asked()).toBe(before + 1);
      await world.clock?.step(1);
    }
    await expect.poll(asked).toBe(5);
    expect(await verdict).toBe('403 pods "p" is forbidden: no route');
  });

  it('needs its API group to be enabled', () => {
    const world = { ...worldOf(service({ allowed: true })), runtimeConfig: '' };
    expect(() => pluginIn('ImagePolicyWebhook', world)).toThrow(
      'webhook plugin requires enabling extension resource: imagepolicy.k8s.io/v1alpha1',
    );
  });

  it('reviews only pods', async () => {
    const images = service({ allowed: false });
    const plugin = pluginIn('ImagePolicyWebhook', worldOf(images));
    expect(await verdictOf(plugin, request('CREATE configmaps', { object: { metadata: { name: 'm' } } }))).toBe(
      'allowed',
    );
    expect(images.asked).toEqual([]);
  });
});
