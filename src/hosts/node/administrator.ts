import type { ClusterOptions } from '../../cluster/index.ts';

const file = 'serve/administrator.csv';

/**
 * Ensures access: options without tokens would create a cluster for which nobody has credentials. Then it gets a token
 * for an administrator, which the host can print.
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
