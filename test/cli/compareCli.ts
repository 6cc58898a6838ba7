/** `npm run compare-cli [TEXT]`: runs command lines (those that hold TEXT) with the reference's client and with ours; keeps what the reference's said. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../../src/hosts/node/index.ts';
import { lines } from './lines.ts';
import { runOurs, wordsOf, type Ended } from './ours.ts';
import { clusterOptions, fill, masked, TOKEN } from './world.ts';

const RECORDED = 'test/cli/recorded.json';
const kubectl = process.env['VITRINE_KUBECTL'] ?? 'kubectl';

async function main(text = ''): Promise<void> {
  const version = spawnSync(kubectl, ['version', '--client', '--short'], { encoding: 'utf8' }).stdout ?? '';
  if (!version.includes('v1.20.'))
    return console.log('Skipped: there is no kubectl v1.20 here (VITRINE_KUBECTL names one).');
  const served = await serve({ port: 0, host: '127.0.0.1', tls: true, cluster: clusterOptions });
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-cli-'));
  try {
    await fill(served.cluster);
    writeFileSync(join(folder, 'ca.pem'), served.authority ?? '');
    const config = join(folder, 'config');
    writeFileSync(config, kubeconfig(served.url, join(folder, 'ca.pem')));
    const recorded = readRecorded();
    let differing = 0;
    for (const line of lines.filter((each) => each.includes(text))) {
      const theirs = maskedEnd(await runTheirs(config, folder, line));
      recorded[line] = theirs;
      const ours = maskedEnd(await runOurs(served.cluster, line));
      if (same(ours, theirs)) continue;
      differing++;
      console.log(
        `--- ${line}\n<<< reference (${theirs.code})\n${theirs.out}${theirs.err}>>> ours (${ours.code})\n${ours.out}${ours.err}`,
      );
    }
    const kept = Object.fromEntries(lines.flatMap((line) => (recorded[line] ? [[line, recorded[line]]] : [])));
    writeFileSync(RECORDED, `${JSON.stringify(kept, null, 2)}\n`);
    console.log(`${differing} of ${lines.length} lines differ.`);
    process.exitCode = differing > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await served.close();
  }
}

function readRecorded(): Record<string, Ended> {
  try {
    return JSON.parse(readFileSync(RECORDED, 'utf8')) as Record<string, Ended>;
  } catch {
    return {};
  }
}

const maskedEnd = ({ out, err, code }: Ended): Ended => ({ out: masked(out), err: masked(err), code });
const same = (a: Ended, b: Ended): boolean => a.out === b.out && a.err === b.err && a.code === b.code;

const kubeconfig = (server: string, authority: string): string =>
  JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c' },
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority': authority } }],
    users: [{ name: 'u', user: { token: TOKEN } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u', namespace: 'default' } }],
  });

function runTheirs(config: string, home: string, line: string): Promise<Ended> {
  const env = { ...process.env, HOME: home, KUBECONFIG: config };
  return new Promise((resolve) => {
    execFile(kubectl, wordsOf(line), { env, timeout: 60_000 }, (error, out, err) =>
      resolve({ out, err, code: error ? Number(error.code ?? 1) : 0 }),
    );
  });
}

await main(process.argv[2]);
