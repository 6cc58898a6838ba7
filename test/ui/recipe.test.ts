import { describe, expect, it } from 'vitest';
import { looksLikeRecipe, parseRecipe, printRecipe, RecipeError, type Recipe } from '../../src/ui/share/recipe.ts';

const recipe: Recipe = {
  name: 'shop',
  options: {
    naming: 'k8s.io',
    nodes: 3,
    clock: 10,
    schedulerPaused: true,
    apiserver: ['--authorization-mode=RBAC'],
    seed: 'seven',
  },
  manifests: 'kind: ConfigMap\n',
  open: 'network/map?ns=shop',
  lesson: { id: 'roles', step: 2 },
  commands: ['kubectl get pods -n shop'],
};

const changed = (change: object): string => JSON.stringify({ vitrine: 'vitrine/1', ...recipe, ...change });

describe('a recipe', () => {
  it('is read as it was printed', () => {
    expect(parseRecipe(printRecipe(recipe))).toEqual(recipe);
    expect(looksLikeRecipe(printRecipe(recipe))).toBe(true);
    expect(looksLikeRecipe('kind: ConfigMap')).toBe(false);
  });

  it.each([
    ['is cut off', printRecipe(recipe).slice(0, -4), 'not complete'],
    ['is something else', '[1, 2]', 'not a cluster of Vitrine'],
    ['is of another version', changed({ vitrine: 'vitrine/9' }), 'another version ("vitrine/9")'],
    ['has a name that names no cluster', changed({ name: '../up' }), 'no name for a cluster'],
    ['has no options', changed({ options: 3 }), 'how the cluster is made'],
    ['has names of nobody', changed({ options: { naming: 'example.com' } }), 'neither k8s.io nor cluster.io'],
    ['wants too many nodes', changed({ options: { naming: 'k8s.io', nodes: 1e6 } }), 'from 0 to 100'],
    ['has a clock that is none', changed({ options: { naming: 'k8s.io', clock: 'sundial' } }), 'options.clock'],
    ['has flags that are no texts', changed({ options: { naming: 'k8s.io', apiserver: [1] } }), 'options.apiserver'],
    ['has manifests that are no text', changed({ manifests: {} }), 'not a text'],
    ['leads nowhere', changed({ open: 7 }), 'not an address'],
    ['names a lesson that can be none', changed({ lesson: { id: '../x', step: 0 } }), 'no lesson'],
    ['asks for a task before the first', changed({ lesson: { id: 'roles', step: -1 } }), 'no lesson'],
    ['has commands that are no lines', changed({ commands: ['a\nb'] }), 'Its commands'],
    ['has commands that steer the terminal', changed({ commands: ['\u001b[2J'] }), 'Its commands'],
    ['has commands whose order is turned', changed({ commands: ['kubectl get \u202epods'] }), 'Its commands'],
    ['has commands with unseen characters', changed({ commands: ['kubectl get po\u200bds'] }), 'Its commands'],
    ['has very many commands', changed({ commands: Array(21).fill('ls') }), 'Its commands'],
  ])('that %s is refused in words', (_what, text, words) => {
    expect(() => parseRecipe(text)).toThrow(RecipeError);
    expect(() => parseRecipe(text)).toThrow(words);
  });

  it('carries nothing but what it may hold: no files, no storage, no other fields', () => {
    const options = { naming: 'k8s.io', files: { 'tokens.csv': 'x' }, storage: 'memory', unknown: 1 };
    const read = parseRecipe(changed({ options, secret: 'x', __proto__: { polluted: true } }));
    expect(read.options).toEqual({ naming: 'k8s.io' });
    expect(Object.keys(read).sort()).toEqual(['commands', 'lesson', 'manifests', 'name', 'open', 'options']);
  });
});
