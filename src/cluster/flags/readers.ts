/** What files are read with is loaded only where there is something for it to read. */
import { loadX509 } from '../../authn/index.ts';
import { scheduling } from '../../scheduler/index.ts';
import { loadYaml } from '../../std/index.ts';
import type { ClusterOptions } from '../options.ts';

/** Loads whatever the files and flags of a cluster are read with. */
export async function loadReaders({ files = {}, scheduler = [] }: ClusterOptions): Promise<void> {
  await Promise.all([
    hasConfiguration(files) && loadYaml(),
    hasCertificates(files) && loadX509(),
    scheduler.some((flag) => /^--?(policy-)?config\b/.test(flag)) && scheduling.load(),
  ]);
}

type Files = NonNullable<ClusterOptions['files']>;

/** Whether files hold certificates, which are read at the start, so that a broken one stops it. */
function hasCertificates(files: Files): boolean {
  return Object.values(files).some((text) => text.includes('-----BEGIN CERTIFICATE'));
}

/** Whether a file may be a configuration, which is YAML: it is no table of users, and holds no key or certificate. */
function hasConfiguration(files: Files): boolean {
  return Object.entries(files).some(([name, text]) => !name.endsWith('.csv') && !text.startsWith('-----BEGIN'));
}
