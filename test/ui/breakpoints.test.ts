import { expect, it } from 'vitest';
import type { Held } from '../../src/trace/index.ts';
import { editable, withLedger } from '../../src/ui/panels/requests/breakpoints/heldObject.ts';
import { breakpointText, standing, whyNotEditable } from '../../src/ui/panels/requests/breakpoints/words.ts';
import { breakpointOf } from '../../src/ui/stores/breakpoints.ts';

it('leaves what nothing was said of open, and never holds the page’s own reads', () => {
  expect(breakpointOf({ before: 'storage', verb: '', resource: 'pods', user: '' }, '3')).toEqual({
    id: '3',
    before: 'storage',
    resource: 'pods',
    exceptAgent: 'vitrine-observer',
  });
});

it.each([
  [{ verb: 'create', resource: 'pods' }, 'create pods by people'],
  [{ user: 'alice' }, 'any verb anything by alice'],
])('says what %j holds', (part, text) => {
  expect(breakpointText({ id: '1', before: 'x', ...part })).toBe(text);
});

const held: Held = {
  request: 'r',
  verb: 'create',
  resource: 'pods',
  user: 'u',
  userAgent: '',
  breakpoint: '1',
  before: 'Priority',
  phase: 'mutating',
  editable: false,
  object: {},
};

it.each<[Partial<Held>, RegExp | undefined]>([
  [{ editable: true }, undefined],
  [{ object: undefined }, /no object/],
  [{ resource: 'secrets' }, /without their data/],
  [{ phase: 'validating' }, /read-only/],
  [{ before: 'storage' }, /read-only/],
])('says why an object can’t be edited: %j', (part, why) => {
  const text = whyNotEditable({ ...held, ...part });
  if (why) expect(text).toMatch(why);
  else expect(text).toBeUndefined();
});

it.each([
  ['authorization', 'step 1 of 3'],
  ['storage', 'step 3 of 3'],
  ['Unheard', undefined],
])('says where %s stands', (before, text) => {
  expect(standing(['authorization', 'admission', 'Priority', 'storage'], before)).toBe(text);
});

it('shows an object without its ledger, and gives that back with what was edited', () => {
  const ledger = [{ manager: 'me' }];
  const object = { kind: 'Pod', metadata: { name: 'a', creationTimestamp: null, managedFields: ledger } };
  expect(editable(object)).toBe('kind: Pod\nmetadata:\n  name: a\n');
  expect(editable(undefined)).toBe('');
  expect(withLedger({ kind: 'Pod', metadata: { name: 'b' } }, object)).toEqual({
    kind: 'Pod',
    metadata: { name: 'b', managedFields: ledger },
  });
});
