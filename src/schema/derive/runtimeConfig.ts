/** What `--runtime-config` switches on and off (specification, Versioning 3). */
import type { Group } from '../define/kind.ts';

export interface RuntimeConfig {
  /** Whether a group's version is served; `name` is the group's name in full. */
  serves(group: Group, name: string, version: string): boolean;
  /** Whether a resource of a served version is served. */
  servesResource(groupVersion: string, resource: string): boolean;
}

const STAGES = [
  ['api/all', /./],
  ['api/ga', /^v\d+$/],
  ['api/beta', /^v\d+beta\d+$/],
  ['api/alpha', /^v\d+alpha\d+$/],
] as const;

/** Reads pairs such as `batch/v2alpha1=true,api/beta=false`; a key without a value is on. */
export function parseRuntimeConfig(text: string): RuntimeConfig {
  const switches = new Map(text.split(',').filter(Boolean).map(readPair));
  const apiVersion = (group: string, version: string): string => (group === '' ? version : `${group}/${version}`);
  return {
    serves: ({ off = [] }, name, version) => {
      let on = !off.includes(version);
      for (const [key, stage] of STAGES) if (stage.test(version)) on = switches.get(key) ?? on;
      return switches.get(apiVersion(name, version)) ?? on;
    },
    servesResource: (groupVersion, resource) => switches.get(`${groupVersion}/${resource}`) ?? true,
  };
}

function readPair(pair: string): [string, boolean] {
  const [key = '', value = 'true'] = pair.trim().split('=');
  return [key.replace(/^api\/v1$/, 'v1'), value === '' || /^(1|t|true)$/i.test(value)];
}
