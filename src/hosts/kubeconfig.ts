/** The file by which the field's clients find a server and prove who they are. */
import { stringify } from 'yaml';
import { encodeText, toBase64 } from '../std/index.ts';

export interface KubeconfigOptions {
  /** The name of cluster, user and context. */
  readonly name: string;
  readonly url: string;
  /** PEM of the authority to trust; none for a server without TLS, or with a certificate from elsewhere. */
  readonly authority: string | undefined;
  readonly user: Credentials;
}

/** By what the user proves to be one; certificate and key are PEM. */
export type Credentials = { readonly token: string } | { readonly certificate: string; readonly key: string };

/** The text of a kubeconfig for one cluster and one user. */
export function kubeconfigOf({ name, url, authority, user }: KubeconfigOptions): string {
  const data = authority && { 'certificate-authority-data': base64(authority) };
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [{ name, cluster: { server: url, ...data } }],
      users: [{ name: `${name}-admin`, user: credentials(user) }],
      contexts: [{ name, context: { cluster: name, user: `${name}-admin` } }],
    },
    { lineWidth: 0 },
  );
}

const base64 = (text: string): string => toBase64(encodeText(text));

const credentials = (user: Credentials): object =>
  'token' in user ? user : { 'client-certificate-data': base64(user.certificate), 'client-key-data': base64(user.key) };
