/**
 * `npm run compare-cli [FAMILY|TEXT]`: runs command lines (those of a family, or those that hold the text) with the reference's
 * client and with ours, and keeps what the reference's said. Lines that write are run with all of their family.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { serve, type Served } from '../../src/hosts/node/index.ts';
import { kubectlHere, runKubectl } from '../hosts/kubectlClient.ts';
import { lineOf, runStep, wordsOf, type Ended, type Family, type Runner, type Step } from './family.ts';
import { families } from './lines/index.ts';
import { ourRunner, WORK } from './ours.ts';
import { readRecorded, writeRecorded, type Recorded } from './recorded.ts';
import { clusterOptions, fill, maskedEnd, TOKEN } from './world.ts';

/** Ends what a family has started. */
type Cleanup = () => Promise<void>;

async function main(text = ''): Promise<void> {
  if (!kubectlHere.has) return console.log(`Skipped: ${kubectlHere.why}.`);
  let run = 0;
  let differing = 0;
  for (const family of families) {
    const steps = chosen(family, text);
    if (steps.length === 0) continue;
    run += steps.length;
    differing += await compare(family, steps);
  }
  console.log(`${differing} of ${run} lines differ.`);
  process.exitCode = differing > 0 ? 1 : 0;
}

/** The steps of a family that were asked for. */
function chosen(family: Family, text: string): readonly Step[] {
  if (families.some(({ name }) => name === text)) return family.name === text ? family.steps : [];
  const found = family.steps.filter((step) => lineOf(step).includes(text));
  return family.writes && found.length > 0 ? family.steps : found;
}

/** Returns how many lines differ. */
async function compare(family: Family, steps: readonly Step[]): Promise<number> {
  const cleanups: Cleanup[] = [];
  try {
    const { theirs, ours } = await runners(family, cleanups);
    const recorded: Recorded[] = [];
    let differing = 0;
    for (const step of steps) {
      const line = lineOf(step);
      const [expected, actual] = [maskedEnd(await runStep(step, theirs)), maskedEnd(await runStep(step, ours))];
      recorded.push({ line, ...expected });
      if (same(expected, actual)) continue;
      differing++;
      console.log(
        `--- ${line}\n<<< reference (${expected.code})\n${expected.out}${expected.err}>>> ours (${actual.code})\n${actual.out}${actual.err}`,
      );
    }
    keep(family, recorded);
    return differing;
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

/** Lines that were not asked for keep what was recorded before; lines that are gone are forgotten. */
function keep(family: Family, recorded: readonly Recorded[]): void {
  if (family.writes) return writeRecorded(family.name, recorded);
  const known = new Map([...readRecorded(family.name), ...recorded].map((each) => [each.line, each]));
  writeRecorded(
    family.name,
    family.steps.flatMap((step) => known.get(lineOf(step)) ?? []),
  );
}

async function runners(family: Family, cleanups: Cleanup[]): Promise<Readonly<Record<'theirs' | 'ours', Runner>>> {
  const served = await serve({ port: 0, host: '127.0.0.1', tls: true, cluster: clusterOptions(family) });
  cleanups.push(() => served.close());
  await prepare(served.cluster, family);
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-cli-'));
  cleanups.push(async () => rmSync(folder, { recursive: true, force: true }));
  const theirs = theirRunner(served, folder, family);
  if (!family.writes) return { theirs, ours: ourRunner(served.cluster, family) };
  const own = await createCluster(clusterOptions(family));
  cleanups.push(() => own.stop());
  await prepare(own, family);
  return { theirs, ours: ourRunner(own, family) };
}

async function prepare(cluster: Cluster, { objects, awaits = [] }: Family): Promise<void> {
  await fill(cluster, objects);
  for (const step of awaits) await runStep(step, ourRunner(cluster));
}

const same = (a: Ended, b: Ended): boolean => a.out === b.out && a.err === b.err && a.code === b.code;

const kubeconfig = (server: string, authority: string): string =>
  JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c' },
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority': authority } }],
    users: [{ name: 'u', user: { token: TOKEN } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u', namespace: 'default' } }],
  });

/** The lines run in a folder `work`, which holds the family's files; beside it is what the client needs for itself. */
function theirRunner(served: Served, home: string, { files = {} }: Family): Runner {
  const put = (path: string, text: string): string => {
    const whole = join(home, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
    return whole;
  };
  const authority = put('ca.pem', served.authority ?? '');
  const config = put('config', kubeconfig(served.url, authority));
  const cwd = join(home, 'work');
  mkdirSync(cwd);
  for (const [path, text] of Object.entries(files)) put(join('work', path), text);
  const placed = (printed: string): string => printed.replaceAll(cwd, WORK);
  const settings = { cwd, env: { HOME: home, KUBECONFIG: config } };
  return async (line, input) => {
    const { code, out, errors } = await runKubectl(wordsOf(line), settings, input);
    return { out: placed(out), err: placed(errors), code };
  };
}

await main(process.argv[2]);
