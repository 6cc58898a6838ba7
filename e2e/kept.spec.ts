/** What outlives a reload of the page of what containers do: files of claims, logs, how often they were started and how long they wait. */
import { expect, test, type Page } from '@playwright/test';
import { administrator, boot, bootHere } from './support.ts';

const PODS = '/api/v1/namespaces/default/pods';
const options = {
  name: 'kept',
  naming: 'k8s.io' as const,
  nodes: 1,
  storage: 'indexeddb' as const,
  apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'],
  controllerManager: ['--use-service-account-credentials=true'],
  files: { 'tokens.csv': 'admintoken,admin,uid-admin,"system:masters"\n' },
};

async function create(page: Page, url: string, object: object): Promise<void> {
  const send = (): Promise<number> =>
    page.evaluate(
      async ([address, headers, body]) =>
        (await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })).status,
      [url, { ...administrator, 'content-type': 'application/json' }, object] as const,
    );
  // The account of a new namespace takes a moment.
  await expect.poll(send).toBe(201);
}

const text = (page: Page, url: string): Promise<string> =>
  page.evaluate(async ([address, headers]) => (await fetch(address, { headers })).text(), [
    url,
    administrator,
  ] as const);

interface ContainerStatus {
  readonly restartCount: number;
  readonly containerID: string;
  readonly state: { readonly waiting?: { readonly reason: string } };
  readonly lastState: { readonly terminated?: { readonly exitCode: number } };
}

async function statusOf(page: Page, base: string, pod: string): Promise<ContainerStatus | undefined> {
  const { status } = JSON.parse(await text(page, `${base}${PODS}/${pod}`)) as {
    status: { containerStatuses?: ContainerStatus[] };
  };
  return status.containerStatuses?.[0];
}

/** What a browser does when another tab comes before this one. */
async function goOutOfSight(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

/** Whether the cluster's log in IndexedDB has the text. */
async function isOnDisk(page: Page, name: string, text: string): Promise<boolean> {
  return page.evaluate(
    async ([database, searched]) => {
      const done = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error ?? new Error('IndexedDB fails'));
        });
      const db = await done(indexedDB.open(database));
      const rows = (await done(db.transaction('log').objectStore('log').getAll())) as { bytes: Uint8Array }[];
      db.close();
      return rows.some(({ bytes }) => new TextDecoder().decode(bytes).includes(searched));
    },
    [`vitrine/${name}`, text] as const,
  );
}

const pod = (name: string, command: string, volumes: readonly object[] = []): object => ({
  metadata: { name },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        ...{ name: 'c', image: 'busybox', command: ['sh', '-c', command] },
        ...(volumes.length > 0 && { volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
      },
    ],
    volumes,
  },
});

test('a reload keeps a claim’s files, logs, the count of restarts and the wait before the next', async ({ page }) => {
  test.setTimeout(120_000);
  const base = await boot(page, options);
  await create(page, `${base}/apis/storage.k8s.io/v1/storageclasses`, {
    ...{ metadata: { name: 'simulated' }, provisioner: 'simulation.vitrine.dev/volumes' },
  });
  await create(page, `${base}/api/v1/namespaces/default/persistentvolumeclaims`, {
    metadata: { name: 'data' },
    spec: {
      ...{ storageClassName: 'simulated', accessModes: ['ReadWriteOnce'] },
      resources: { requests: { storage: '1Gi' } },
    },
  });
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  await create(
    page,
    base + PODS,
    pod('writes', 'i=0; while true; do echo $i > /data/f; echo line $i; i=$((i+1)); sleep 1; done', volumes),
  );
  await create(page, base + PODS, pod('crashes', 'echo tried; exit 3'));
  await expect.poll(async () => (await statusOf(page, base, 'crashes'))?.restartCount, { timeout: 60_000 }).toBe(2);
  const backsOff = async (): Promise<string | undefined> =>
    (await statusOf(page, base, 'crashes'))?.state.waiting?.reason;
  await expect.poll(backsOff).toBe('CrashLoopBackOff');
  await expect.poll(() => text(page, `${base}${PODS}/writes/log`)).toContain('line 12\n');
  // The last lines are younger than ten seconds: they are written because the page goes out of sight. A browser that has much
  // to do may end a page before its last write is done, so the test lets it go out of sight a moment before it is left.
  await goOutOfSight(page);
  await expect.poll(() => isOnDisk(page, options.name, 'line 12'), { timeout: 6_000 }).toBe(true);
  const before = await statusOf(page, base, 'crashes');

  await page.reload();
  await bootHere(page, options);
  await expect.poll(() => text(page, `${base}${PODS}/writes/log`)).toContain('line 0\n');
  const after = (await text(page, `${base}${PODS}/writes/log`)).split('\n');
  const firstNew = after.indexOf('line 0', 1);
  expect(firstNew).toBeGreaterThan(12);
  await create(page, base + PODS, pod('reads', 'cat /data/f; sleep 1000', volumes));
  await expect.poll(() => text(page, `${base}${PODS}/reads/log`)).toMatch(/^\d+\n$/);
  const crashed = await statusOf(page, base, 'crashes');
  expect(crashed).toMatchObject({
    restartCount: 2,
    containerID: before?.containerID,
    state: { waiting: { reason: 'CrashLoopBackOff' } },
  });
  expect(await text(page, `${base}${PODS}/crashes/log`)).toBe('tried\n');
  // It waits for the rest of its time, and no longer.
  await expect.poll(async () => (await statusOf(page, base, 'crashes'))?.restartCount, { timeout: 40_000 }).toBe(3);
});
