import { describe, expect, it } from 'vitest';
import type { BootOptions } from '../../src/ui/host.ts';
import { draftOf, optionsOf, problemWithFlags } from '../../src/ui/panels/settings/draft.ts';

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
