/** What the tests of credentials share: authorities and keys made here, requests sent by the page, and who it was for the cluster. */
import type { Page } from '@playwright/test';
import {
  createAuthorityFiles,
  exportPrivateKey,
  generateKeys,
  openAuthority,
  type Authority,
  type AuthorityFiles,
} from '../src/authn/index.ts';
import { proveRequest, type ClientCertificate } from '../src/client/index.ts';
import type { ClusterOptions } from '../src/cluster/index.ts';
import { realClock, seededRandom } from '../src/std/index.ts';
import { administrator, bootHere, boot } from './support.ts';

const deps = { clock: realClock(), random: seededRandom('e2e') };
export const HOUR_MS = 3600_000;

export interface MadeAuthority {
  readonly files: AuthorityFiles;
  readonly authority: Authority;
}

export async function makeAuthority(name: string): Promise<MadeAuthority> {
  const files = await createAuthorityFiles(name, deps);
  return { files, authority: await openAuthority(files, deps) };
}

/** A client's certificate, for an hour from now on. */
export async function certificateOf(
  { authority }: MadeAuthority,
  commonName: string,
  organizations: readonly string[] = [],
  usages: readonly string[] = ['client auth'],
): Promise<ClientCertificate> {
  const { publicKey, privateKey } = await generateKeys();
  const options = { usages, durationMs: HOUR_MS };
  return { certificate: await authority.issue({ commonName, organizations }, publicKey, options), key: privateKey };
}

export const privatePem = async ({ key }: ClientCertificate): Promise<string> => exportPrivateKey(key);

/** A cluster whose administrator has a token and where everybody else has to show something. */
export function credentialCluster(name: string, flags: readonly string[], more: Partial<ClusterOptions> = {}) {
  return {
    storage: 'memory' as const,
    ...more,
    name,
    apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv', ...flags],
    files: { 'tokens.csv': 'admintoken,admin,uid-admin,"system:masters"\n', ...more.files },
  };
}

type Seen = Window & { seen?: Record<string, string> };

/** Boots a cluster and notes, from its trace, as whom each request came in. */
export async function bootSeeing(page: Page, options: ClusterOptions): Promise<string> {
  const base = await (page.url().startsWith('http') ? bootHere(page, options) : boot(page, options));
  await page.evaluate(async (name) => {
    const seen = ((window as Seen).seen ??= {});
    const urls: Record<string, string> = {};
    window.vitrine.trace(
      (events) => {
        for (const event of events) {
          if (event.topic !== 'request') continue;
          if (event.stage === 'received') urls[event.request] = event.url;
          const url = urls[event.request] ?? '';
          if (event.stage === 'authentication' || event.stage === 'impersonation')
            seen[url] = `${event.user ?? ''} [${(event.groups ?? []).join(', ')}]`;
        }
      },
      ['request'],
      name,
    );
    await window.vitrine.clock.state(name);
  }, options.name);
  return base;
}

export type Credentials = Readonly<Record<string, string>>;

let probes = 0;

/** Who sends a request that carries this, as the cluster recorded it: `name [groups]`, or the status of a refusal. */
export async function whoIs(
  page: Page,
  base: string,
  credentials: Credentials | ((path: string) => Promise<Credentials>),
): Promise<string> {
  const path = `/version?probe=${probes++}`;
  const headers = typeof credentials === 'function' ? await credentials(path) : credentials;
  return page.evaluate(
    async ([root, at, sent]) => {
      const { status } = await fetch(root + at, { headers: sent });
      if (status === 401 || status === 403) return String(status);
      const seen = (window as Seen).seen ?? {};
      while (seen[at] === undefined) await new Promise((resolve) => requestAnimationFrame(resolve));
      return seen[at];
    },
    [base, path, headers] as const,
  );
}

export const bearer = (token: string): Credentials => ({ authorization: `Bearer ${token}` });

const random = seededRandom('proofs');

/** Proves a certificate, at the cluster's time; `more` are headers besides. */
export const proving =
  (page: Page, certificate: ClientCertificate, more: Credentials = {}) =>
  async (path: string): Promise<Credentials> => {
    const { now } = await page.evaluate(() => window.vitrine.clock.state());
    const request = new Request(`http://cluster.local${path}`, { headers: more });
    const proved = await proveRequest(request, certificate, { now: () => now, random });
    return Object.fromEntries(proved.headers);
  };

export const step = (page: Page, ms: number): Promise<unknown> =>
  page.evaluate((by) => window.vitrine.clock.step(by), ms);

/** A write as the administrator; the answer's body. Throws where it is refused. */
export async function write<T>(page: Page, base: string, method: string, path: string, body?: object): Promise<T> {
  return page.evaluate(
    async ([url, verb, payload, credentials]) => {
      const headers = { ...credentials, 'content-type': 'application/json' };
      const response = await fetch(url, { method: verb, headers, ...(payload && { body: JSON.stringify(payload) }) });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as T;
    },
    [base + path, method, body, administrator] as const,
  );
}
