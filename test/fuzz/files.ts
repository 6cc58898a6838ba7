/** Configuration files that a cluster is started with. */
import fc from 'fast-check';
import { parsePolicy, PolicyError } from '../../src/audit/index.ts';
import { AbacPolicyError, parseAbacPolicies } from '../../src/authz/abac.ts';
import { namesOf } from '../../src/names/index.ts';
import { ConfigurationError, readConfiguration } from '../../src/scheduler/config/index.ts';
import type { FileInput } from './input.ts';
import { jsonOf, oddTexts } from './words.ts';

const names = namesOf('k8s.io');

export interface Reader {
  readonly read: (text: string) => unknown;
  /** What it throws where the file is at fault. */
  readonly refusal: new (message: string) => Error;
  readonly apiVersion: string;
  readonly kind: string;
}

/** The readers of files, by what the file is for. */
export const readers: Readonly<Record<string, Reader>> = {
  audit: {
    read: (text) => parsePolicy(text, names),
    refusal: PolicyError,
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
  },
  abac: {
    read: (text) => parseAbacPolicies(text, names),
    refusal: AbacPolicyError,
    apiVersion: 'abac.authorization.kubernetes.io/v1beta1',
    kind: 'Policy',
  },
  scheduler: {
    read: readConfiguration,
    refusal: ConfigurationError,
    apiVersion: 'kubescheduler.config.k8s.io/v1beta1',
    kind: 'KubeSchedulerConfiguration',
  },
};

const keys = fc.oneof(
  fc.constantFrom('rules', 'level', 'users', 'userGroups', 'verbs', 'resources', 'group', 'omitStages', 'namespaces'),
  fc.constantFrom('spec', 'user', 'resource', 'namespace', 'readonly', 'apiGroup', 'nonResourcePath', 'kind'),
  fc.constantFrom(
    'profiles',
    'schedulerName',
    'plugins',
    'pluginConfig',
    'filter',
    'enabled',
    'disabled',
    'name',
    'args',
  ),
  oddTexts,
);

export const files: fc.Arbitrary<FileInput> = fc
  .tuple(
    fc.constantFrom(...Object.keys(readers)),
    fc.dictionary(keys, jsonOf(keys), { maxKeys: 4 }),
    fc.option(oddTexts, { freq: 9 }),
  )
  .map(([file, content, tail]) => {
    const { apiVersion, kind } = readers[file] as Reader;
    return { file, text: `${JSON.stringify({ apiVersion, kind, ...content })}${tail ?? ''}` };
  });
