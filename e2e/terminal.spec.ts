/** The terminal: a shell in the page, in which the cluster's client runs as whoever the page acts as. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { faults } from './axe.ts';
import { boot, cluster } from './support.ts';

/** Opens the terminal; what it shows, as it is read aloud. */
async function openTerminal(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+`');
  const shown = page.locator('.xterm-accessibility-tree');
  await expect(shown).toContainText('Tab completes.');
  await expect(shown).toContainText('~ $');
  return shown;
}

async function type(page: Page, line: string): Promise<void> {
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
}

async function openCluster(page: Page, name: string): Promise<string> {
  const base = await boot(page, { ...cluster(name), naming: 'k8s.io', storage: 'indexeddb' });
  await page.evaluate((hash) => (location.hash = hash), `#/${name}/explore/core/pods`);
  await expect(page.getByRole('navigation', { name: 'Panels' })).toBeVisible({ timeout: 30_000 });
  return base;
}

/** Runs a line; milliseconds from Enter until the terminal shows a text. */
async function timeUntil(page: Page, line: string, text: string): Promise<number> {
  await page.keyboard.type(line);
  const waiting = await page.evaluateHandle((wanted) => {
    const shown = document.querySelector('.xterm-rows') as Element;
    const seen = new Promise<number>((resolve) => {
      let start = 0;
      document.addEventListener('keydown', () => (start = performance.now()), { once: true, capture: true });
      const observer = new MutationObserver(() => {
        if (start > 0 && shown.textContent?.includes(wanted)) resolve(performance.now() - start);
      });
      observer.observe(shown, { subtree: true, childList: true, characterData: true });
    });
    // A handle of a promise would wait for it.
    return { seen };
  }, text);
  await page.keyboard.press('Enter');
  return waiting.evaluate(({ seen }) => seen);
}

test('files and folders come into the terminal by dropping or choosing them', async ({ page }) => {
  test.setTimeout(120_000);
  await openCluster(page, 'dropped');
  const shown = await openTerminal(page);
  await page.getByRole('region', { name: 'Terminal' }).evaluate((terminal) => {
    const dataTransfer = new DataTransfer();
    const files = {
      'kustomization.yaml': 'resources: [c.yaml]\nnamePrefix: x-\n',
      'c.yaml': '{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}',
    };
    for (const [name, text] of Object.entries(files)) dataTransfer.items.add(new File([text], name));
    for (const type of ['dragover', 'drop'])
      terminal.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  });
  await expect(shown).toContainText('kustomization.yaml c.yaml');
  await page.keyboard.press('Control+u');
  await type(page, 'kubectl kustomize .');
  await expect(shown).toContainText('name: x-c');

  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add files' }).click();
  await (await choosing).setFiles({ name: 'more.txt', mimeType: 'text/plain', buffer: Buffer.from('chosen') });
  await expect(shown).toContainText('more.txt');
  await page.keyboard.press('Control+u');
  await type(page, 'cat more.txt');
  await expect(shown).toContainText('chosen');
});

test('commands, pipes, files, completion, and the requests that a command made', async ({ page }) => {
  test.setTimeout(120_000);
  await openCluster(page, 'terminal');
  const shown = await openTerminal(page);
  const ms = await timeUntil(page, 'kubectl get pods', 'No resources found in default namespace.');
  test.info().annotations.push({ type: 'first get pods', description: `${Math.round(ms)} ms` });

  await type(page, 'kubectl get ns -o name | grep -c kube- > count.txt; echo "counted $(cat count.txt)"');
  await expect(shown).toContainText('counted 3');
  // A screen reader says what comes, without being sent there.
  await expect(page.locator('.xterm [aria-live=assertive]')).toContainText('counted 3');

  await page.keyboard.type('kubectl get namesp');
  await page.keyboard.press('Tab');
  await expect(shown).toContainText('kubectl get namespaces ');
  await page.keyboard.type('-o name');
  await page.keyboard.press('Enter');
  await expect(shown).toContainText('namespace/kube-public');

  expect(await faults(page, 'the terminal')).toEqual([]);
  await type(page, 'clear');
  await type(
    page,
    'curl -s -X POST /api/v1/namespaces/default/configmaps -d @- <<EOF\n{"metadata":{"name":"typed"}}\nEOF',
  );
  await expect(shown).toContainText('"name":"typed"');
  await type(page, 'k get cm typed -o name');
  await expect(shown).toContainText('configmap/typed');

  await page.keyboard.press('F6');
  await page.keyboard.press('Enter');
  const requests = page.getByRole('main').getByRole('region', { name: 'Requests' });
  await expect(requests.getByText('/api/v1/namespaces/default/configmaps/typed')).toBeVisible();
  await expect(requests.getByRole('button', { name: 'Of one command; show all' })).toBeVisible();
});

test('Ctrl+C ends a watch; files and history are there after a reload', async ({ page }) => {
  test.setTimeout(120_000);
  await openCluster(page, 'terminal-kept');
  const shown = await openTerminal(page);
  await type(page, 'watch kubectl get ns');
  await expect(shown).toContainText('Every 2.0s: kubectl get ns');
  await expect(shown).toContainText('kube-system');
  await page.keyboard.press('Control+c');
  await expect(shown).not.toContainText('Every 2.0s');
  await type(page, 'echo kept > file.txt');
  await type(page, 'echo done');
  await expect(shown).toContainText('~ $ echo done');

  await page.reload();
  await expect(page.locator('.xterm-accessibility-tree')).toContainText('~ $', { timeout: 30_000 });
  await page.getByRole('textbox', { name: 'Terminal input' }).focus();
  await type(page, 'cat file.txt');
  await expect(shown).toContainText('kept');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(shown).toContainText('$ echo kept > file.txt');
});

test('runs as whoever the page acts as, with the other profile’s name for the client', async ({ page }) => {
  test.setTimeout(120_000);
  await boot(page, { ...cluster('terminal-neutral'), naming: 'cluster.io', storage: 'indexeddb' });
  await page.evaluate(() => (location.hash = '#/terminal-neutral/explore/core/pods?ns=cluster-system'));
  await expect(page.getByRole('navigation', { name: 'Panels' })).toBeVisible({ timeout: 30_000 });
  const shown = await openTerminal(page);
  await expect(shown).toContainText('Type clusterctl get pods');
  await page.keyboard.press('F6');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find anything' }).fill('act as anonymous');
  await page.keyboard.press('Enter');
  await expect(page.getByText('As system:anonymous in cluster-system.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Terminal input' }).focus();
  await type(page, 'clusterctl get secrets');
  await expect(shown).toContainText('User "system:anonymous" cannot list resource "secrets"');
  await expect(shown).toContainText('in the namespace "cluster-system"');
});

test('vi opens the editor of the page', async ({ page }) => {
  test.setTimeout(120_000);
  await openCluster(page, 'terminal-vi');
  const shown = await openTerminal(page);
  await type(page, 'vi new.yaml');
  const dialog = page.getByRole('dialog', { name: 'new.yaml' });
  await expect(dialog.locator('.monaco-editor').first()).toBeVisible({ timeout: 30_000 });
  await dialog.locator('.monaco-editor textarea, .monaco-editor .native-edit-context').first().focus();
  await page.keyboard.insertText('kind: ConfigMap');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await type(page, 'cat new.yaml');
  await expect(shown).toContainText('kind: ConfigMap');
});

test('kustomize, jq, a pod that one talks to, exec -it, port-forward and edit', async ({ page }) => {
  test.setTimeout(240_000);
  const more = {
    apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'],
    controllerManager: ['--use-service-account-credentials=true'],
  };
  await boot(page, { ...cluster('terminal-pods', more), naming: 'k8s.io', nodes: 1, storage: 'indexeddb' });
  await page.evaluate(() => (location.hash = '#/terminal-pods/explore/core/pods'));
  await expect(page.getByRole('navigation', { name: 'Panels' })).toBeVisible({ timeout: 30_000 });
  const shown = await openTerminal(page);
  await type(page, 'kubectl auth whoami');
  await expect(shown).toContainText('Username    administrator');
  await expect(shown).not.toContainText('unknown');

  await type(page, "printf 'namePrefix: my-\\nresources: [cm.yaml]\\n' > kustomization.yaml");
  await type(page, "printf 'apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: built}\\n' > cm.yaml");
  await type(page, 'kubectl apply -k . && kubectl get cm my-built -o json | jq -r \'"picked " + .metadata.name\'');
  await expect(shown).toContainText('picked my-built');

  // The service account of a new namespace takes a moment.
  await type(page, 'until kubectl get sa default; do sleep 0.2; done; clear; echo ready');
  await expect(shown).toContainText('ready');
  await type(page, 'kubectl run tmp --rm -it --image=busybox --restart=Never -- sh');
  // What the shell said before one joined it is not seen: Enter has it ask again.
  await expect(shown).toContainText('try pressing enter', { timeout: 30_000 });
  await expect(async () => {
    await page.keyboard.press('Enter');
    await expect(shown).toContainText('/ #', { timeout: 1000 });
  }).toPass();
  await type(page, 'echo inside $(hostname); exit');
  await expect(shown).toContainText('inside tmp');
  await expect(shown).toContainText('pod "tmp" deleted');

  await type(page, 'clear; kubectl run web --image=nginx && kubectl wait pod web --for=condition=Ready');
  await expect(shown).toContainText('pod/web condition met', { timeout: 30_000 });
  await type(page, 'kubectl exec -it web -- sh');
  await expect(shown).toContainText('/ #');
  await type(page, 'exit');
  // What is typed before the shell has ended goes to the shell.
  await expect(shown).toContainText(/exit\s*\d+ requests\s*default ~ \$/);
  await type(page, 'kubectl port-forward web 8080:80');
  const browser = page.getByRole('region', { name: 'Browser on web' });
  await expect(browser.frameLocator('iframe').getByText('Welcome to nginx!').first()).toBeVisible({ timeout: 15_000 });

  await page.getByRole('tab', { name: 'Terminal' }).click();
  await page.getByRole('textbox', { name: 'Terminal input' }).focus();
  await type(page, 'clear; kubectl edit cm my-built');
  const dialog = page.getByRole('dialog', { name: 'configmaps/my-built' });
  await expect(dialog.locator('.monaco-editor').first()).toBeVisible({ timeout: 30_000 });
  await dialog.locator('.monaco-editor textarea, .monaco-editor .native-edit-context').first().focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('data: {a: b}\n');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(shown).toContainText('configmap/my-built edited');
});

test('text that comes without keys is taken once: from panels, dictation and other scripts', async ({ page }) => {
  test.setTimeout(120_000);
  await openCluster(page, 'inserted');
  const shown = await openTerminal(page);
  await page.keyboard.type('echo "');
  await page.keyboard.insertText('one 🎉 two');
  await page.keyboard.type(' three');
  const devtools = await page.context().newCDPSession(page);
  for (const text of ['に', 'にほ', 'にほん'])
    await devtools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await devtools.send('Input.insertText', { text: '日本' });
  // What is composed is sent a moment after it was: keys come after that.
  await expect(shown).toContainText('three日本');
  await page.keyboard.insertText(' end');
  await type(page, '" | tr a-z A-Z');
  await expect(shown).toContainText('ONE 🎉 TWO THREE日本 END');
});

test('Ctrl+V pastes, however many lines, and Ctrl+C copies what is marked before it ends what runs', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await openCluster(page, 'pasted');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const shown = await openTerminal(page);
  const paste = async (text: string, keys: string): Promise<void> => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await page.keyboard.press(keys);
  };
  const rows = Array.from({ length: 200 }, (_, index) => `key-${index}: value ${index}`);
  await paste(`cat > long.txt <<'END'\n${rows.join('\n')}\nEND\n`, 'Control+v');
  // Of a long text the rows around the cursor are shown; nothing runs before somebody says so.
  await expect(shown).toContainText('> END');
  await expect(shown).toContainText('> key-199: value 199');
  await page.keyboard.press('Enter');
  await type(page, 'wc -l < long.txt; tail -n 1 long.txt');
  await expect(shown).toContainText('200');
  await type(page, 'clear');
  // On a smaller screen the line is wrapped anew, and can go on.
  await paste(`echo ${'long '.repeat(60)}`, 'Control+Shift+V');
  await page.setViewportSize({ width: 1000, height: 500 });
  await type(page, '| wc -w');
  await expect(shown.getByText(/^60$/)).toBeVisible();

  await type(page, 'clear');
  await type(page, 'echo marked; kubectl get pods -w');
  const word = page.locator('.xterm-rows > div').getByText('marked', { exact: true });
  await word.dblclick({ position: { x: 12, y: 6 }, force: true });
  await page.keyboard.press('Control+c');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('marked');
  await expect(shown).not.toContainText('^C');
  await page.keyboard.press('Control+c');
  await expect(shown).toContainText('^C');
  await type(page, 'echo status $?');
  await expect(shown).toContainText('status 130');
});

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test('the terminal scrolls by touch, and has the keys that the keyboard on the screen lacks', async ({ page }) => {
    test.setTimeout(120_000);
    await openCluster(page, 'phone');
    const shown = await openTerminal(page);
    await type(page, 'seq 200');
    await expect(shown).toContainText('200');
    const rows = page.locator('.xterm-rows');
    await expect(rows).not.toContainText('150');

    const box = await page.locator('.xterm-screen').boundingBox();
    const [x, top] = [(box?.x ?? 0) + 100, (box?.y ?? 0) + 40];
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number): Promise<unknown> =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x, y }] });
    await send('touchStart', top);
    for (let moved = 10; moved <= 300; moved += 10) await send('touchMove', top + moved);
    await send('touchEnd');
    await expect(rows).toContainText('150');

    await page.keyboard.type('kubectl get namesp');
    await page.getByRole('button', { name: 'Tab', exact: true }).tap();
    await expect(shown).toContainText('kubectl get namespaces');
    await page.keyboard.press('Enter');
    await type(page, 'watch kubectl get ns');
    await expect(shown).toContainText('Every 2.0s');
    await page.getByRole('button', { name: 'Control C', exact: true }).tap();
    await type(page, 'echo ended-$((1 + 1))');
    await expect(shown).toContainText('ended-2');
  });
});
