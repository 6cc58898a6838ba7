/** The Glass: what enters the server, what stops it, what follows; as pictures can't be read by a test, by its words. */
import { readFileSync } from 'node:fs';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { administrator, ask, boot, cluster } from './support.ts';

const jane = { authorization: 'Bearer janetoken' };

async function openGlass(page: Page, name: string): Promise<string> {
  const base = await boot(
    page,
    cluster(name, {
      nodes: 2,
      storage: 'indexeddb',
      apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'],
      controllerManager: ['--use-service-account-credentials=true'],
      files: { 'tokens.csv': 'admintoken,ada,uid-ada,"system:masters"\njanetoken,jane,uid-jane\n' },
    }),
  );
  // An address without a room opens it.
  await page.evaluate((to) => void (location.hash = to), `#/${name}`);
  await expect(page.getByRole('heading', { name: 'Glass', level: 1 })).toBeVisible({ timeout: 30_000 });
  return base;
}

async function createDeployment(page: Page, base: string): Promise<void> {
  const account = async (): Promise<number> =>
    (await ask(page, base, '/api/v1/namespaces/default/serviceaccounts/default')).status;
  await expect.poll(account, { timeout: 30_000 }).toBe(200);
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'nginx:1.19' }] },
  };
  const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template };
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec };
  expect((await ask(page, base, '/apis/apps/v1/namespaces/default/deployments', 'POST', object)).status).toBe(201);
}

const log = (page: Page, name = 'What happens'): Locator => page.getByRole('log', { name });
const line = (page: Page, text: string | RegExp): Locator => log(page).getByRole('listitem').filter({ hasText: text });

test('a Deployment’s cascade is told as it happens, and a refused request with its reason', async ({ page }) => {
  const base = await openGlass(page, 'cascade');
  await createDeployment(page, base);
  await expect(line(page, /ada created Deployment default\/web.*revision \d+/s)).toHaveCount(1);
  await expect(
    line(page, /deployment controller created ReplicaSet.*because Deployment default\/web was added/s),
  ).toHaveCount(1);
  await expect(
    line(page, /replicaset controller created Pod.*because ReplicaSet default\/web-\w+ was added/s),
  ).toHaveCount(2);
  await expect(line(page, /scheduler bound Pod/)).toHaveCount(2);
  // Requests come too fast to be announced; the log is read when somebody goes there.
  await expect(log(page)).toHaveAttribute('aria-live', 'off');
  await expect(line(page, /agent of node-\d updated the status of Pod.*Running/s).first()).toBeVisible({
    timeout: 20_000,
  });
  await expect(
    page.getByRole('region', { name: 'Who watches and reacts' }).getByTitle(/default\/web-.*: Running$/),
  ).toHaveCount(2);

  const status = await page.evaluate(
    async ([url, headers]) =>
      (await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' }))
        .status,
    [`${base}/api/v1/namespaces/default/pods`, jane] as const,
  );
  expect(status).toBe(403);
  await expect(line(page, /jane wanted to create pods in default.*stopped at authorization \(403\)/s)).toHaveCount(1);
  await page.getByRole('link', { name: 'Authorization 403 jane may not create pods in default' }).click();
  await expect(page.getByRole('complementary', { name: 'Request' })).toContainText('Authorization');
});

test('one object is followed; the picture is paused, stepped, scrubbed and goes live again', async ({ page }) => {
  const base = await openGlass(page, 'follow');
  await createDeployment(page, base);
  await expect(line(page, /scheduler bound Pod/)).toHaveCount(2);
  // As long as lines come, the log moves under the pointer.
  await expect(page.getByText(/^Nothing is happening now/)).toBeVisible();
  await line(page, 'ada created Deployment default/web').getByRole('link', { name: 'Follow this object' }).click();
  const story = log(page, 'Story of Deployment default/web').getByRole('listitem');
  await expect(story.first()).toContainText('ada created Deployment default/web');
  await expect(story.filter({ hasText: /scheduler bound Pod.*follows revision/s })).toHaveCount(2);
  await expect(story.filter({ hasText: 'ServiceAccount' })).toHaveCount(0);

  const moment = page.getByRole('slider', { name: 'Moment' });
  const place = async (): Promise<number> => Number(await moment.inputValue());
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  const paused = await place();
  await page.getByRole('button', { name: 'Step back' }).click();
  await expect.poll(place).toBeLessThan(paused);
  await expect(page.getByText(/^Paused, \d+ steps behind$/)).toBeVisible();
  const before = await place();
  await page.getByRole('button', { name: 'Step back' }).click();
  await expect.poll(place).toBeLessThan(before);
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await expect.poll(place).toBe(before);
  await moment.focus();
  await page.keyboard.press('Home');
  await expect(page.getByText(/^Paused, \d+ steps behind$/)).toBeVisible();
  await page.getByRole('button', { name: 'Step to the next write or refusal' }).click();
  await expect(moment).toHaveAttribute('aria-valuetext', /revision [1-9]/);
  await page.getByRole('button', { name: 'Go live' }).click();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect(log(page)).toBeVisible();
});

/** How many pixels of a picture of the stage are not of the usual colour where an element is. */
async function inkWithin(page: Page, picture: Buffer, selector: string): Promise<number> {
  const bytes = picture.toString('base64');
  return page.evaluate(
    async ([text, where]) => {
      const stage = document.querySelector('[data-stage]')?.getBoundingClientRect();
      const rect = document.querySelector(where)?.getBoundingClientRect();
      if (!stage || !rect) return -1;
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (each) => each.charCodeAt(0))]));
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context?.drawImage(image, 0, 0);
      const scale = image.width / stage.width;
      const [x, y] = [(rect.x - stage.x) * scale, (rect.y - stage.y) * scale];
      const area = context?.getImageData(x, y, rect.width * scale, rect.height * scale);
      const pixels = new Uint32Array(area?.data.buffer ?? new ArrayBuffer(0));
      return pixels.filter((pixel) => pixel !== pixels[0]).length;
    },
    [bytes, selector] as const,
  );
}

test('what is seen is saved as a picture and as a short video', async ({ page }) => {
  const base = await openGlass(page, 'film');
  await page.getByRole('button', { name: 'Picture or video' }).click();
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save a picture' }).click(),
  ]);
  expect(picture.suggestedFilename()).toBe('film-glass.png');
  expect(
    readFileSync(await picture.path())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  expect(await inkWithin(page, readFileSync(await picture.path()), '[data-box="to:scheduler"] svg')).toBeGreaterThan(
    10,
  );
  await page.getByRole('button', { name: 'Record a video' }).click();
  await createDeployment(page, base);
  await expect(line(page, /scheduler bound Pod/)).toHaveCount(2);
  const [film] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Stop recording' }).click(),
  ]);
  const bytes = readFileSync(await film.path());
  // WebM is a kind of Matroska, which begins with the mark of EBML.
  expect([film.suggestedFilename(), bytes.subarray(0, 4).toString('hex')]).toEqual(['film-glass.webm', '1a45dfa3']);
  expect(bytes.length).toBeGreaterThan(20_000);
});

test('many requests are shown without holding up the page, and nothing is drawn while nothing happens', async ({
  page,
}) => {
  test.setTimeout(90_000);
  const base = await openGlass(page, 'busy');
  const measured = await page.evaluate(
    async ([url, headers]) => {
      const tasks: number[] = [];
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: 'longtask',
      });
      const most = 200;
      let [frames, sent] = [0, 0];
      const began = performance.now();
      const count = (): void => {
        frames += 1;
        if (sent < most) requestAnimationFrame(count);
      };
      requestAnimationFrame(count);
      const send = async (): Promise<void> => {
        while (sent < most) {
          sent += 1;
          const body = JSON.stringify({ metadata: { generateName: 'c-' } });
          await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });
        }
      };
      await Promise.all(Array.from({ length: 8 }, send));
      return { sent, frames, ms: performance.now() - began, longest: Math.max(0, ...tasks), long: tasks.length };
    },
    [`${base}/api/v1/namespaces/default/configmaps`, administrator] as const,
  );
  console.log(`the Glass while requests are sent: ${JSON.stringify(measured)}`);
  // How many frames the page asks for within a second.
  const frames = (): Promise<number> =>
    page.evaluate(async () => {
      const request = window.requestAnimationFrame.bind(window);
      let asked = 0;
      window.requestAnimationFrame = (draw) => {
        asked += 1;
        return request(draw);
      };
      await new Promise((resolve) => setTimeout(resolve, 1000));
      window.requestAnimationFrame = request;
      return asked;
    });
  await expect.poll(frames, { timeout: 40_000 }).toBe(0);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  // The newest line is in sight, though the oldest ones went as it came.
  const below = (): Promise<number> =>
    log(page).evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  await expect.poll(below).toBeLessThan(40);
});
