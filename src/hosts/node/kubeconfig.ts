/** The file by which the field's clients find a server and prove who they are. */
import { stringify } from 'yaml';

export interface KubeconfigOptions {
  /** The name of cluster, user and context. */
  readonly name: string;
  readonly url: string;
  /** PEM of the authority to trust; none for a server without TLS, or with a certificate from elsewhere. */
  readonly authority: string | undefined;
  readonly token: string;
}

/** The text of a kubeconfig for one cluster and one user. */
export function kubeconfigOf({ name, url, authority, token }: KubeconfigOptions): string {
  const data = authority && { 'certificate-authority-data': Buffer.from(authority).toString('base64') };
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server: url, ...data } }],
    users: [{ name: `${name}-admin`, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: `${name}-admin` } }],
  });
}
