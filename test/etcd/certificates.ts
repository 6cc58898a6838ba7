/** Certificates for an etcd of a test, in files: an authority, a server at 127.0.0.1 and a client. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthorityFiles, openAuthority } from '../../src/authn/x509/authority.ts';
import { exportPrivateKey, generateKeys } from '../../src/authn/x509/keys.ts';
import { loadX509 } from '../../src/authn/x509/library.ts';
import { realClock, seededRandom } from '../../src/std/index.ts';

const HOUR_MS = 3_600_000;

export interface Certificates {
  readonly files: Readonly<Record<'ca' | 'serverCert' | 'serverKey' | 'clientCert' | 'clientKey', string>>;
  close(): void;
}

export async function makeCertificates(): Promise<Certificates> {
  await loadX509();
  const deps = { clock: realClock(), random: seededRandom('etcd') };
  const own = await createAuthorityFiles('etcd', deps);
  const authority = await openAuthority(own, deps);
  const issue = async (commonName: string): Promise<{ cert: string; key: string }> => {
    const { publicKey, privateKey } = await generateKeys();
    const options = {
      ...{ usages: ['server auth', 'client auth', 'digital signature'], durationMs: HOUR_MS },
      names: { ip: ['127.0.0.1'], dns: ['localhost'] },
    };
    return { cert: await authority.issue({ commonName }, publicKey, options), key: await exportPrivateKey(privateKey) };
  };
  const [server, client] = [await issue('server'), await issue('client')];
  const directory = mkdtempSync(join(tmpdir(), 'vitrine-certificates-'));
  const kept = (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  return {
    files: {
      ca: kept('ca.crt', own.certificate),
      serverCert: kept('server.crt', server.cert),
      serverKey: kept('server.key', server.key),
      clientCert: kept('client.crt', client.cert),
      clientKey: kept('client.key', client.key),
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
}
