import { encodeText, toBase64Url } from '../../std/index.ts';
import { SystemError } from '../errors.ts';
import { httpRequest } from '../network/index.ts';
import type { Process, Program } from '../process.ts';
import { fail, out, readOptions } from '../tools/tool.ts';
import { parseDuration } from './duration.ts';
import { klog } from './log.ts';
import { mounttest } from './mounttest.ts';
import { connect } from './connect.ts';
import { netexec } from './netexec.ts';
import { guestbook, liveness, nettest, porter, portForwardTester, serveHostname, testWebserver } from './servers.ts';
import { conversionWebhook } from './conversionWebhook.ts';
import { webhook } from './webhook.ts';

const pause: Program = async (process) => {
  await out(process, 'Paused\n');
  return process.stay();
};

/** Prints the words it was started with. */
const entrypointTester: Program = async (process) => {
  await out(process, `[${process.args.join(' ')}]\n`);
  return 0;
};

const METHODS = ['GET', 'POST', 'PUT'];
const NAMESPACES = ['kube-system', 'default', 'ns'];

const logsGenerator: Program = async (process) => {
  const options = readOptions(process.args.slice(2), '', 'td', ['log-lines-total=', 'run-duration=']);
  const total = Number(options.value('t', 'log-lines-total') ?? 0);
  const duration = parseDuration(options.value('d', 'run-duration') ?? '') ?? 0;
  if (!(total > 0)) return fail(process, `Invalid total number of lines: ${total}`, 255);
  if (!(duration > 0)) return fail(process, 'Invalid duration: 0s', 255);
  const { random } = process.system;
  for (let id = 0; id < total; id++) {
    const url = `/api/v1/namespaces/${NAMESPACES[random.int(3)]}/pods/${random.suffix(3 + random.int(2))}`;
    await klog(process, 'logs_generator.go:76', `${id} ${METHODS[random.int(3)]} ${url} ${200 + random.int(400)}`);
    await process.sleep(duration / total);
  }
  return 0;
};

const resolvConf = (text: string, word: string): string[] =>
  text.split('\n').flatMap((line) => (line.startsWith(`${word} `) ? line.trim().split(/\s+/).slice(1) : []));

const dnsSuffix: Program = async (process) => {
  await out(process, `${resolvConf(process.files.text('/etc/resolv.conf'), 'search').join(',')}\n`);
  return 0;
};

const dnsServerList: Program = async (process) => {
  await out(process, `${resolvConf(process.files.text('/etc/resolv.conf'), 'nameserver').join(',')}\n`);
  return 0;
};

const etcHosts: Program = async (process) => {
  await out(process, `${process.files.text('/etc/hosts')}\n`);
  return 0;
};

/** The directory of the pod's service account in either naming profile. */
function accountDirectory({ files }: Process): string {
  return (
    files.mounts.list().find(({ path }) => path.endsWith('/serviceaccount'))?.path ?? '/var/run/secrets/serviceaccount'
  );
}

const serviceVariable = ({ env }: Process, name: string): string | undefined =>
  env.get(`KUBERNETES_${name}`) ?? env.get(`CLUSTER_${name}`);

/** Asks the API server for its health again and again, with the token of the pod. */
const inClusterClient: Program = async (process) => {
  const options = readOptions(process.args.slice(2), '', '', ['poll-interval=']);
  const seconds = Number(options.value('poll-interval') ?? 30);
  const host = serviceVariable(process, 'SERVICE_HOST');
  if (host === undefined) return fail(process, 'err: unable to load in-cluster configuration');
  const url = new URL(`https://${host}:${serviceVariable(process, 'SERVICE_PORT') ?? '443'}/healthz`);
  await klog(process, 'main.go:61', 'started');
  for (;;) {
    await process.sleep(seconds * 1000);
    await klog(process, 'main.go:79', 'calling /healthz');
    const authorization = `Bearer ${process.files.text(`${accountDirectory(process)}/token`)}`;
    const hash = new Uint8Array(
      await process.wait(crypto.subtle.digest('SHA-256', encodeText(`salt|${authorization}`))),
    );
    await klog(process, 'main.go:96', `authz_header=${toBase64Url(hash)}`);
    try {
      await httpRequest(process.system.network, url, {
        headers: { Authorization: authorization },
        clock: process.system.clock,
        timeout: 10_000,
        signal: process.killed,
      });
    } catch (problem) {
      if (!(problem instanceof SystemError)) throw problem;
      await klog(process, 'main.go:82', 'status=failed');
    }
  }
};

/** The subcommands. */
const COMMANDS: Readonly<Record<string, Program>> = {
  connect,
  'crd-conversion-webhook': conversionWebhook,
  'dns-server-list': dnsServerList,
  'dns-suffix': dnsSuffix,
  'entrypoint-tester': entrypointTester,
  'etc-hosts': etcHosts,
  guestbook,
  inclusterclient: inClusterClient,
  liveness,
  'logs-generator': logsGenerator,
  mounttest,
  netexec,
  nettest,
  pause,
  'port-forward-tester': portForwardTester,
  porter,
  'serve-hostname': serveHostname,
  'test-webserver': testWebserver,
  webhook,
};

/** One program that is many: what tests of clusters run. */
export const agnhost: Program = async (process) => {
  const [, name = 'pause'] = process.args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return command ? command(process) : fail(process, `Error: unknown command ${JSON.stringify(name)} for "app"`);
};
