/** Validates `--runtime-config` against the API groups (specification, Versioning 3). */
import type { FlagProblem } from './parse.ts';
import { readBool, ValueError } from './values.ts';

/** A version of a group that this server can serve; the core group's name is empty. */
export interface ServedVersion {
  readonly group: string;
  readonly version: string;
}

const FLAG = 'runtime-config';
const STAGES = ['api/all', 'api/ga', 'api/beta', 'api/alpha'];

/** All errors in pairs such as `batch/v2alpha1=true`. */
export function problemsWithRuntimeConfig(
  pairs: readonly string[],
  versions: readonly ServedVersion[],
): readonly FlagProblem[] {
  if (pairs.length === 1 && pairs[0] === 'api/all=false') return [problem('invalid key with only api/all=false')];
  const unknown = new Set<string>();
  const problems = pairs.flatMap((pair) => {
    const at = pair.indexOf('=');
    const [key, value] = [pair.slice(0, at), pair.slice(at + 1)];
    return [...problemWithKey(key, versions, unknown), ...problemWithValue(key, value)];
  });
  return unknown.size === 0 ? problems : [...problems, problem(`unknown api groups ${[...unknown].join(',')}`)];
}

const problem = (message: string): FlagProblem => ({ flag: FLAG, message });

function problemWithKey(key: string, versions: readonly ServedVersion[], unknown: Set<string>): FlagProblem[] {
  // The core group has several common spellings.
  if (STAGES.includes(key) || /^(v1|\/v1|api\/v1)(\/\w+)?$/.test(key)) return [];
  const [group = '', version, ...rest] = key.split('/');
  if (version === undefined || rest.length > 1) return [problem(`runtime-config invalid key ${key}`)];
  const ofGroup = versions.filter((each) => each.group === group);
  if (ofGroup.length === 0) unknown.add(group);
  else if (!ofGroup.some((each) => each.version === version))
    return [problem(`group version ${group}/${version} that has not been registered`)];
  return [];
}

function problemWithValue(key: string, value: string): FlagProblem[] {
  try {
    if (value !== '') readBool(value);
    return [];
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    return [problem(`invalid value of ${key}: ${value}, err: ${error.message}`)];
  }
}
