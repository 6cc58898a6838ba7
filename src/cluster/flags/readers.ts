/** Loads the parsers for files and the rules of flags, if there are such files and flags. */
import { loadX509 } from '../../authn/index.ts';
import { scheduling } from '../../scheduler/index.ts';
import { loadYaml } from '../../std/index.ts';
import type { ClusterOptions } from '../options.ts';
import { seldomRules } from './rules/apiserver.ts';

/** Loads the parsers that a cluster's files and flags need. */
export async function loadReaders({ files = {}, apiserver = [], scheduler = [] }: ClusterOptions): Promise<void> {
  await Promise.all([
    hasConfiguration(files) && loadYaml(),
    hasCertificates(files) && loadX509(),
    apiserver.some((flag) => /^--?(audit|oidc|requestheader|service[-_]account)[-_]/.test(flag)) && seldomRules.load(),
    scheduler.some((flag) => /^--?(policy-)?config\b/.test(flag)) && scheduling.load(),
  ]);
}

type Files = NonNullable<ClusterOptions['files']>;

/** Whether files contain certificates, which are read at the start, so that an invalid one stops it. */
function hasCertificates(files: Files): boolean {
  return Object.values(files).some((text) => text.includes('-----BEGIN CERTIFICATE'));
}

/** Whether a file may be a YAML configuration: it is not a user table, and has no key or certificate. */
function hasConfiguration(files: Files): boolean {
  return Object.entries(files).some(([name, text]) => !name.endsWith('.csv') && !text.startsWith('-----BEGIN'));
}
