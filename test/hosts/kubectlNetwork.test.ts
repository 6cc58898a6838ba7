/** The scripts of the network played with the real kubectl against `serve --tls`. Skipped where there is none. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { serve, type Served } from '../../src/hosts/node/index.ts';
import { throughKubectl, type Field } from '../network/script/field.ts';
import { playPolicies } from '../network/script/play.ts';
import { startPods } from '../network/script/pods.ts';
import { playServices, startServices } from '../network/script/services.ts';
import { kubectlHere } from './kubectlClient.ts';

if (!kubectlHere.has) console.warn(`${kubectlHere.why}: the network is not tried with it.`);

describe.skipIf(!kubectlHere.has)('the network by kubectl', () => {
  let served: Served;
  let folder: string;
  let field: Field;
  let addresses: ReadonlyMap<string, string>;

  beforeAll(async () => {
    const cluster = {
      ...({ name: 'network', naming: 'k8s.io', nodes: 2, addons: ['dns'] } as const),
      apiserver: ['--token-auth-file=tokens.csv', '--authorization-mode=Node,RBAC'],
      controllerManager: ['--use-service-account-credentials=true'],
      files: { 'tokens.csv': 'secret,admin,admin,system:masters\n' },
    };
    served = await serve({ port: 0, host: '127.0.0.1', tls: true, cluster });
    folder = mkdtempSync(join(tmpdir(), 'vitrine-network-'));
    writeFileSync(join(folder, 'ca.pem'), served.authority ?? '');
    const flags = [
      ...[`--server=${served.url}`, '--token=secret', '--kubeconfig=/dev/null'],
      ...[`--certificate-authority=${join(folder, 'ca.pem')}`, `--cache-dir=${join(folder, 'cache')}`],
    ];
    field = throughKubectl(flags);
    addresses = await startPods(field);
    await startServices(field);
  }, 240_000);

  afterAll(async () => {
    await served.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // Nine clients are started at once: a connection that is not denied may take its time.
  describe('policies by exec', () => playPolicies(() => ({ field, addresses }), '3s'));
  describe('names and services by exec', () => playServices(() => ({ field })));
});
