import { command, type Call } from '../../command/command.ts';
import { complaint } from '../../command/errors.ts';
import { text, toggle, type Flags } from '../../command/flags.ts';
import { withEntry, type Entry } from '../../kubeconfig/kubeconfig.ts';
import { configOf, fileEntry, keepConfig, merged, oneName } from './place.ts';

const flags = {
  'certificate-authority': text(),
  'embed-certs': toggle(),
  'insecure-skip-tls-verify': toggle(),
  server: text(),
  'tls-server-name': text(),
} as const satisfies Flags;

type ClusterCall = Call<typeof flags>;

export const setCluster = command({
  name: 'set-cluster',
  offline: true,
  flags,
  run: async (call) => {
    const name = await oneName(call, 'cluster');
    const changes = await changesOf(call);
    const config = await configOf(call);
    const entry = changes.reduce((now, change) => merged(now, ...change), config.clusters.get(name) ?? {});
    await keepConfig(call, withEntry(config, 'clusters', name, entry));
    call.session.out(`Cluster ${JSON.stringify(name)} set.\n`);
  },
});

/** What is given, and what that takes away. */
type Change = readonly [given: Entry, gone?: readonly string[]];

async function changesOf(call: ClusterCall): Promise<readonly Change[]> {
  const { flags: said, given } = call;
  const authority = said['certificate-authority'];
  const insecure = said['insecure-skip-tls-verify'];
  if (insecure && authority !== '')
    throw complaint('you cannot specify a certificate authority and insecure mode at the same time');
  if (said['embed-certs'] && authority === '') throw complaint('you must specify a --certificate-authority to embed');
  const changes: Change[] = [];
  // Another server has another name, unless one is given, too.
  if (given.has('server')) changes.push([{ server: said.server }, ['tls-server-name']]);
  if (given.has('tls-server-name')) changes.push([{ 'tls-server-name': said['tls-server-name'] }]);
  if (given.has('insecure-skip-tls-verify'))
    changes.push([{ 'insecure-skip-tls-verify': insecure }, insecure ? AUTHORITY : []]);
  if (given.has('certificate-authority'))
    changes.push([
      await fileEntry(call, 'certificate-authority', authority, said['embed-certs']),
      authority === '' ? [] : TRUST,
    ]);
  return changes;
}

const AUTHORITY = ['certificate-authority', 'certificate-authority-data'];
const TRUST = [...AUTHORITY, 'insecure-skip-tls-verify'];
