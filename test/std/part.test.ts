import { describe, expect, it } from 'vitest';
import { loadAll, Part, PartError } from '../../src/std/index.ts';

interface World {
  there: boolean;
  asked: number;
}

/** A part that can be had while `there` says so; counts how often it was asked for. */
function flaky(): World & { readonly part: Part<{ readonly word: string }> } {
  const world: World = { there: false, asked: 0 };
  const part = new Part(() => {
    world.asked++;
    return world.there ? Promise.resolve({ word: 'glass' }) : Promise.reject(new Error('no network'));
  });
  return Object.assign(world, { part });
}

describe('a part of the program', () => {
  it('is fetched once, however many want it', async () => {
    const world = flaky();
    world.there = true;
    expect(world.part.loaded).toBe(false);
    await Promise.all([world.part.load(), world.part.load(), loadAll([world.part])]);
    expect([world.part.loaded, world.part.get().word, world.asked]).toEqual([true, 'glass', 1]);
  });

  it('forgets that it could not be had, so that the next use tries again', async () => {
    const world = flaky();
    await expect(world.part.load()).rejects.toThrow(new PartError(new Error('no network')));
    expect(world.part.loaded).toBe(false);
    world.there = true;
    expect((await world.part.load()).word).toBe('glass');
    expect(world.asked).toBe(2);
  });

  it('gives one of its things once it is here, and refuses before', async () => {
    const world = flaky();
    const word = world.part.of('word');
    expect(() => word.get()).toThrow('used before it is fetched');
    world.there = true;
    await word.part.load();
    expect(word.get()).toBe('glass');
  });
});
