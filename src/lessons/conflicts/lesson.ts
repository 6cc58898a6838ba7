import { apply, asked, merge, object, original, send } from '../build.ts';
import { cards } from '../cards.ts';
import type { Json } from '../../std/index.ts';
import type { FieldWant, Lesson, Step } from '../engine/lesson.ts';

const maps = '/api/v1/namespaces/default/configmaps';

const start = `
apiVersion: v1
kind: ConfigMap
metadata: {name: menu, namespace: default}
data: {soup: "4", salad: "6"}
`;

/** Whether a manager owns the price of water, by an apply. */
const owns = (manager: string, exists: boolean): FieldWant => ({
  path: `metadata.managedFields[manager=${manager}].fieldsV1.f:data.f:water`,
  exists,
});

const put = (data: Json, revision: string, expect?: number): Step =>
  send('PUT', `${maps}/menu`, {
    body: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'menu', namespace: 'default', resourceVersion: revision },
      data,
    },
    ...(expect !== undefined && { expect }),
  });

const applyAs = (
  manager: string,
  data: Json,
  more: { readonly force?: boolean; readonly expect?: number } = {},
): Step =>
  send('PATCH', `${maps}/drinks?fieldManager=${manager}${more.force ? '&force=true' : ''}`, {
    contentType: 'application/apply-patch+yaml',
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'drinks', namespace: 'default' }, data },
    ...(more.expect !== undefined && { expect: more.expect }),
  });

export const lesson: Lesson = {
  ...cards.conflicts,
  intro: [
    'Two people edit one object. Who saves last must not wipe out the other by accident.',
    'There are two ways: compare the revision of the whole object, or own fields one by one.',
  ],
  start: { steps: [apply(start)] },
  tasks: [
    {
      title: 'Run into a conflict',
      text: [
        'Open the ConfigMap `menu` in the editor and wait. Meanwhile somebody sets `salad` to `"7"`: do that with the command, or in another tab.',
        'Then save yours as a replacement. It carries the old `resourceVersion`, and the server answers 409 Conflict.',
      ],
      where: { panel: 'explore', path: ['core', 'configmaps'], query: { ns: 'default' } },
      commands: [
        '{ctl} get configmap menu -o yaml > menu.yaml',
        `{ctl} patch configmap menu -p '{"data":{"salad":"7"}}'`,
        '{ctl} replace -f menu.yaml',
      ],
      hints: [
        'In Requests, send a PUT with the YAML that you read before the change.',
        'Any PUT whose `metadata.resourceVersion` is not the present one will do.',
      ],
      checks: [
        asked('A replacement of `menu` met a conflict (409).', { method: 'PUT', path: `${maps}/menu`, status: 409 }),
      ],
      solution: [
        send('GET', `${maps}/menu`, { keep: { old: 'metadata.resourceVersion' } }),
        merge(`${maps}/menu`, { data: { salad: '7' } }),
        put({ soup: '5', salad: '6' }, '<old>', 409),
      ],
    },
    {
      title: 'Read again, then write',
      text: [
        'Do what every client does: read the object anew, make your change to that, and save.',
        'The soup costs `"5"`, and the other person’s salad stays at `"7"`.',
      ],
      where: { panel: 'explore', path: ['core', 'configmaps'], query: { ns: 'default' } },
      commands: ['{ctl} edit configmap menu'],
      hints: ['Load the object again in the editor. The salad says 7 now. Change only the soup.'],
      checks: [
        original(
          'The soup costs 5, and the salad 7, in the `menu` that was there from the start.',
          'v1/configmaps',
          'default/menu',
          { path: 'data.soup', is: '5' },
          { path: 'data.salad', is: '7' },
        ),
      ],
      solution: [
        send('GET', `${maps}/menu`, { keep: { now: 'metadata.resourceVersion' } }),
        put({ soup: '5', salad: '7' }, '<now>'),
      ],
    },
    {
      title: 'Own a field',
      text: [
        'With server-side apply you don’t send a revision. You say what you want of which fields, and become their manager.',
        'Apply a ConfigMap `drinks` with `water: "1"` as the manager `kitchen`.',
      ],
      where: { panel: 'requests' },
      commands: [
        '{ctl} create configmap drinks --from-literal=water=1 --dry-run=client -o yaml > drinks.yaml',
        '{ctl} apply --server-side --field-manager=kitchen -f drinks.yaml',
      ],
      hints: [
        'It is a PATCH to the object with the type `application/apply-patch+yaml`, and `?fieldManager=kitchen`.',
        'The object need not exist: apply creates it.',
      ],
      checks: [
        object('Water costs 1.', 'v1/configmaps', 'default/drinks', { path: 'data.water', is: '1' }),
        object(
          '`kitchen` applied it, and owns the field.',
          'v1/configmaps',
          'default/drinks',
          { path: 'metadata.managedFields[manager=kitchen].operation', is: 'Apply' },
          owns('kitchen', true),
        ),
      ],
      solution: [applyAs('kitchen', { water: '1' })],
    },
    {
      title: 'Touch somebody else’s field',
      text: [
        'Now apply `water: "2"` to `drinks` as the manager `office`. The server refuses with 409 and names the owner.',
        'No revision was compared. What counts is whose field it is.',
      ],
      where: { panel: 'requests' },
      commands: [
        `sed 's/water: "1"/water: "2"/' drinks.yaml > dearer.yaml`,
        '{ctl} apply --server-side --field-manager=office -f dearer.yaml',
      ],
      hints: ['The same PATCH with `?fieldManager=office` and another value.'],
      checks: [
        asked('`office` met a conflict over the field (409).', {
          method: 'PATCH',
          path: `${maps}/drinks`,
          query: [{ path: 'fieldManager', is: 'office' }],
          status: 409,
        }),
      ],
      solution: [applyAs('office', { water: '2' }, { expect: 409 })],
    },
    {
      title: 'Take it over',
      text: ['If you mean it, force it. Then the field is yours, and the kitchen no longer owns it.'],
      where: { panel: 'requests' },
      commands: ['{ctl} apply --server-side --field-manager=office --force-conflicts -f dearer.yaml'],
      hints: ['Add `&force=true`.'],
      checks: [
        object('Water costs 2.', 'v1/configmaps', 'default/drinks', { path: 'data.water', is: '2' }),
        object(
          'Only `office` owns the field.',
          'v1/configmaps',
          'default/drinks',
          { path: 'metadata.managedFields[manager=office].operation', is: 'Apply' },
          owns('office', true),
          owns('kitchen', false),
        ),
      ],
      solution: [applyAs('office', { water: '2' }, { force: true })],
    },
  ],
  seen: [
    { text: 'Each refused write, with the owner of the field.', link: { panel: 'requests' } },
    { text: 'Writers that keep taking a field from each other.', link: { panel: 'controllers' } },
  ],
  why: [
    'A PUT without a resourceVersion, or a blind patch, wins silently. The loser never hears of it.',
    'Ownership lets a person, a pipeline and an autoscaler share one Deployment: each keeps its own fields.',
  ],
};
