/** The policy of the page: by header where we serve it, by a meta element where somebody else does. */
import { expect, test, type Page } from '@playwright/test';
import { spawn } from 'node:child_process';
import { ask, boot, cluster, serveBuild } from './support.ts';

/** Everything that the browser refused because of the policy. */
async function refusals(page: Page): Promise<string[]> {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text());
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`Content Security Policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  return refused;
}

/** Whether text can be evaluated in the page. */
const evaluates = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.evaluated = true';
    document.head.append(script);
    return 'evaluated' in window;
  });

/** Serves the sources as `npm start` does. */
async function startDevelopment(): Promise<{ url: string; stop(): void }> {
  const port = 20_000 + Math.floor(process.pid % 20_000) + 20_001;
  const server = spawn(process.execPath, ['test/tools/start.mjs', '--port', String(port)]);
  const url = await new Promise<string>((resolve, reject) => {
    server.stdout.on('data', (data: Buffer) => {
      const found = /http:\S+/.exec(data.toString());
      if (found) resolve(found[0]);
    });
    server.on('exit', () => reject(new Error('npm start ended')));
  });
  return { url, stop: () => server.kill() };
}

test('the header of the preview forbids frames and evaluation, and everything works under it', async ({ page }) => {
  const refused = await refusals(page);
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.url().endsWith('/')),
    boot(page, cluster('under-policy')),
  ]);
  const policy = response.headers()['content-security-policy'];
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/'unsafe-eval'|script-src[^;]*'unsafe-inline'/);
  expect(refused).toEqual([]);
  expect(await evaluates(page)).toBe(false);
});

test('a page on a static server has the policy by its meta element', async ({ page }) => {
  const server = await serveBuild();
  try {
    const base = await boot(page, cluster('static'), `http://localhost:${server.port}/`);
    expect((await ask(page, base, '/version')).status).toBe(200);
    expect(await evaluates(page)).toBe(false);
  } finally {
    await server.close();
  }
});

test('npm start has the policy, and the page works under it', async ({ page }) => {
  test.setTimeout(120_000);
  const { url, stop } = await startDevelopment();
  try {
    const refused = await refusals(page);
    const response = await page.goto(url);
    expect(response?.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
    const base = await boot(page, cluster('developed'), url);
    expect((await ask(page, base, '/version')).status).toBe(200);
    expect(refused).toEqual([]);
    expect(await evaluates(page)).toBe(false);
  } finally {
    stop();
  }
});
