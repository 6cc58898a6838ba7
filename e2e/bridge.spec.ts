/** Clients outside of the browser reach the cluster in a tab: the real kubectl, where VITRINE_KUBECTL names one. */
import { expect, test, type Page } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { kubectlHere, kubectlOutput, kubectlUntilDone, runKubectl } from '../test/hosts/kubectlClient.ts';
import { clientNode, EVERYTHING, tryClientNode } from '../test/hosts/clientNodeHere.ts';
import { boot, cluster, serveBuild } from './support.ts';

if (!kubectlHere.has) console.warn(`${kubectlHere.why}: the bridge is tested without it.`);

const whole = (name: string) =>
  cluster(name, {
    ...{ naming: 'k8s.io', nodes: 2, storage: 'indexeddb' },
    apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'],
    controllerManager: ['--use-service-account-credentials=true'],
  });

/** Opens a cluster at the page's list of clients. */
async function openClients(page: Page, name: string): Promise<void> {
  await boot(page, whole(name));
  await page.evaluate((to) => void (location.hash = to), `#/${name}/requests/clients`);
}

const allow = (page: Page) => page.getByRole('switch', { name: 'Let programs on this machine reach this cluster' });

/** Lets clients in; the address that the page then shows. */
async function letIn(page: Page): Promise<string> {
  await allow(page).check();
  const address = page.getByText(/^https:\/\/127\.0\.0\.1:\d+$/);
  await expect(address).toBeVisible();
  return address.innerText();
}

/** The file that one press downloads. */
async function kubeconfig(page: Page, path: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download kubeconfig' }).click(),
  ]);
  await download.saveAs(path);
  return readFileSync(path, 'utf8');
}

const dataIn = (config: string, name: string): string =>
  Buffer.from(new RegExp(`${name}: (\\S+)`).exec(config)?.[1] ?? '', 'base64').toString();

interface Credentials {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const credentialsIn = (config: string): Credentials => ({
  ca: dataIn(config, 'certificate-authority-data'),
  cert: dataIn(config, 'client-certificate-data'),
  key: dataIn(config, 'client-key-data'),
});

/** What a client is answered: code and body, or why it could not ask. */
function ask(url: string, credentials: Partial<Credentials>, headers: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(url, { ...credentials, headers, servername: 'localhost', agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(`${response.statusCode} ${text}`));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end();
  });
}

test('nobody is let in until a person allows it, and nobody any more once they end it', async ({ page }, info) => {
  await openClients(page, 'door');
  await expect(allow(page)).not.toBeChecked();
  const url = await letIn(page);
  const credentials = credentialsIn(await kubeconfig(page, info.outputPath('kc')));
  expect(await ask(`${url}/api/v1/nodes`, credentials)).toMatch(/^200 .*"NodeList"/);
  expect(await ask(`${url}/api/v1/nodes`, { ca: credentials.ca })).toMatch(/^403 .*system:anonymous/);
  const token = { authorization: 'Bearer admintoken' };
  expect(await ask(`${url}/api/v1/nodes`, { ca: credentials.ca }, token)).toMatch(/^200/);
  expect(await ask(`${url}/api`, credentials, { host: 'evil.example' })).toMatch(/^403 .*does not answer to the name/);
  expect(await ask(`${url}/api`, credentials, { origin: 'https://evil.example' })).toMatch(/^403 .*other origins/);
  await expect(page.getByRole('table', { name: 'Programs that asked' })).toContainText('kubernetes-admin');

  await allow(page).uncheck();
  await expect(page.getByText(url)).toBeHidden();
  await expect.poll(() => ask(`${url}/api`, credentials)).toBe('ECONNREFUSED');
});

test('a reload goes on at the same address, and a tab that is closed leaves a reason', async ({
  page,
  context,
}, info) => {
  await openClients(page, 'stays');
  const url = await letIn(page);
  const credentials = credentialsIn(await kubeconfig(page, info.outputPath('kc')));
  await page.reload();
  await expect(page.getByText(url, { exact: true })).toBeVisible();
  expect(await ask(`${url}/api/v1/namespaces/default`, credentials)).toMatch(/^200/);

  const address = page.url();
  await page.close();
  await expect
    .poll(() => ask(`${url}/api`, credentials))
    .toMatch(/^503 .*open stays in the browser again.*ServiceUnavailable/);
  const other = await context.newPage();
  await other.goto(address);
  await expect(allow(other)).not.toBeChecked();
  expect(await letIn(other)).toBe(url);
  expect(await ask(`${url}/api/v1/namespaces/default`, credentials)).toMatch(/^200/);
});

test('of two tabs of a cluster the one that allowed it last answers', async ({ page, context }, info) => {
  await openClients(page, 'two');
  const url = await letIn(page);
  const credentials = credentialsIn(await kubeconfig(page, info.outputPath('kc')));
  const other = await context.newPage();
  await other.goto(page.url());
  expect(await letIn(other)).toBe(url);
  await expect(page.getByText('another tab of this browser')).toBeVisible();
  await expect(allow(page)).not.toBeChecked();
  expect(await ask(`${url}/api/v1/namespaces/default`, credentials)).toMatch(/^200/);
});

test('a page from a static server says how to let programs in', async ({ page }) => {
  const { port, close } = await serveBuild();
  await boot(page, whole('static'), `http://127.0.0.1:${port}/`);
  await page.evaluate(() => void (location.hash = '#/static/requests/clients'));
  await expect(page.getByText('This page’s server can’t let kubectl in')).toBeVisible();
  await expect(page.getByText('npm start')).toBeVisible();
  await close();
});

test.describe('kubectl through the tab', () => {
  test.skip(!kubectlHere.has, kubectlHere.why);
  const running: ChildProcess[] = [];
  test.afterEach(() => running.splice(0).forEach((child) => child.kill()));

  const POD = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } },
    spec: {
      // Not on the node that is drained.
      nodeName: 'node-1',
      containers: [
        { name: 'web', image: 'nginx' },
        {
          name: 'talks',
          image: 'busybox',
          command: ['sh', '-c', 'i=0; while true; do echo line $i; i=$((i+1)); sleep 1; done'],
        },
      ],
    },
  };

  test('does what people do with it', async ({ page }, info) => {
    test.setTimeout(240_000);
    await openClients(page, 'real');
    await letIn(page);
    const file = info.outputPath('kc');
    await kubeconfig(page, file);
    const env = { KUBECONFIG: file, HOME: info.outputDir };

    const run = async (args: readonly string[]): Promise<readonly [number, string]> => {
      const { code, out, errors } = await runKubectl(args, { env });
      return [code, out + errors];
    };
    const ok = (args: string, input = '', more = {}): Promise<string> =>
      kubectlOutput(args.split(' '), { env: { ...env, ...more } }, input);
    const follow = (args: string): { readonly text: () => string } => {
      const child = spawn(kubectlHere.program, args.split(' '), { env: { ...process.env, ...env } });
      running.push(child);
      let out = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (out += part.toString()));
      return { text: () => out };
    };

    await kubectlUntilDone(['create', '-f', '-'], { env }, JSON.stringify(POD));
    const watched = follow('get pods -w --no-headers');
    await ok('wait --for=condition=Ready pod/p --timeout=60s');

    const manifest = (value: string) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: value } });
    expect(await ok('apply -f -', manifest('one'))).toBe('configmap/c created\n');
    expect(await ok('apply -f -', manifest('two'))).toBe('configmap/c configured\n');
    expect(await ok('edit configmap c', '', { KUBE_EDITOR: 'sed -i s/two/three/' })).toBe('configmap/c edited\n');
    expect(await ok('get configmap c -o jsonpath={.data.a}')).toBe('three');

    expect(await run(['exec', 'p', '-c', 'web', '--', 'sh', '-c', 'echo fine; echo wrong >&2; exit 3'])).toEqual([
      3,
      'fine\nwrong\ncommand terminated with exit code 3\n',
    ]);
    const large = 'line\n'.repeat(100_000);
    expect((await ok('exec -i p -c web -- wc -c', large)).trim()).toBe(String(large.length));
    const here = info.outputPath('here.txt');
    writeFileSync(here, 'copied\n');
    await ok(`cp ${here} default/p:/tmp/there.txt -c web`);
    await ok(`cp default/p:/tmp/there.txt ${info.outputPath('back.txt')} -c web`);
    expect(readFileSync(info.outputPath('back.txt'), 'utf8')).toBe('copied\n');

    const logs = follow('logs -f p -c talks');
    await expect.poll(logs.text).toContain('line 2\nline 3\n');
    const forwarded = follow('port-forward pod/p :80');
    await expect.poll(forwarded.text).toMatch(/127\.0\.0\.1:\d+/);
    const [port] = /127\.0\.0\.1:\d+/.exec(forwarded.text()) ?? [];
    for (let i = 0; i < 2; i++) expect(await (await fetch(`http://${port}/`)).text()).toContain('nginx');
    const proxied = follow('proxy --port=0');
    await expect.poll(proxied.text).toMatch(/serve on \S+\n/);
    const [, at] = /serve on (\S+)/.exec(proxied.text()) ?? [];
    expect(await (await fetch(`http://${at}/api/v1/namespaces/default/pods/p:80/proxy/`)).text()).toContain('nginx');

    await ok('create deployment web --image=nginx --replicas=2');
    expect(await ok('rollout status deployment/web --timeout=60s')).toContain('successfully rolled out');
    await ok('set image deployment/web nginx=httpd');
    expect(await ok('rollout status deployment/web --timeout=60s')).toContain('successfully rolled out');
    expect(await ok('rollout undo deployment/web')).toBe('deployment.apps/web rolled back\n');
    expect(await ok('top nodes')).toMatch(/\nnode-1 +\d+m/);
    expect(await ok('auth can-i create pods')).toBe('yes\n');
    expect(await run(['auth', 'can-i', 'create', 'pods', '--as=nobody'])).toEqual([1, 'no\n']);
    expect(await ok('drain node-2 --ignore-daemonsets --force --delete-emptydir-data')).toMatch(
      /node\/node-2 evicted\n$/,
    );
    expect(watched.text()).toMatch(/^p +.*Running/m);
    expect(watched.text()).toMatch(/^web-\S+ +.*Terminating/m);

    const clients = page.getByRole('table', { name: 'Programs that asked' });
    await expect(clients).toContainText('kubectl v1.20.2');
    // What waits when the tab goes gets an answer, too.
    await page.close();
    await expect.poll(async () => (await run(['get', 'nodes']))[1]).toContain('open real in the browser again');
  });
});

test('the field’s client for Node does everything through the tab', async ({ page }, info) => {
  test.skip(clientNode === undefined, 'needs @kubernetes/client-node (VITRINE_CLIENT_NODE)');
  test.setTimeout(120_000);
  await openClients(page, 'forclients');
  await letIn(page);
  const file = info.outputPath('kubeconfig');
  await kubeconfig(page, file);
  expect(await tryClientNode(file)).toEqual(EVERYTHING);
});
