import { strftime } from '../strftime.ts';
import type { Program } from '../process.ts';
import { fail, out, readOptions } from './tool.ts';

/** Nanoseconds, a letter that only `date` knows. */
const NANOSECONDS = { N: (time: Date) => `${String(time.getUTCMilliseconds()).padStart(3, '0')}000000` };

/** A moment by a format of `date`; times are UTC, as in images that say nothing else. */
export const formatDate = (format: string, ms: number): string => strftime(format, new Date(ms), NANOSECONDS);

export const date: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'uRI', 'dDrs', [
    'utc',
    'iso-8601',
    'iso-8601=',
    'rfc-3339=',
    'date=',
  ]);
  const given = options.value('d', 'date');
  const ms =
    given === undefined
      ? process.system.clock.now()
      : given.startsWith('@')
        ? Number(given.slice(1)) * 1000
        : Date.parse(/Z|[+-]\d\d:?\d\d$/.test(given) ? given : `${given}Z`);
  if (Number.isNaN(ms)) return fail(process, `invalid date '${given}'`);
  const long = options.has('rfc-3339')
    ? '+%F %T+00:00'
    : options.has('I', 'iso-8601')
      ? options.value('iso-8601')?.startsWith('s')
        ? '+%FT%T+00:00'
        : '+%F'
      : '+%a %b %e %H:%M:%S UTC %Y';
  const format =
    options.rest.find((word) => word.startsWith('+')) ?? (options.has('R') ? '+%a, %d %b %Y %T +0000' : long);
  await out(process, `${formatDate(format.slice(1), ms)}\n`);
  return 0;
};
