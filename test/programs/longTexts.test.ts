/** Long texts are read in linear time: one that grows with the square of the length would not end within the limit. */
import { expect, test } from 'vitest';
import { format } from '../../src/programs/tools/printf.ts';
import { parseTime } from '../../src/programs/tools/tool.ts';
import { Input, isTrue } from '../../src/programs/tools/awk/values.ts';
import { LoopbackNetwork } from '../../src/programs/index.ts';
import { Box } from './harness.ts';

const LONG = 300_000;
const many = (text: string): string => text.repeat(LONG);

test('flags of a directive of printf without a type', () => {
  expect(format(`%${many('0')}`, [])).toBe(`%${many('0')}`);
  expect(format('%05d|%5d|%-05d|%0*d', ['1', '2', '3', '4', '5'])).toBe('00001|    2|3    |0005');
});

test('digits of a time that is none', () => {
  expect(parseTime(`${many('0')}x`)).toBeUndefined();
  expect(['1', '1.', '.5', '1.5m', '.', ''].map(parseTime)).toEqual([1000, 1000, 500, 90_000, undefined, undefined]);
});

test('digits of an input of awk that is no number', () => {
  expect(isTrue(new Input(`${many('0')}x`))).toBe(true);
  expect(['0', '0.', '.0', '0.0', '1.5', '.'].map((text) => isTrue(new Input(text)))).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
  ]);
});

test('marks in a template of mktemp that do not end it', async () => {
  const ran = await new Box().run(['mktemp', `/none/${many('X')}.`]);
  expect(ran.code).not.toBe(0);
});

test.each([
  ['httpd', ['httpd-foreground'], 'usr/local/apache2/conf/httpd.conf', `${many('\n')}Listen 80\n`, 'It works!'],
  ['nginx', ['nginx'], 'etc/nginx/conf.d/default.conf', `server { listen ${many('0')}x; }`, ''],
])('the configuration of %s', async (image, args, path, text, answer) => {
  const network = new LoopbackNetwork();
  const server = new Box({ image, network: network.at('10.0.0.1'), files: { [path]: text } });
  server.start(args);
  const client = new Box({ image: 'agnhost', network: network.at('10.0.0.2'), clock: server.clock });
  expect((await client.sh('curl -s 10.0.0.1')).stdout).toContain(answer);
});
