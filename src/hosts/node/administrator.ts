import type { ClusterOptions } from '../../cluster/index.ts';

const file = 'serve/administrator.csv';

/**
 * Lets somebody in: options that name no tokens would leave a cluster that nobody has the credentials for. It gets a token for
 * an administrator then, which whoever serves it can hand out.
 */
export function withAdministrator(
  options: ClusterOptions,
  makeToken: () => string,
): { readonly cluster: ClusterOptions; readonly token?: string } {
  const flags = options.apiserver ?? [];
  if (flags.some((flag) => flag.startsWith('--token-auth-file'))) return { cluster: options };
  const token = makeToken();
  const cluster = {
    ...options,
    apiserver: [...flags, `--token-auth-file=${file}`],
    files: { ...options.files, [file]: `${token},admin,admin,system:masters\n` },
  };
  return { cluster, token };
}
