import { describe, expect, it } from 'vitest';
import { TokenFileError } from '../../src/authn/index.ts';
import { parseCsv } from '../../src/authn/csv.ts';
import { chain, get, shown } from './helpers.ts';

const TOKENS = [
  'admintoken,admin,uid-admin,"system:masters"',
  'alicetoken,alice,uid-alice,"dev,ops"',
  'bobtoken,bob,uid-bob',
  ',nobody,uid-nobody',
  'twice,first,1',
  'twice,second,2',
].join('\n');

describe('static tokens', () => {
  it.each([
    ['admintoken', 'admin [system:masters, system:authenticated]'],
    ['alicetoken', 'alice [dev, ops, system:authenticated]'],
    ['bobtoken', 'bob [system:authenticated]'],
    ['twice', 'second [system:authenticated]'],
    ['unknown', 'refused'],
    [undefined, 'system:anonymous [system:unauthenticated]'],
  ])('%s → %s', async (token, expected) => {
    expect(shown(await chain({ tokenFile: TOKENS }).authenticate(get(token)))).toBe(expected);
  });

  it.each([
    ['Bearer alicetoken', 'alice'],
    ['bearer alicetoken', 'alice'],
    ['  Bearer alicetoken ', 'alice'],
    ['Bearer alicetoken and more', 'alice'],
    ['Bearer', 'system:anonymous'],
    ['Basic YTpi', 'system:anonymous'],
    ['alicetoken', 'system:anonymous'],
    ['Bearer  alicetoken', 'system:anonymous'],
  ])('the header %j means %s', async (authorization, name) => {
    const { user } = await chain({ tokenFile: TOKENS }).authenticate(get(undefined, { authorization }));
    expect(user?.name).toBe(name);
  });

  it('are accepted in WebSocket subprotocols, where headers can’t be set', async () => {
    const protocol = `base64url.bearer.authorization.k8s.io.${btoa('alicetoken').replace(/=+$/, '')}`;
    const asked = async (protocols: string): Promise<string> =>
      shown(await chain({ tokenFile: TOKENS }).authenticate(get(undefined, { 'sec-websocket-protocol': protocols })));
    expect(await asked(`${protocol}, base64.channel.k8s.io`)).toBe('alice [dev, ops, system:authenticated]');
    expect(await asked(protocol)).toBe('system:anonymous [system:unauthenticated]');
    expect(await asked(`base64url.bearer.authorization.k8s.io.${btoa('unknown')}, x`)).toBe('refused');
  });

  it('a file with too few fields is refused', () => {
    expect(() => chain({ tokenFile: 'token,user' })).toThrow(TokenFileError);
  });

  it('are read as comma-separated values', () => {
    expect(parseCsv('a,b\r\n\n"x ""y"", z",,\n"two\nlines"')).toEqual([
      ['a', 'b'],
      ['x "y", z', '', ''],
      ['two\nlines'],
    ]);
    expect(() => parseCsv('a,"b')).toThrow('malformed');
  });
});

describe('anonymous', () => {
  it('is refused if it is disabled', async () => {
    expect(shown(await chain({ anonymous: false }).authenticate(get()))).toBe('refused');
  });
});

describe('attempts', () => {
  it('are traced with the result of each method, without secrets', async () => {
    const { attempts } = await chain({ tokenFile: TOKENS }).authenticate(get('not-a-known-token'));
    expect(attempts.map(({ method, outcome }) => [method, outcome])).toEqual([
      ['token file', 'passed'],
      ['bearer token', 'refused'],
      ['web socket token', 'passed'],
    ]);
    expect(JSON.stringify(attempts)).not.toContain('not-a-known-token');
  });
});

describe('reviews of tokens', () => {
  const review = (token: string, audiences: string[]) => chain({ tokenFile: TOKENS }).review(token, audiences);
  it.each([
    ['alicetoken', [], 'alice [dev, ops, system:authenticated]', ['https://cluster']],
    ['alicetoken', ['x', 'https://cluster'], 'alice [dev, ops, system:authenticated]', ['https://cluster']],
    ['alicetoken', ['x'], 'refused', undefined],
    ['unknown', [], 'refused', undefined],
  ])('%s for %j → %s', async (token, audiences, expected, shared) => {
    const answer = await review(token, audiences);
    expect([shown(answer), answer.audiences]).toEqual([expected, shared]);
  });
});
