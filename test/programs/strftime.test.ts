import { expect, test } from 'vitest';
import { strftime } from '../../src/programs/index.ts';

const time = new Date('2021-03-05T00:07:09.042Z');

test.each([
  ['%Y-%m-%d %H:%M:%S', '2021-03-05 00:07:09'],
  ['%F %T, %D %R', '2021-03-05 00:07:09, 03/05/21 00:07'],
  ['%x %X', '03/05/21 00:07:09'],
  ['%c', 'Fri Mar  5 00:07:09 2021'],
  ['%a %A %b %h %B', 'Fri Friday Mar Mar March'],
  ['%I %p', '12 AM'],
  ['%e|%-e|%-d|%-H', ' 5|5|5|0'],
  ['%j %u %w %y', '064 5 5 21'],
  ['%s %z %Z', '1614902829 +0000 UTC'],
  ['%%F %n%t', '%F \n\t'],
  ['%q %N %', '%q %N %'],
  ['%é', '%é'],
])('%j is written as %j', (format, written) => {
  expect(strftime(format, time)).toBe(written);
});

test('a caller adds letters of its own, and cannot change the common ones', () => {
  const letters = { N: (at: Date) => String(at.getUTCMilliseconds()), Y: () => 'never' };
  expect(strftime('%Y %N', time, letters)).toBe('2021 42');
});
