/** Commands beside what only reads: each asks the server for the same. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client } from '../../src/client/index.ts';
import type { Cluster } from '../../src/cluster/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { must } from '../../src/std/index.ts';
import { accessCommands, getCommand, rawListCommand, rightsCommand } from '../../src/ui/panels/commands/readings.ts';
import { decisionView, drainView, lifecycleView, nodesView } from '../../src/ui/panels/commands/views.ts';
import { loadResources, resourceOfKind, useResources, type Resource } from '../../src/ui/stores/resources.ts';
import { ourRunner } from '../cli/ours.ts';
import { asTransport, clusterFor, openInPage } from './transport.ts';

let cluster: Cluster;
let asked: URL[] = [];

beforeAll(async () => {
  const running = await clusterFor('k8s.io');
  cluster = {
    ...running,
    fetch: (request: Request) => {
      asked.push(new URL(request.url));
      const headers = new Headers(request.headers);
      headers.set('authorization', 'Bearer admintoken');
      return running.fetch(new Request(request, { headers }));
    },
  };
  openInPage(cluster, 'k8s.io');
  await loadResources(new Client({ transport: asTransport(cluster), names: namesOf('k8s.io'), userAgent: 'test' }));
});
afterAll(() => cluster.stop());
beforeEach(() => void (asked = []));

const resource = (apiVersion: string, kind: string): Resource =>
  must(resourceOfKind(useResources.getState().resources, apiVersion, kind), `${kind} is served`);

/** Runs a line; the requests that it sent for anything but discovery. */
async function requestsOf(line: string): Promise<readonly string[]> {
  const { code, err } = await ourRunner(cluster)(line.replace('kubectl ', ''), '');
  expect(err, line).not.toMatch(/^error/i);
  expect([0, 1], line).toContain(code);
  return asked
    .filter(({ pathname }) => pathname.split('/').length > 4 || /^\/api\/v1\/./.test(pathname))
    .map(({ pathname, searchParams }) => {
      for (const own of ['limit', 'timeout']) if (!line.includes('--raw')) searchParams.delete(own);
      return `${pathname}?${decodeURIComponent(searchParams.toString())}`.replace(/\?$/, '');
    });
}

describe('a list as a command', () => {
  test.each([
    ['v1', 'Pod', { namespace: 'default' }, [], 'kubectl get pods -n default', '/api/v1/namespaces/default/pods'],
    ['v1', 'Pod', { namespace: '' }, [], 'kubectl get pods -A', '/api/v1/pods'],
    ['v1', 'Node', { namespace: '' }, ['-o', 'wide'], 'kubectl get nodes -o wide', '/api/v1/nodes'],
    [
      'apps/v1',
      'Deployment',
      { namespace: 'default', labelSelector: 'app in (a, b)' },
      [],
      "kubectl get deployments -l 'app in (a, b)' -n default",
      '/apis/apps/v1/namespaces/default/deployments?labelSelector=app in (a, b)',
    ],
    [
      'v1',
      'Pod',
      { namespace: '', fieldSelector: 'spec.nodeName=n' },
      [],
      'kubectl get pods -A --field-selector=spec.nodeName=n',
      '/api/v1/pods?fieldSelector=spec.nodeName=n',
    ],
    [
      'rbac.authorization.k8s.io/v1',
      'Role',
      { namespace: 'default' },
      [],
      'kubectl get roles.rbac.authorization.k8s.io -n default',
      '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
    ],
  ] as const)('of %s %s, %j', async (apiVersion, kind, where, more, command, request) => {
    const line = getCommand({ resource: resource(apiVersion, kind), ...where }, more);
    expect(line).toBe(command);
    expect((await requestsOf(line)).map((each) => each.replaceAll('+', ' '))).toEqual([request]);
  });

  test('with parameters is sent as it is; those without a value are left out', async () => {
    const listing = { resource: resource('v1', 'ConfigMap'), namespace: 'default' };
    const line = rawListCommand(listing, { limit: 2, continue: '', labelSelector: 'a=b', watch: undefined });
    expect(line).toBe(`kubectl get --raw '/api/v1/namespaces/default/configmaps?limit=2&labelSelector=a%3Db'`);
    expect(await requestsOf(line)).toEqual(['/api/v1/namespaces/default/configmaps?limit=2&labelSelector=a=b']);
    expect(rawListCommand(listing, {})).toBe('kubectl get --raw /api/v1/namespaces/default/configmaps');
  });
});

describe('a question about access as commands', () => {
  const wish = { verb: 'get', subresource: '', namespace: 'default', name: '' };

  test.each([
    ['in a namespace', 'Pod', wish, 'get pods -n default'],
    ['in the whole cluster', 'Pod', { ...wish, namespace: '' }, 'get pods -A'],
    ['of one name', 'Pod', { ...wish, name: 'web' }, 'get pods/web -n default'],
    ['of a subresource', 'Pod', { ...wish, subresource: 'log' }, 'get pods --subresource=log -n default'],
    ['of what has no namespace', 'Node', wish, 'get nodes -A'],
  ])('%s', async (_, kind, asks, words) => {
    const lines = accessCommands({ ...asks, resource: resource('v1', kind) });
    expect(lines).toEqual([`kubectl auth who-can ${words}`, `kubectl auth can-i ${words}`]);
    for (const line of lines) expect(await requestsOf(line)).not.toEqual([]);
  });

  test('what somebody may do is asked as that one', async () => {
    const jane = { name: 'jane', groups: ['dev', 'system:authenticated'] };
    const line = rightsCommand(jane, 'default');
    expect(line).toBe('kubectl auth can-i --list --as=jane --as-group=dev -n default');
    expect(await requestsOf(line)).toEqual(['/apis/authorization.k8s.io/v1/selfsubjectrulesreviews']);
  });
});

describe('what a view shows, as commands', () => {
  test.each([
    ['how full nodes are', () => nodesView, ['describe nodes', 'get pods -A --field-selector=spec.nodeName=']],
    ['a pod’s decision', () => decisionView('pod', 'default/web'), ['describe pod/web -n default']],
    ['a drain', () => drainView('a'), ['drain a --ignore-daemonsets --delete-emptydir-data --force --dry-run=server']],
    [
      'a roll-out',
      () =>
        lifecycleView('rollout', { resource: resource('apps/v1', 'Deployment'), namespace: 'default', name: 'web' }),
      ['rollout status deployment/web --watch=false -n default', 'rollout history deployment/web -n default'],
    ],
    [
      'a pod’s life',
      () => lifecycleView('pod', { resource: resource('v1', 'Pod'), namespace: 'default', name: 'web' }),
      ['describe pod/web -n default'],
    ],
  ] as const)('%s', async (_, view, commands) => {
    const way = view();
    const lines = 'commands' in way ? way.commands() : [];
    expect(lines).toEqual(commands.map((each) => `kubectl ${each}`));
    for (const line of lines) {
      const { err } = await ourRunner(cluster)(line.replace('kubectl ', ''), '');
      expect(err, line).not.toMatch(/unknown|argument|See '/);
    }
  });
});
