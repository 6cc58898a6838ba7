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
    'Two people edit one object. The second save must not undo the first by accident.',
    'There are two ways to prevent it: compare the revision of the whole object, or track who owns each field.',
  ],
  start: { steps: [apply(start)] },
  tasks: [
    {
      title: 'Cause a conflict',
      text: [
        'Read the ConfigMap `menu` and keep the text. Then play a second person: set `salad` to `"7"`.',
        'Now replace the ConfigMap with the text you kept. It has the old `resourceVersion`, so the server answers 409 Conflict.',
      ],
      where: { panel: 'explore', path: ['core', 'configmaps'], query: { ns: 'default' } },
      commands: [
        '{ctl} get configmap menu -o yaml > menu.yaml',
        `{ctl} patch configmap menu -p '{"data":{"salad":"7"}}'`,
        '{ctl} replace -f menu.yaml',
      ],
      note: 'Ask what would be lost without the check. It is the new price of the salad.',
      hints: [
        'In Requests, send a PUT with the text that you read before the change.',
        'Any PUT with an old `metadata.resourceVersion` works.',
      ],
      checks: [
        asked('A PUT of `menu` was refused with a conflict (409).', {
          method: 'PUT',
          path: `${maps}/menu`,
          status: 409,
        }),
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
        'After a conflict, a client reads the object again, repeats its change, and saves. Do the same.',
        'Set `soup` to `"5"`, and keep `salad` at `"7"`.',
      ],
      where: { panel: 'explore', path: ['core', 'configmaps'], query: { ns: 'default' } },
      commands: ['{ctl} edit configmap menu'],
      note: 'Controllers do this many times a day. A conflict is normal, not an error.',
      hints: ['Load the object again in the editor. The salad costs 7 now. Change only the soup.'],
      checks: [
        original(
          'In the original `menu`, the soup costs 5 and the salad costs 7.',
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
        'With server-side apply you send only the fields you care about, and no revision. You become the manager of those fields.',
        'Apply a ConfigMap `drinks` with `water: "1"` as the manager `kitchen`.',
      ],
      where: { panel: 'requests' },
      commands: [
        '{ctl} create configmap drinks --from-literal=water=1 --dry-run=client -o yaml > drinks.yaml',
        '{ctl} apply --server-side --field-manager=kitchen -f drinks.yaml',
      ],
      note: 'Show metadata.managedFields of `drinks`: it lists the field and its manager.',
      hints: [
        'Send a PATCH to the object with `?fieldManager=kitchen` and the content type `application/apply-patch+yaml`.',
        'The object doesn’t have to exist. Apply creates it.',
      ],
      checks: [
        object('`water` is 1.', 'v1/configmaps', 'default/drinks', { path: 'data.water', is: '1' }),
        object(
          '`kitchen` applied the field and owns it.',
          'v1/configmaps',
          'default/drinks',
          { path: 'metadata.managedFields[manager=kitchen].operation', is: 'Apply' },
          owns('kitchen', true),
        ),
      ],
      solution: [applyAs('kitchen', { water: '1' })],
    },
    {
      title: 'Change a field that somebody else owns',
      text: [
        'Now apply `water: "2"` to `drinks` as the manager `office`. The server answers 409 and names the owner.',
        'The server compares no revisions here. It checks who owns the field.',
      ],
      where: { panel: 'requests' },
      commands: [
        `sed 's/water: "1"/water: "2"/' drinks.yaml > dearer.yaml`,
        '{ctl} apply --server-side --field-manager=office -f dearer.yaml',
      ],
      note: 'Compare this with the first conflict. Here the message says who to talk to.',
      hints: ['Send the same PATCH with `?fieldManager=office` and another value.'],
      checks: [
        asked('`office` was refused with a conflict (409).', {
          method: 'PATCH',
          path: `${maps}/drinks`,
          query: [{ path: 'fieldManager', is: 'office' }],
          status: 409,
        }),
      ],
      solution: [applyAs('office', { water: '2' }, { expect: 409 })],
    },
    {
      title: 'Take over the field',
      text: ['To take over the field, force the apply as `office`. Then `kitchen` no longer owns it.'],
      where: { panel: 'requests' },
      commands: ['{ctl} apply --server-side --field-manager=office --force-conflicts -f dearer.yaml'],
      note: 'Show metadata.managedFields again. `kitchen` is gone.',
      hints: ['Add `&force=true` to the same PATCH.'],
      checks: [
        object('`water` is 2.', 'v1/configmaps', 'default/drinks', { path: 'data.water', is: '2' }),
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
    { text: 'Every refused write, with the owner of the field.', link: { panel: 'requests' } },
    { text: 'Controllers that keep changing the same field.', link: { panel: 'controllers' } },
  ],
  why: [
    'A PUT without a resourceVersion, or a merge patch, overwrites silently. The other writer never learns of it.',
    'With field ownership, a person, a pipeline and an autoscaler can share one Deployment. Each manages its own fields.',
  ],
};
