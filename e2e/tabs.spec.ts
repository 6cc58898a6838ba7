/** Several tabs on one cluster: one writes, and when it is closed another takes over. */
import { expect, test } from '@playwright/test';
import { ask, boot, bootHere, cluster, configMap, configMaps, watch, watched } from './support.ts';

test('both tabs see one cluster', async ({ context }) => {
  const options = cluster('shared');
  const [writer, other] = [await context.newPage(), await context.newPage()];
  const base = await boot(writer, options);
  await boot(other, options);
  const made = await ask(other, base, configMaps, 'POST', configMap('from-other'));
  expect(made.status).toBe(201);
  expect((await ask(writer, base, `${configMaps}/from-other`)).body).toEqual(made.body);
});

test('when the writer is closed in the middle of writes and watches, the other takes over', async ({ context }) => {
  const options = cluster('heir');
  const [writer, other] = [await context.newPage(), await context.newPage()];
  const base = await boot(writer, options);
  await boot(other, options);
  const { body } = await ask(other, base, configMaps);
  await watch(other, base, `${configMaps}?watch=1&resourceVersion=${body.metadata?.resourceVersion}`);

  // Writes go on, one after the other, while the tab that carries them out is closed.
  await other.evaluate((url) => {
    const results: string[] = [];
    Object.assign(window, { results });
    const headers = { authorization: 'Bearer admintoken', 'content-type': 'application/json' };
    const write = async (i: number): Promise<void> => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c${i}` } };
      const started = performance.now();
      const outcome = await fetch(url, { method: 'POST', headers, body: JSON.stringify(object) }).then(
        (response) => `${response.status}`,
        () => 'failed',
      );
      results.push(`${outcome} c${i} ${Math.round(performance.now() - started)}`);
      if (i < 200) await write(i + 1);
    };
    void write(0);
  }, base + configMaps);
  const results = (): Promise<string[]> => other.evaluate(() => (window as unknown as { results: string[] }).results);
  await expect.poll(async () => (await results()).length).toBeGreaterThan(20);
  await writer.close();
  await expect.poll(async () => (await results()).length, { timeout: 30_000 }).toBe(201);

  const all = (await results()).map((line) => line.split(' ') as [string, string, string]);
  const acknowledged = all.filter(([outcome]) => outcome === '201').map(([, name]) => name);
  const others = all.map(([outcome]) => outcome).filter((outcome) => outcome !== '201');
  expect(others.join()).toMatch(/^(504)?$/);
  expect(Math.max(...all.map(([, , ms]) => Number(ms)))).toBeLessThan(2_000);

  const list = await ask(other, base, configMaps);
  const stored = (list.body['items'] as { metadata: { name: string } }[]).map((item) => item.metadata.name);
  expect(stored).toEqual(expect.arrayContaining(acknowledged));
  // The watch went on: each object once, in order, none left out.
  const events = stored.filter((name) => /^c\d+$/.test(name)).sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  await expect.poll(() => watched(other)).toEqual(events.map((name) => `ADDED ${name}`));
});

test('a tab that leaves lets go of its watches, one that stops hands over', async ({ context }) => {
  const options = cluster('stopped');
  const [first, second] = [await context.newPage(), await context.newPage()];
  const base = await boot(first, options);
  await boot(second, options);
  await ask(first, base, configMaps, 'POST', configMap('a'));
  await first.evaluate(() => window.vitrine.stop('stopped'));
  expect((await ask(second, base, `${configMaps}/a`)).status).toBe(200);
  await bootHere(first, options);
  expect((await ask(first, base, `${configMaps}/a`)).status).toBe(200);
});

test('a cluster that is removed is gone from every tab', async ({ context }) => {
  const options = cluster('removed');
  const [first, second] = [await context.newPage(), await context.newPage()];
  const base = await boot(first, options);
  await boot(second, options);
  await ask(second, base, configMaps, 'POST', configMap('a'));
  await second.evaluate(() => window.vitrine.remove('removed'));
  await expect.poll(() => first.evaluate((url) => fetch(url).then((r) => r.status), `${base}/version`)).toBe(503);
  await bootHere(first, options);
  expect((await ask(first, base, `${configMaps}/a`)).status).toBe(404);
});
