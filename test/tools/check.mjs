// `npm test`: everything that has to hold before a change is done, in the order in which it is cheapest to learn of a fault.
// `node test/tools/check.mjs STAGE …` runs only those stages. The last line is the sum: `N passed, N failed`.
//
// A test that fails is run once more. If it passes then, it doesn't stop a change that has nothing to do with it, but it is
// a fault of the product or of the test: the lines above the sum name it.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { ensureBrowser, ensureClients, ensurePackages, root } from './install.mjs';

const reports = resolve(root, 'node_modules/.cache/check', String(process.pid));
const bin = (name) => resolve(root, 'node_modules/.bin', name);
const cache = (name) => ['--cache', '--cache-location', `node_modules/.cache/check-${name}`];

/** Stages in order; those of one group run side by side. A stage without a report counts as one check. */
const groups = [
  [
    { name: 'format', command: [bin('prettier'), '--check', '--log-level', 'warn', ...cache('prettier'), '.'] },
    { name: 'lint', command: [bin('eslint'), ...cache('eslint/'), '--max-warnings', '0', '.'] },
    { name: 'types', command: [bin('tsc')] },
  ],
  [{ name: 'architecture', command: vitest('architecture', 'test/architecture'), report: vitestReport }],
  [{ name: 'units', command: vitest('units', '--exclude', 'test/architecture/**'), report: vitestReport }],
  [{ name: 'build', command: [bin('vite'), 'build', '--logLevel', 'warn'] }],
  [{ name: 'e2e', command: [bin('playwright'), 'test', '--retries', '1'], report: playwrightReport, after: 'build' }],
];

function vitest(name, ...args) {
  const report = `--outputFile.json=${reports}/${name}.json`;
  return [bin('vitest'), 'run', '--retry=1', '--reporter=default', '--reporter=json', report, ...args];
}

function vitestReport(name) {
  const { numPassedTests, numFailedTests, testResults } = readReport(name);
  const brokenFiles = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  // A test that passed in the end keeps the messages of the try that failed.
  const isUnsteady = ({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0;
  const unsteadyIn = ({ name: file, assertionResults }) =>
    assertionResults.filter(isUnsteady).map(({ fullName }) => `${relative(root, file)} › ${fullName}`);
  return {
    passed: numPassedTests,
    failed: numFailedTests + brokenFiles.length,
    unsteady: testResults.flatMap(unsteadyIn),
  };
}

function playwrightReport(name) {
  const { stats, errors, suites } = readReport(name);
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    unsteady: suites.flatMap(unsteadyTests),
  };
}

/** The browser tests of a suite that passed only when they were run once more. */
function unsteadyTests({ file, specs, suites = [] }) {
  const names = specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky'));
  return [...names.map(({ title }) => `${file} › ${title}`), ...suites.flatMap(unsteadyTests)];
}

function readReport(name) {
  return JSON.parse(readFileSync(`${reports}/${name}.json`, 'utf8'));
}

/** Runs one stage; its output appears as it comes when it runs alone, in one piece when it has company. */
async function runStage(stage, alone) {
  const started = Date.now();
  const [program, ...args] = stage.command;
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: `${reports}/${stage.name}.json`, NO_COLOR: '1' };
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', alone ? 'inherit' : 'pipe', 'inherit'] });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  const code = await new Promise((done) => child.on('close', done));
  process.stdout.write(output);
  return { ...judge(stage, code), name: stage.name, code, seconds: (Date.now() - started) / 1000 };
}

/** A runner that died without a report, or failed for another reason than a test, is a failure of its own. */
function judge(stage, code) {
  if (!stage.report) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
  try {
    const report = stage.report(stage.name);
    return { ...report, failed: code !== 0 ? Math.max(1, report.failed) : report.failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

ensurePackages();
const chosen = process.argv.slice(2);
const wanted = (stage) => chosen.length === 0 || chosen.includes(stage.name);
if (wanted({ name: 'e2e' })) process.env.CHROMIUM = ensureBrowser();
if (wanted({ name: 'units' }) || wanted({ name: 'e2e' })) ensureClients();
mkdirSync(reports, { recursive: true });

const results = [];
for (const group of groups) {
  const stages = group.filter(wanted).filter(({ after }) => !results.some((r) => r.name === after && r.failed > 0));
  if (stages.length > 0) console.log(`\n── ${stages.map((stage) => stage.name).join(', ')}`);
  results.push(...(await Promise.all(stages.map((stage) => runStage(stage, stages.length === 1)))));
}
rmSync(reports, { recursive: true, force: true });

console.log('');
for (const { name, seconds, passed, failed } of results) {
  console.log(
    `${name.padEnd(14)}${seconds.toFixed(1).padStart(7)} s   ${passed} ok${failed ? `, ${failed} FAILED` : ''}`,
  );
}
for (const test of results.flatMap(({ unsteady = [] }) => unsteady))
  console.log(`passed only at the second try: ${test}`);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
console.log(`${results.reduce((sum, result) => sum + result.passed, 0)} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
