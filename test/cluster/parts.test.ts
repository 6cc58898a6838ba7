import { expect, it } from 'vitest';
import { programParts } from '../../src/cluster/index.ts';
import { readSources } from '../architecture/source.ts';

/** `std` defines `Part`. Hosts, commands, lessons and the page load theirs when somebody asks for them: nothing that a cluster decides depends on those. */
const core = readSources().filter(({ path }) => !/^src\/(std|ui|hosts|lessons|cli|terminal)\//.test(path));

it('every part is in the list that is loaded at the start', () => {
  const made = core.flatMap(({ path, tree }) => [...tree.text.matchAll(/\bnew Part\b/g)].map(() => path));
  expect(programParts.length, made.join('\n')).toBe(made.length);
  expect(new Set(programParts).size).toBe(programParts.length);
  expect(programParts.filter(({ loaded }) => !loaded)).toEqual([]);
});
