import { apply, asked, merge, object, send } from '../build.ts';
import { cards } from '../cards.ts';
import type { Lesson } from '../engine/lesson.ts';

const maps = '/api/v1/namespaces/lab/configmaps';

const start = `
apiVersion: v1
kind: Namespace
metadata: {name: lab}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: counter, namespace: lab}
data: {n: "0"}
`;

export const lesson: Lesson = {
  ...cards.watch,
  intro: [
    'Every write gets a number, the revision. An object shows the revision of its last change as `resourceVersion`.',
    'A list shows the state at one revision. A watch delivers every change after a revision. Together they miss nothing.',
  ],
  start: { steps: [apply(start)] },
  tasks: [
    {
      title: 'List, then watch',
      text: [
        'List the configmaps in the namespace lab. Then open a watch from the revision of that list.',
        'The Watch panel does both when you open a watch. In the terminal, Ctrl+C ends a watch.',
      ],
      where: { panel: 'watch', path: ['watches', 'core', 'configmaps'], query: { ns: 'lab' } },
      commands: ['{ctl} get configmaps -n lab --watch'],
      note: 'Ask what would be missed if the watch began without a revision.',
      hints: ['In Watch, choose the resource configmaps and the namespace lab. Then open the watch.'],
      checks: [
        asked('You watched the configmaps in lab from a revision (200).', {
          verb: 'watch',
          path: '/namespaces/lab/configmaps',
          query: [{ path: 'resourceVersion', exists: true }],
          status: 200,
        }),
      ],
      solution: [
        send('GET', maps, { keep: { revision: 'metadata.resourceVersion' } }),
        send('GET', `${maps}?watch=true&resourceVersion=<revision>&timeoutSeconds=1`),
      ],
    },
    {
      title: 'See changes arrive',
      text: [
        'In the ConfigMap `counter`, change `n` to `"1"` and then to `"2"`.',
        'Each change arrives as MODIFIED, with a higher resourceVersion. The numbers have gaps because every write in the cluster gets one.',
      ],
      where: { panel: 'watch', path: ['watches', 'core', 'configmaps'], query: { ns: 'lab' } },
      commands: [
        `{ctl} patch configmap counter -n lab -p '{"data":{"n":"1"}}'`,
        `{ctl} patch configmap counter -n lab -p '{"data":{"n":"2"}}'`,
      ],
      note: 'Ask where the missing numbers are. Other objects got them.',
      hints: ['Edit the ConfigMap in Explore. Keep the watch open, and go back to it afterwards.'],
      checks: [object('`counter` has the value 2.', 'v1/configmaps', 'lab/counter', { path: 'data.n', is: '2' })],
      solution: [merge(`${maps}/counter`, { data: { n: '1' } }), merge(`${maps}/counter`, { data: { n: '2' } })],
    },
    {
      title: 'Resume too late',
      text: [
        'The server keeps about five minutes of history. A client that was away longer can’t continue where it stopped.',
        'Move the clock forward by an hour. Then watch from revision 1. The watch opens, reports 410 Gone, and ends.',
      ],
      where: { panel: 'watch', path: ['storage'] },
      commands: ['clock 1h', `{ctl} get --raw '${maps}?watch=true&resourceVersion=1'`],
      hints: [
        'The command `clock 1h` moves the clock in the terminal. So does the clock’s menu in the top bar.',
        'In the Watch panel, set the start revision to 1.',
        'Or send the request yourself in Requests.',
      ],
      checks: [
        asked('A watch from a revision that is gone was ended (410).', {
          verb: 'watch',
          path: '/namespaces/lab/configmaps',
          ended: 'compacted',
        }),
      ],
      solution: [{ do: 'clock', seconds: 900 }, send('GET', `${maps}?watch=true&resourceVersion=1`)],
      note: 'The page’s own watches continue, because bookmarks keep them up to date.',
    },
    {
      title: 'Start again with a list',
      text: [
        '410 means: your copy is too old. List again, and watch from the revision of the new list.',
        'All clients do this: they list, watch, and list again on 410.',
      ],
      where: { panel: 'watch', path: ['watches', 'core', 'configmaps'], query: { ns: 'lab' } },
      commands: ['{ctl} get configmaps -n lab --watch'],
      note: 'Every controller does this when its watch is too old.',
      hints: ['Close the failed watch. Open one without a revision: it starts with a list.'],
      checks: [
        asked('After that, a watch on the configmaps in lab was opened from a current revision (200).', {
          verb: 'watch',
          path: '/namespaces/lab/configmaps',
          status: 200,
          anew: true,
          fresh: true,
        }),
      ],
      solution: [
        send('GET', maps, { keep: { revision: 'metadata.resourceVersion' } }),
        send('GET', `${maps}?watch=true&resourceVersion=<revision>&timeoutSeconds=1`),
      ],
    },
  ],
  seen: [
    {
      text: 'Watches side by side, with the revision of each event.',
      link: { panel: 'watch', path: ['watches', 'core', 'configmaps'], query: { ns: 'lab' } },
    },
    { text: 'How much history the storage keeps.', link: { panel: 'watch', path: ['storage'] } },
  ],
  why: [
    'Controllers keep a copy of the cluster in memory with list and watch. So they don’t have to ask the server again and again.',
    'A client that ignores 410 keeps working with old data, and shows no error.',
  ],
};
