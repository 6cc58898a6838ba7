// Makes a fresh clone ready to work: packages from the lock file, and a Chromium when a browser is needed.
// Plain JavaScript without dependencies, because it runs before anything is installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Installs the locked packages unless exactly those are there already. */
export function ensurePackages() {
  if (packagesAreCurrent()) return;
  console.log('Installing packages from the lock file (once) …');
  const done = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
  if (done.status !== 0) fail('The packages could not be installed: `npm ci` failed, its own words are above.');
}

/** npm keeps what it installed in a lock file of its own; a half-finished installation has none. */
function packagesAreCurrent() {
  const installed = readPackages('node_modules/.package-lock.json');
  if (!installed) return false;
  const wanted = readPackages('package-lock.json') ?? {};
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional || entry.peer || installed[path]?.version === entry.version,
  );
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(`${root}/${path}`, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium on this machine, or undefined. CHROMIUM in the environment wins. */
export function findBrowser() {
  const named = process.env.CHROMIUM;
  return [...(named ? [named] : []), ...usualPlaces].find((path) => existsSync(path));
}

/** The path of a Chromium, installed from Debian's packages when there is none yet. */
export function ensureBrowser() {
  const found = findBrowser();
  if (found) return found;
  if (!canInstallDebianPackages()) {
    fail('No Chromium was found. Install Chromium or Chrome, or name its program in the CHROMIUM variable.');
  }
  console.log('Installing Chromium from Debian’s packages (once) …');
  const failed = installDebianPackages('chromium');
  if (failed) fail(`Chromium could not be installed: \`${failed}\` failed.`);
  return findBrowser() ?? fail('Chromium was installed, yet none of its usual places has it; set CHROMIUM.');
}

/** Programs that tests try where they are there: their packages in Debian, and the variables that name others. */
const clients = [
  { program: 'kubectl', debian: 'kubernetes-client', variable: 'VITRINE_KUBECTL' },
  { program: 'etcd', debian: 'etcd-server', variable: 'VITRINE_ETCD' },
];

/** Installs kubectl and etcd from Debian's packages where they are missing; where that can't be, says which tests are skipped. */
export function ensureClients() {
  const missing = clients.filter(({ program, variable }) => !process.env[variable] && !isInstalled(program));
  if (missing.length === 0) return;
  const names = missing.map(({ program }) => program).join(' and ');
  const skipped = `Tests with ${names} are skipped.`;
  if (!canInstallDebianPackages()) return console.log(`${skipped} Debian has them as ${listed(missing)}.`);
  console.log(`Installing ${names} from Debian’s packages (once) …`);
  const failed = installDebianPackages(...missing.map(({ debian }) => debian));
  if (failed) console.log(`${skipped} \`${failed}\` failed.`);
}

const listed = (missing) => missing.map(({ debian }) => debian).join(' and ');

const isInstalled = (program) => spawnSync(program, ['--help']).error === undefined;

/** Returns the command that failed; undefined when all are installed. */
function installDebianPackages(...names) {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const quickly = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20'];
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...names],
  ]) {
    const [program, ...rest] = [...sudo, 'apt-get', ...quickly, ...args];
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const done = spawnSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'], env });
    if (done.status !== 0) return `apt-get ${args.join(' ')}`;
  }
  return undefined;
}

function canInstallDebianPackages() {
  if (!existsSync('/usr/bin/apt-get')) return false;
  if (process.getuid?.() === 0) return true;
  try {
    execFileSync('sudo', ['-n', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
