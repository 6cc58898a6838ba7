/** Several objects in one text: in the order of need, patiently, and twice. */
import { expect, test, type Locator, type Page } from '@playwright/test';

const results = (page: Page): Locator => page.getByRole('list', { name: 'Results' });

/** Opens a text in the editor of a new cluster. */
async function openText(page: Page, text: string): Promise<void> {
  await page.goto('./');
  await page.getByRole('textbox', { name: 'Manifests' }).fill(text);
  await page.getByRole('button', { name: 'Open in a new cluster' }).click();
  await expect(page.locator('.view-lines')).toContainText('apiVersion', { timeout: 45_000 });
}

const apply = (page: Page): Promise<void> => page.getByRole('button', { name: 'Apply', exact: true }).click();

const needs = `apiVersion: example.com/v1
kind: Widget
metadata: {name: first}
spec: {size: 3}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: garden}
spec:
  containers: [{name: web, image: 'nginx:1.19'}]
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: garden}
spec:
  selector: {app: web}
  ports: [{port: 80}]
---
apiVersion: v1
kind: Namespace
metadata: {name: garden}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
`;

test('a text in the wrong order is applied at once, and applied again changes nothing', async ({ page }) => {
  test.setTimeout(120_000);
  await openText(page, needs);
  await apply(page);
  await expect(results(page).getByText('created')).toHaveCount(5, { timeout: 45_000 });
  await apply(page);
  await expect(results(page).getByText('unchanged')).toHaveCount(5, { timeout: 45_000 });
});

test('the editor lists who gains and who loses rights by a change, gains first', async ({ page }) => {
  const binding = (group: string): string => `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: lookers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: system:discovery}
subjects:
- {kind: Group, name: ${group}, apiGroup: rbac.authorization.k8s.io}
`;
  await openText(page, binding('readers'));
  await apply(page);
  await expect(results(page).getByText('created')).toHaveCount(1, { timeout: 45_000 });
  const shifts = page.getByRole('region', { name: 'Who gains and loses' });
  await expect(shifts).toContainText('changes nobody’s rights');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((text) => navigator.clipboard.writeText(text), binding('interns'));
  await page.locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+v');
  await expect(shifts).toContainText('changes the rights of 2 subjects');
  await expect(shifts.getByRole('listitem').first()).toContainText('gains Group interns');
  await expect(shifts).toContainText('loses Group readers');
});
