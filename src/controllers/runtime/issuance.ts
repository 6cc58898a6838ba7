/** What only those can do who hold the cluster's keys; the composition root, which has them, hands it in. */
export interface Issuance {
  /** Makes the token of a secret; missing where `--service-account-private-key-file` is not set. */
  readonly accountToken?: (account: AccountIdentity, secretName: string) => Promise<string>;
  /** PEM bundle of `--root-ca-file`, which every account's secret and every namespace holds. */
  readonly rootCA?: string;
  /** What a certificate signing request (PEM) asks for. Throws where it can't be read. */
  readonly readRequest: (pem: string) => Promise<RequestedCertificate>;
  /** Signs for a signer; missing where that signer has no authority. */
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
  /** Gives the certificate as PEM. */
  sign(
    requestPem: string,
    options: { readonly usages: readonly string[]; readonly durationMs: number },
  ): Promise<string>;
}

/** For a manager that was given no keys: nothing is issued. */
export const withoutKeys: Issuance = {
  readRequest: () => Promise.reject(new Error('no keys: requests are not read')),
  signerOf: () => undefined,
};
