import { SystemError } from '../errors.ts';
import type { Process, Program } from '../process.ts';
import { fail, out, readOptions } from './tool.ts';

/** The name of a user or group as the container's files have it; its number where they don't. */
export function idName(process: Process, file: 'passwd' | 'group', id: number): string {
  return entries(process, file).find(([, , number]) => number === String(id))?.[0] ?? String(id);
}

/** The id of a user or group from its number or name; undefined if unknown. */
export function idOf(process: Process, file: 'passwd' | 'group', name: string): number | undefined {
  if (/^\d+$/.test(name)) return Number(name);
  const found = entries(process, file).find(([known]) => known === name)?.[2];
  return found === undefined ? undefined : Number(found);
}

function entries(process: Process, file: 'passwd' | 'group'): string[][] {
  try {
    return process.files
      .text(`/etc/${file}`)
      .split('\n')
      .map((line) => line.split(':'));
  } catch (problem) {
    if (problem instanceof SystemError) return [];
    throw problem;
  }
}

export const id: Program = async (process) => {
  const { uid, gid, groups } = process.user;
  const options = readOptions(process.args.slice(1), 'ugGnr');
  const names = options.has('n');
  const show = (file: 'passwd' | 'group', number: number): string =>
    names ? idName(process, file, number) : String(number);
  const all = [...new Set([gid, ...groups])];
  const named = (file: 'passwd' | 'group', number: number): string => {
    const name = idName(process, file, number);
    return name === String(number) ? name : `${number}(${name})`;
  };
  const text = options.has('u')
    ? show('passwd', uid)
    : options.has('g')
      ? show('group', gid)
      : options.has('G')
        ? all.map((group) => show('group', group)).join(' ')
        : `uid=${named('passwd', uid)} gid=${named('group', gid)} groups=${all.map((group) => named('group', group)).join(',')}`;
  await out(process, `${text}\n`);
  return 0;
};

export const whoami: Program = async (process) => {
  const name = idName(process, 'passwd', process.user.uid);
  if (/^\d+$/.test(name)) return fail(process, `unknown uid ${name}`);
  await out(process, `${name}\n`);
  return 0;
};
