// Makes a fresh clone ready to work: packages from the lock file, and a Chromium when a browser is needed.
// Plain JavaScript without dependencies, because it runs before anything is installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
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

const unpacked = resolve(root, 'node_modules/.cache/debian');

/**
 * Unpacks kubectl and etcd from Debian's packages where they are missing, and names them to the tests; where that can't be, says which
 * tests are skipped. They are not installed, because Debian's etcd would start as a service.
 */
export function ensureClients() {
  ensureClientLibrary();
  const missing = clients.filter(({ program, variable }) => !process.env[variable] && !isInstalled(program));
  const failed = unpackMissing(missing);
  for (const { program, variable } of missing) if (isThere(program)) process.env[variable] = pathOf(program);
  const skipped = missing.filter(({ program }) => !isThere(program));
  if (skipped.length === 0) return;
  const names = skipped.map(({ program }) => program).join(' and ');
  console.log(
    `Tests with ${names} are skipped. Debian has them as ${listed(skipped)}${failed ? `, but \`${failed}\` failed` : ''}.`,
  );
}

/** The client library for Node that tests try. It is no dependency, because it brings 72 packages of 72 MB. */
const clientLibrary = { name: '@kubernetes/client-node', version: '1.4.0', variable: 'VITRINE_CLIENT_NODE' };

/** Installs the client library beside the packages, and names it to the tests; where that fails, says that its tests are skipped. */
function ensureClientLibrary() {
  const { name, version, variable } = clientLibrary;
  if (process.env[variable]) return;
  const folder = resolve(root, 'node_modules/.cache/client-library');
  const installed = resolve(folder, 'node_modules', name);
  if (readVersion(installed) !== version) {
    console.log(`Installing ${name} for its tests (once) …`);
    mkdirSync(folder, { recursive: true });
    const quietly = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const quickly = ['--fetch-retries=1', '--fetch-timeout=30000'];
    const args = ['install', '--prefix', folder, ...quietly, ...quickly, `${name}@${version}`];
    spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  if (readVersion(installed) === version) process.env[variable] = installed;
  else console.log(`Tests with ${name} are skipped: \`npm install ${name}@${version}\` failed.`);
}

function readVersion(folder) {
  try {
    return JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')).version;
  } catch {
    return undefined;
  }
}

/** Returns the command that failed; undefined when all are unpacked, or can't be. */
function unpackMissing(missing) {
  const wanted = missing.filter(({ program }) => !isThere(program));
  if (wanted.length === 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  console.log(`Unpacking ${listed(wanted)} from Debian (once) …`);
  mkdirSync(unpacked, { recursive: true });
  const names = wanted.map(({ debian }) => debian);
  const failed = aptGet('download', ...names) && (aptGet('update', '-qq') ?? aptGet('download', ...names));
  if (failed) return failed;
  for (const file of readdirSync(unpacked).filter((name) => name.endsWith('.deb'))) {
    const done = spawnSync('dpkg-deb', ['--extract', file, '.'], {
      cwd: unpacked,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    rmSync(resolve(unpacked, file));
    if (done.status !== 0) return `dpkg-deb --extract ${file}`;
  }
  return undefined;
}

const pathOf = (program) => resolve(unpacked, 'usr/bin', program);
const isThere = (program) => existsSync(pathOf(program));

const listed = (missing) => missing.map(({ debian }) => debian).join(' and ');

const isInstalled = (program) => spawnSync(program, ['--help']).error === undefined;

/** Returns the command that failed; undefined when all are installed. */
function installDebianPackages(...names) {
  return aptGet('update', '-qq') ?? aptGet('install', '-y', '-qq', '--no-install-recommends', ...names);
}

/** Returns the command if it failed. What is downloaded lies among the unpacked programs, and needs no rights. */
function aptGet(command, ...rest) {
  const sudo = process.getuid?.() === 0 || command === 'download' ? [] : ['sudo', '-n'];
  const quickly = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20'];
  const [program, ...args] = [...sudo, 'apt-get', ...quickly, command, ...rest];
  const done = spawnSync(program, args, {
    cwd: command === 'download' ? unpacked : root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return done.status === 0 ? undefined : `apt-get ${[command, ...rest].join(' ')}`;
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
