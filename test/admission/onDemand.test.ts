/** Plugins whose code comes when they are needed: what the list says of them, and what happens until they are there. */
import { describe, expect, it } from 'vitest';
import { loadedOnDemand, type PluginPart } from '../../src/admission/onDemand.ts';
import { enabledPlugins, plugins, type Operation, type PluginDeclaration } from '../../src/admission/index.ts';
import { StatusError } from '../../src/schema/index.ts';
import { clone, Part, PartError } from '../../src/std/index.ts';
import { depsOf, pluginIn, pod, request } from './helpers.ts';

const OPERATIONS: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];
const CONTEXT = { reinvocation: false, reinvoke: () => undefined };

describe('the plugin list agrees with the plugins', () => {
  const parts = plugins.filter((entry) => 'part' in entry);

  it.each(parts)('$name: its name, and whether it is on', ({ name, on, part }) => {
    expect({ name: part.get().name, on: part.get().on }).toEqual({ name, on });
  });

  it.each(parts.filter(({ until }) => until))('$name: its operations and phases', (entry) => {
    const [own, listed] = [pluginIn(entry.name), loadedOnDemand(entry, depsOf({}))];
    const told = ({ admit, validate, handles }: typeof own): unknown => ({
      operations: OPERATIONS.filter((operation) => handles(operation)),
      phases: [admit && 'mutating', validate && 'validating'].filter(Boolean),
    });
    expect(told(listed)).toEqual(told(own));
  });
});

describe('what the list says of a plugin that changes objects at once', () => {
  const targets = [
    ...['pods', 'pods/status', 'pods/ephemeralcontainers', 'nodes', 'nodes/status', 'events', 'configmaps', 'services'],
    ...['persistentvolumes', 'persistentvolumeclaims', 'persistentvolumeclaims/status', 'secrets', 'endpoints'],
    ...[
      'ingresses.networking.k8s.io',
      'priorityclasses.scheduling.k8s.io',
      'deployments.apps',
      'leases.coordination.k8s.io',
    ],
  ];
  const requests = targets.flatMap((target) => [`CREATE ${target}`, `UPDATE ${target}`]);
  const isOfPod = (what: string): boolean => / pods/.test(what);

  it.each(plugins.filter((entry) => entry.on))('$name: it changes nothing of what it is not to', async ({ name }) => {
    const [plugin] = await enabledPlugins({ enable: '', disable: '', only: name }, () => depsOf({}));
    if (!plugin?.admit) return;
    for (const what of requests) {
      const object = isOfPod(what) ? pod() : { metadata: { name: 'n', namespace: 'ns' } };
      const attributes = request(what, { object, old: object });
      const before = clone(attributes.object);
      if (!plugin.handles(attributes.operation) || plugin.changesAtOnce?.(attributes) !== false) continue;
      try {
        if (plugin.admit(attributes, CONTEXT)) continue;
      } catch (error) {
        expect(error).toBeInstanceOf(StatusError);
      }
      expect(attributes.object, what).toEqual(before);
    }
  });
});

describe('a plugin that is not loaded', () => {
  const seen: string[] = [];
  const declaration: PluginDeclaration = {
    name: 'Nosy',
    on: true,
    create: () => ({ name: 'Nosy', handles: () => true, admit: ({ name }) => void seen.push(name) }),
  };
  let reachable = false;
  const fetch = (): Promise<{ nosy: PluginDeclaration }> =>
    reachable ? Promise.resolve({ nosy: declaration }) : Promise.reject(new Error('no network'));
  const entry: PluginPart = {
    name: 'Nosy',
    on: true,
    part: new Part(fetch).of('nosy'),
    operations: ['CREATE'],
    phases: ['mutating'],
    until: ({ resource }) => resource.resource === 'pods',
  };
  const plugin = loadedOnDemand(entry, depsOf({}));

  it('admits requests that it does not apply to', () => {
    expect(plugin.admit?.(request('CREATE configmaps', { name: 'a' }), CONTEXT)).toBeUndefined();
    expect(entry.part.part.loaded).toBe(false);
  });

  it('refuses other requests while it can’t be loaded, and works once it can', async () => {
    const create = (): ReturnType<typeof request> => request('CREATE pods', { name: 'b' });
    await expect(plugin.admit?.(create(), CONTEXT)).rejects.toThrow(PartError);
    reachable = true;
    await plugin.admit?.(create(), CONTEXT);
    expect(seen).toEqual(['b']);
    expect(plugin.admit?.(request('CREATE configmaps', { name: 'c' }), CONTEXT)).toBeUndefined();
    expect(seen).toEqual(['b', 'c']);
  });
});
