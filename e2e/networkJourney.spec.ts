/** The journey that teaches NetworkPolicy: a loop turns red in its log, on the map and in the flows; why; and green again. */
import { expect, test, type Page } from '@playwright/test';
import { ask, boot, cluster, picture } from './support.ts';

const pods = '/api/v1/namespaces/default/pods';
const LOOP = 'while true; do wget -q -T 1 -O /dev/null http://web && echo green || echo red; sleep 1; done';

const objects: readonly [path: string, object: object][] = [
  [
    pods,
    {
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80 }] }] },
    },
  ],
  [
    pods,
    {
      metadata: { name: 'client', labels: { app: 'client' } },
      spec: { containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', LOOP] }] },
    },
  ],
  [
    '/api/v1/namespaces/default/services',
    { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } },
  ],
];

async function openLoop(page: Page): Promise<string> {
  const apiserver = ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'];
  const controllerManager = ['--use-service-account-credentials=true'];
  const base = await boot(page, cluster('loop', { nodes: 1, apiserver, controllerManager, storage: 'indexeddb' }));
  // The namespace's service account comes a moment after the namespace.
  for (const [path, object] of objects)
    await expect.poll(async () => (await ask(page, base, path, 'POST', object)).status).toBe(201);
  return base;
}

/** Waits until the last line of the loop's log is of a colour. */
async function untilLog(page: Page, base: string, colour: string): Promise<void> {
  const last = (): Promise<string> =>
    page.evaluate(async (url) => {
      const response = await fetch(url, { headers: { authorization: 'Bearer admintoken' } });
      return (await response.text()).trim().split('\n').at(-1) ?? '';
    }, `${base}${pods}/client/log?tailLines=1`);
  await expect.poll(last, { timeout: 20_000 }).toBe(colour);
}

/** Waits until a connection runs over the map, and tells which of red, green and blue is strongest in it. */
const movingColour = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const look = (): void => {
          const canvas = document.querySelector<HTMLCanvasElement>('canvas[aria-hidden]');
          const { width = 0, height = 0 } = canvas ?? {};
          const pixels = (width && canvas?.getContext('2d')?.getImageData(0, 0, width, height).data) || [];
          const drawn = pixels.findIndex((value, i) => i % 4 === 3 && value === 255) - 3;
          if (drawn < 0) return void requestAnimationFrame(look);
          const colour = [...pixels.slice(drawn, drawn + 3)];
          resolve(
            ['red', 'green', 'blue'].find((_, i) => colour.every((each, k) => k === i || each < colour[i]!)) ?? 'none',
          );
        };
        look();
      }),
  );

const show = (page: Page, look: string) => page.getByRole('radio', { name: look }).click();

test('a loop turns red when everything is denied, says why, and turns green by an allow rule', async ({ page }) => {
  test.setTimeout(240_000);
  const base = await openLoop(page);
  await page.evaluate(() => {
    location.hash = '#/loop/network/map';
  });
  await untilLog(page, base, 'green');
  const line = page.locator('[data-flow="default/Pod/client>default/Pod/web"]');
  await expect(line).toHaveAttribute('data-look', 'delivered');
  expect(await movingColour(page)).toBe('green');
  await picture(page, 'green');

  await page.getByRole('button', { name: 'New policy' }).click();
  await page.getByRole('menuitem', { name: /Deny all incoming/ }).click();
  await expect(page.getByRole('heading', { name: 'The draft closes 2 connections, opens none' })).toBeVisible();
  await picture(page, 'draft');
  await page.getByRole('button', { name: 'Apply', exact: true }).click();

  await untilLog(page, base, 'red');
  await expect(line).toHaveAttribute('data-look', 'denied');
  expect(await movingColour(page)).toBe('red');
  await picture(page, 'red');
  await show(page, 'Flows');
  const denied = page.getByRole('row', { name: /ingress denied/ }).first();
  await expect(denied.getByRole('link', { name: 'default-deny-ingress' })).toBeVisible();

  await denied.getByRole('button', { name: 'web:80 TCP' }).click();
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByText(/isolated for incoming traffic by default\/default-deny-ingress/)).toBeVisible();
  await picture(page, 'why');

  await denied.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Suggest policies for 1' }).click();
  await expect(page.getByRole('heading', { name: 'The draft closes none, opens 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Apply', exact: true }).click();

  await untilLog(page, base, 'green');
  await show(page, 'Map');
  expect(await movingColour(page)).toBe('green');
  await expect(line).toHaveAttribute('data-look', 'delivered');
});
