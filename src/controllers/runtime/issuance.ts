/** Operations that need the cluster's keys; the composition root provides them. */
export interface Issuance {
  /** Issues the token of a secret; missing if `--service-account-private-key-file` is not set. */
  readonly accountToken?: (account: AccountIdentity, secretName: string) => Promise<string>;
  /** PEM bundle of `--root-ca-file`, which is in every account's secret and every namespace. */
  readonly rootCA?: string;
  /** Parses a certificate signing request (PEM). Throws if it is invalid. */
  readonly readRequest: (pem: string) => Promise<RequestedCertificate>;
  /** The signer with this name; undefined if it has no CA. */
  readonly signerOf: (signerName: string) => CertificateSigner | undefined;
}

export interface AccountIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Subject and alternative names of a request. */
export interface RequestedCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
}

export interface CertificateSigner {
  /** Returns the certificate as PEM. */
  sign(
    requestPem: string,
    options: { readonly usages: readonly string[]; readonly durationMs: number },
  ): Promise<string>;
}

/** For a manager without keys: nothing is issued. */
export const withoutKeys: Issuance = {
  readRequest: () => Promise.reject(new Error('no keys: requests are not read')),
  signerOf: () => undefined,
};
