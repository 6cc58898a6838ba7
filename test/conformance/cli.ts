import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Profile } from '../../src/names/index.ts';
import { isProfile, profiles } from '../../src/names/index.ts';
import { etcdHere } from '../etcd/server.ts';
import { openInProcess, openServed } from './inProcess.ts';
import type { Lane, Outcome } from './lanes.ts';
import { confirmed, explain, runScenarios, summarize } from './lanes.ts';
import type { Exchange } from './transcript.ts';
import { describeExchanges, recordExchanges } from './transcript.ts';
import type { Setting } from './scenarios.ts';
import { isRace, loadScenarios, loadWaiting } from './scenarios.ts';
import { isStorageName, type StorageName } from './storages.ts';

const usage = `usage: npm run -s conformance -- [options]
  --naming PROFILE   ${profiles.join(' or ')}; without it, each in turn
  --family NAME      only one recorded file: rest, watch, controllers, scheduler, fuzz, …
  --only TEXT        only scenarios whose name contains TEXT
  --new              leave out what waiting.json lists
  --jobs N           control planes that work at once (8)
  --limit N          differences printed for each step (12; -v prints all)
  --storage NAME     what control planes keep their objects in: memory (unless told), indexeddb, files or etcd
  --http             ask the control planes over HTTP, as npm run serve answers
  --base URL         replay against a server over HTTP instead of in this process
  --prune            drop the entries of waiting.json that pass under every profile that ran
  -q                 print only names, no differences
  -v                 print every request and answer of the scenarios that fail`;

const { values } = parseArgs({
  options: {
    naming: { type: 'string' },
    family: { type: 'string' },
    only: { type: 'string' },
    new: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '8' },
    limit: { type: 'string', default: '12' },
    storage: { type: 'string', default: 'memory' },
    http: { type: 'boolean', default: false },
    base: { type: 'string' },
    prune: { type: 'boolean', default: false },
    quiet: { type: 'boolean', short: 'q', default: false },
    verbose: { type: 'boolean', short: 'v', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const { storage } = values;
if (values.help || (values.naming !== undefined && !isProfile(values.naming)) || !isStorageName(storage)) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}

if (storage === 'etcd' && !etcdHere.has) {
  console.log(etcdHere.why);
  process.exit(0);
}

const waiting = loadWaiting();
const chosen: readonly Profile[] = isProfile(values.naming) ? [values.naming] : profiles;
const all: Outcome[] = [];
const kept: StorageName = storage;
for (const naming of chosen) all.push(...(await runProfile(naming)));
if (values.prune) prune(all);
process.exit(all.some((outcome) => outcome.failures.length > 0) ? 1 : 0);

async function runProfile(naming: Profile): Promise<Outcome[]> {
  const transcripts = new WeakMap<Lane, Exchange[]>();
  const open = async (setting: Setting): Promise<Lane> => {
    const openOwn = values.http ? openServed : openInProcess;
    const lane = values.base === undefined ? await openOwn(naming, setting, kept) : overHttp(values.base);
    if (!values.verbose) return lane;
    const recorded = recordExchanges(lane);
    transcripts.set(recorded.lane, recorded.exchanges);
    return recorded.lane;
  };
  const scenarios = loadScenarios({
    naming,
    ...(values.family !== undefined && { family: values.family }),
    ...(values.only !== undefined && { only: values.only }),
  }).filter((scenario) => !values.new || !(scenario.name in waiting));
  const started = Date.now();
  const outcomes = await runScenarios(scenarios, {
    naming,
    jobs: values.base === undefined ? Math.max(1, Number(values.jobs)) : 1,
    open,
    onOutcome: (outcome, lane) => print(outcome, transcripts.get(lane)),
  });
  const judged = await replayedAlone(outcomes, { naming, open });
  console.log(`\n${naming} on ${kept}, ${((Date.now() - started) / 1000).toFixed(1)} s`);
  for (const line of summarize(judged)) console.log(`  ${line}`);
  return judged;
}

/** What failed beside others is replayed alone: recordings wait by the wall clock, and a busy machine or a slow disk may be late. */
async function replayedAlone(
  outcomes: readonly Outcome[],
  options: { readonly naming: Profile; readonly open: (setting: Setting) => Promise<Lane> },
): Promise<Outcome[]> {
  const failed = outcomes.filter(({ failures }) => failures.length > 0);
  if (failed.length === 0 || values.verbose) return [...outcomes];
  const still = new Map((await confirmed(failed, options)).map((outcome) => [outcome.scenario.name, outcome]));
  for (const { scenario } of failed)
    console.log(`${still.has(scenario.name) ? 'FAIL' : 'ok'} ${scenario.name}, replayed alone`);
  return outcomes.map((one) =>
    one.failures.length > 0 ? (still.get(one.scenario.name) ?? { ...one, failures: [] }) : one,
  );
}

function overHttp(base: string): Lane {
  return { call: (path, init) => fetch(base + path, init), close: () => Promise.resolve() };
}

function print(outcome: Outcome, exchanges: Exchange[] | undefined): void {
  const wanted = exchanges?.splice(0) ?? [];
  if (outcome.failures.length === 0) return;
  const reason = waiting[outcome.scenario.name];
  const note = reason === undefined ? '' : ` [waits for ${reason}]`;
  if (values.quiet) console.log(`FAIL ${outcome.scenario.name}${note}`);
  else console.log(explain(outcome, values.verbose ? Infinity : Number(values.limit)).join('\n') + note);
  if (values.verbose) console.log(describeExchanges(wanted));
}

/** Shrinks the list of waiting scenarios to those that failed, or were not among those that ran. */
function prune(outcomes: readonly Outcome[]): void {
  const path = 'test/conformance/waiting.json';
  const failed = new Set(outcomes.filter((o) => o.failures.length > 0).map((o) => o.scenario.name));
  const ran = new Set(outcomes.map((o) => o.scenario.name));
  const list = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  const kept = Object.entries(list).filter(([name, reason]) => failed.has(name) || !ran.has(name) || isRace(reason));
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
  console.log(`waiting.json: ${Object.keys(list).length} → ${kept.length}`);
}
