/** What a body in YAML is read as, and which texts are refused, as the reference's server does. */
import { beforeAll, describe, expect, it } from 'vitest';
import { parseYaml, yamlReader } from '../../src/apiserver/codec/body.ts';
import { openCluster } from './client.ts';

beforeAll(() => yamlReader.load());

describe('a text is read', () => {
  it.each<[string, string, unknown]>([
    ['nothing', '', null],
    ['only the first document', '---\na: b\n---\nc: d', { a: 'b' }],
    ['a key that is a number', '1: a\n1.5: b\n0x10: c', { 1: 'a', 1.5: 'b', 16: 'c' }],
    ['a key that is a boolean', 'yes: a\nfalse: b', { true: 'a', false: 'b' }],
    ['a date', 'a: 2020-01-01\n2020-01-02: b', { a: '2020-01-01', '2020-01-02': 'b' }],
    ['an exponent without a sign', 'a: 1e3\nb: 1e+3', { a: '1e3', b: 1000 }],
    ['a merged map', 'a: &x {b: c}\nd:\n  <<: *x\n  e: f', { a: { b: 'c' }, d: { b: 'c', e: 'f' } }],
    ['base64', 'a: !!binary aGk=', { a: 'hi' }],
    ['base64 in lines', 'a: !!binary |\n  aG\n  k=', { a: 'hi' }],
    ['a directive before a document', '%YAML 1.1\n---\na: b', { a: 'b' }],
    ['an end after a document', 'a: b\n...\n', { a: 'b' }],
    ['a next line in quotes', 'a: "b\\u0085"', { a: 'b\u0085' }],
  ])('%s', (_what, text, value) => expect(parseYaml(text)).toEqual(value));
});

describe('a text is refused', () => {
  it.each([
    ['a list as a key', '[a]: b', 'yaml: invalid map key: ["a"]'],
    ['a map as a key', '{a: b}: c', 'yaml: invalid map key: {"a":"b"}'],
    ['no key', 'null: a', 'yaml: invalid map key: null'],
    ['an empty key', '? \n: b', 'yaml: invalid map key: null'],
    ['a broken base64', 'a: !!binary x', 'yaml: !!binary value contains invalid base64 data'],
    ['a control character', 'a: "\u0001"', 'yaml: control characters are not allowed'],
    ['a zero', 'a: "\0"', 'yaml: control characters are not allowed'],
    ['a directive alone', '%', 'yaml: did not find expected node content'],
    ['an end alone', '...', 'yaml: did not find expected node content'],
    ['a tab for an indent', 'a:\n\t- b', 'yaml: line 2: found character that cannot start any token'],
    ['a colon too many', 'a: b: c', 'yaml: mapping values are not allowed in this context'],
    ['an open map', '{', 'yaml: line 1: did not find expected node content'],
    ['half of a surrogate pair', 'a: "\\ud800"', 'yaml: found invalid Unicode character escape code'],
  ])('%s', (_what, text, problem) => expect(() => parseYaml(text)).toThrow(problem));
});

describe('a server', () => {
  it('names the kind that it expected of an unreadable body, and shows how the body begins', async () => {
    const client = await openCluster();
    const maps = '/api/v1/namespaces/default/configmaps';
    const message = async (body: string, type: string): Promise<string> =>
      String((await client.send('POST', maps, body, { 'content-type': type })).body['message']);
    const unrecognized = 'the object provided is unrecognized (must be of type ConfigMap): ';
    expect(await message('a: b: c', 'application/yaml')).toBe(
      `${unrecognized}yaml: mapping values are not allowed in this context (613a20623a2063)`,
    );
    expect(await message('', 'application/json')).toMatch(/\(<empty>\)$/);
    const long = `{"data": {"a": "${'x'.repeat(40)}"`;
    expect(await message(long, 'application/json')).toContain(`(${long.slice(0, 30)} ...)`);
    expect((await client.send('POST', maps, 'null')).body['reason']).toBe('Invalid');
    await client.cluster.stop();
  });
});
