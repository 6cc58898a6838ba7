import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { components } from '../../src/cluster/flags/index.ts';
import { gates } from '../../src/cluster/gates.ts';

/** The text of every source file in which flags could be read; declarations and checks of flags are none. */
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('ui/'))
  .filter((path) => !/^cluster\/(flags\/(?!read\.ts)|gates\.ts)/.test(path))
  .map((path) => readFileSync(join('src', path), 'utf8'))
  .join('\n');

const isRead = (name: string): boolean => [`'${name}'`, `\`${name}\``].some((literal) => sources.includes(literal));

/** Which groups of flags are read under a name that is put together, and by which literal. */
const COMPOSED = [[/^audit-(log|webhook)-(.*)$/, '$2']] as const;

function isReadComposed(name: string): boolean {
  return COMPOSED.some(([pattern, literal]) => pattern.test(name) && sources.includes(name.replace(pattern, literal)));
}

describe('a flag that works', () => {
  it.each(components)('is read somewhere: $title', ({ flags }) => {
    const working = flags.filter(({ noEffect, alias }) => noEffect === undefined && alias === undefined);
    const unread = working.filter(({ name }) => !isRead(name) && !isReadComposed(name));
    expect(unread.map(({ name }) => name)).toEqual([]);
  });

  it.each(components)('and no other, by $title’s own name for it', ({ key, flags }) => {
    // Names that several components share may be read for one and mean nothing in another.
    const others = components.filter((component) => component.key !== key).flatMap((component) => component.flags);
    const own = flags.filter(
      ({ name, noEffect }) => noEffect !== undefined && !others.some((flag) => flag.name === name),
    );
    expect(own.filter(({ name }) => name.includes('-') && isRead(name)).map(({ name }) => name)).toEqual([]);
  });
});

describe('a gate', () => {
  it('is read somewhere, or says why not', () => {
    const switches = ['AllAlpha', 'AllBeta'];
    const unread = Object.entries(gates).filter(
      ([name, { noEffect }]) => noEffect === undefined && !switches.includes(name) && !isRead(name),
    );
    expect(unread.map(([name]) => name)).toEqual([]);
  });

  it('without effect is read nowhere', () => {
    // Features that became part of every cluster have names that kinds and plugins have as well.
    const inert = Object.entries(gates).filter(([, { noEffect, stage }]) => noEffect !== undefined && stage !== 'ga');
    const read = inert.filter(([name]) => isRead(name));
    expect(read.map(([name]) => name)).toEqual([]);
  });
});
