import { describe, expect, it } from 'vitest';
import type { BootOptions } from '../../src/ui/host.ts';
import {
  draftOf,
  gatesIn,
  optionsOf,
  problemWithFlags,
  valuesIn,
  withGate,
  withValues,
} from '../../src/ui/panels/settings/draft.ts';

const made: BootOptions = {
  name: 'demo',
  naming: 'k8s.io',
  storage: 'indexeddb',
  nodes: 3,
  apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'],
  controllerManager: [],
  scheduler: [],
  files: { 'tokens.csv': 'a,b,c\n' },
};

describe('a cluster’s settings', () => {
  it('come back from their text as they were', () => {
    expect(optionsOf(draftOf(made), made)).toEqual(made);
  });

  it('keep what can’t be edited', () => {
    const changed = optionsOf({ ...draftOf(made), nodes: '5', apiserver: ' --v=2 \n\n' }, made);
    expect(changed).toMatchObject({ name: 'demo', naming: 'k8s.io', nodes: 5, apiserver: ['--v=2'] });
  });

  it.each([
    ['--authorization-mode=RBAC', undefined],
    ['--profiling\n\n--v=2', undefined],
    ['authorization-mode=RBAC', 'authorization-mode=RBAC'],
    ['--ok\n-short', '-short'],
    ['', undefined],
  ])('of %j are wrong at %s', (text, part) => {
    const problem = problemWithFlags(text);
    expect(problem === undefined ? undefined : part !== undefined && problem.includes(part)).toBe(
      part === undefined ? undefined : true,
    );
  });
});

describe('a component’s arguments', () => {
  const flags = [
    { name: 'profiling', isSwitch: true },
    { name: 'event-ttl', isSwitch: false },
    { name: 'concurrent_rc_syncs', isSwitch: false },
  ];
  const text = '--profiling\n--event-ttl\n1h\n--unknown=1\n--event_ttl=2h\n--concurrent-rc-syncs=3';

  it('are read flag by flag, whichever way they are written', () => {
    expect(Object.fromEntries(valuesIn(text, flags))).toEqual({
      profiling: ['true'],
      'event-ttl': ['1h', '2h'],
      concurrent_rc_syncs: ['3'],
    });
  });

  it.each([
    ['event-ttl', ['5m'], '--profiling\n--event-ttl=5m\n--unknown=1\n--concurrent-rc-syncs=3'],
    ['event-ttl', [], '--profiling\n--unknown=1\n--concurrent-rc-syncs=3'],
    [
      'profiling',
      ['false'],
      '--profiling=false\n--event-ttl\n1h\n--unknown=1\n--event_ttl=2h\n--concurrent-rc-syncs=3',
    ],
  ])('keep everything else when %s becomes %j', (name, values, expected) => {
    expect(withValues(text, flags, name, values)).toBe(expected);
  });

  it('take a new flag at the end', () => {
    expect(withValues('--profiling', flags, 'event-ttl', ['1h'])).toBe('--profiling\n--event-ttl=1h');
  });

  it('set one gate among others', () => {
    const values = ['A=true,B=false', 'C=true'];
    expect([...gatesIn(values)]).toEqual([
      ['A', true],
      ['B', false],
      ['C', true],
    ]);
    expect(withGate(values, 'B', undefined)).toEqual(['A=true,C=true']);
    expect(withGate(values, 'A', false)).toEqual(['A=false,B=false,C=true']);
    expect(withGate(['A=true'], 'A', undefined)).toEqual([]);
    expect(withGate([], 'A', true)).toEqual(['A=true']);
  });
});
