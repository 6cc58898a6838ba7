/** A credential plugin that prints a certificate: the in-page client proves it, until the plugin prints another. */
import { describe, expect, it } from 'vitest';
import { exportPrivateKey, type Authority } from '../../src/authn/index.ts';
import { execTransport, provingConnect, type Transport } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { manualClock, rfc3339, seededRandom } from '../../src/std/index.ts';
import { authority, chain, client, shown } from './helpers.ts';

const clock = manualClock();
const own = await authority('own', clock);

/** What a plugin prints for a new certificate of `name`, good for a minute of the cluster's time. */
async function credential(by: Authority, name: string): Promise<string> {
  const { pem, key } = await client(by, name);
  const status = {
    clientCertificateData: pem,
    clientKeyData: await exportPrivateKey(key),
    expirationTimestamp: rfc3339(clock.now() + 60_000),
  };
  return JSON.stringify({ apiVersion: 'client.authentication.cluster.io/v1beta1', kind: 'ExecCredential', status });
}

describe('a plugin’s certificate', () => {
  it('is proved with each request, and replaced when it expires', async () => {
    const server = chain({ clock, clientCA: own.certificatePem });
    const seen: string[] = [];
    const transport: Transport = async (path, init) => {
      seen.push(shown(await server.authenticate(new Request(`http://c${path}`, init))));
      return new Response();
    };
    const names = ['alice', 'bob'];
    const settings = { now: () => clock.now(), random: seededRandom('exec') };
    const send = execTransport({
      names: namesOf('cluster.io'),
      clock,
      run: () => credential(own, names.shift() ?? ''),
      connect: provingConnect(transport, settings),
    });
    await send('/api');
    await send('/api/v1/pods?limit=1', { method: 'POST', body: '{"a":1}' });
    await clock.step(61_000);
    await send('/api');
    expect(seen).toEqual([
      'alice [system:authenticated]',
      'alice [system:authenticated]',
      'bob [system:authenticated]',
    ]);
  });

  it('is unusable if its key can’t be read', async () => {
    const connect = provingConnect(() => Promise.resolve(new Response()), { now: () => 0, random: seededRandom('x') });
    const { pem } = await client(own, 'alice');
    await expect(connect({ certificate: pem, key: 'no key' })('/api')).rejects.toThrow('PKCS#8');
  });
});
