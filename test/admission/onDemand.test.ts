/** Plugins whose code comes when they are needed: what the list says of them, and what happens until they are there. */
import { describe, expect, it } from 'vitest';
import { loadedOnDemand, type PluginPart } from '../../src/admission/onDemand.ts';
import { plugins, type Operation, type PluginDeclaration } from '../../src/admission/index.ts';
import { Part, PartError } from '../../src/std/index.ts';
import { depsOf, pluginIn, request } from './helpers.ts';

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
    const pod = (): ReturnType<typeof request> => request('CREATE pods', { name: 'b' });
    await expect(plugin.admit?.(pod(), CONTEXT)).rejects.toThrow(PartError);
    reachable = true;
    await plugin.admit?.(pod(), CONTEXT);
    expect(seen).toEqual(['b']);
    expect(plugin.admit?.(request('CREATE configmaps', { name: 'c' }), CONTEXT)).toBeUndefined();
    expect(seen).toEqual(['b', 'c']);
  });
});
