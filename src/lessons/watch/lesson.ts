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
    'Every write gets a number, the revision. Each object shows the one of its last change as `resourceVersion`.',
    'A list says at which revision it was made. A watch tells every change after a revision. Together they miss nothing.',
  ],
  start: { steps: [apply(start)] },
  tasks: [
    {
      title: 'List, then watch',
      text: [
        'List the configmaps of the namespace lab. Then open a watch from the revision of that list.',
        'The Watch panel does both when you open a watch.',
      ],
      where: { panel: 'watch', path: ['watches', 'core', 'configmaps'], query: { ns: 'lab' } },
      commands: ['{ctl} get configmaps -n lab --watch'],
      hints: ['In Watch, choose the resource configmaps and the namespace lab, and open the watch.'],
      checks: [
        asked('You watched the configmaps of lab from a revision (200).', {
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
        'Change `n` in the ConfigMap `counter` to `"1"`, then to `"2"`.',
        'Each change arrives as MODIFIED, with a higher resourceVersion. The numbers have gaps: every write to the cluster counts.',
      ],
      where: { panel: 'watch', path: ['watches', 'core', 'configmaps'], query: { ns: 'lab' } },
      commands: [
        `{ctl} patch configmap counter -n lab -p '{"data":{"n":"1"}}'`,
        `{ctl} patch configmap counter -n lab -p '{"data":{"n":"2"}}'`,
      ],
      hints: ['Edit the ConfigMap in Explore. Keep the watch open and go back to it.'],
      checks: [object('`counter` says 2.', 'v1/configmaps', 'lab/counter', { path: 'data.n', is: '2' })],
      solution: [merge(`${maps}/counter`, { data: { n: '1' } }), merge(`${maps}/counter`, { data: { n: '2' } })],
    },
    {
      title: 'Come too late',
      text: [
        'The server forgets history after five minutes. Who was away for longer can’t go on where they stopped.',
        'Step the clock 15 minutes ahead. Then watch from revision 1. The watch opens, tells you 410 Gone, and ends.',
      ],
      where: { panel: 'watch', path: ['storage'] },
      commands: [`{ctl} get --raw '${maps}?watch=true&resourceVersion=1'`],
      hints: [
        'The clock is in the top bar: its menu steps time.',
        'In the Watch panel, give the watch the revision 1 to begin from.',
        'Or send the request yourself in Requests.',
      ],
      checks: [
        asked('A watch from a forgotten revision was ended (410).', {
          verb: 'watch',
          path: '/namespaces/lab/configmaps',
          ended: 'compacted',
        }),
      ],
      solution: [{ do: 'clock', seconds: 900 }, send('GET', `${maps}?watch=true&resourceVersion=1`)],
      note: 'The page’s own watches live through this: they follow bookmarks.',
    },
    {
      title: 'Begin anew',
      text: [
        '410 means: your picture is too old, make a new one. List again, and watch from the list’s revision.',
        'All clients do this: list, watch, and on 410 list again.',
      ],
      where: { panel: 'watch', path: ['watches', 'core', 'configmaps'], query: { ns: 'lab' } },
      commands: ['{ctl} get configmaps -n lab --watch'],
      hints: ['Close the failed watch and open one without a revision: it begins with a list.'],
      checks: [
        asked('After that, a watch of lab’s configmaps was opened from a present revision (200).', {
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
      text: 'Watches side by side, with each event’s revision.',
      link: { panel: 'watch', path: ['watches', 'core', 'configmaps'], query: { ns: 'lab' } },
    },
    { text: 'How much history storage keeps.', link: { panel: 'watch', path: ['storage'] } },
  ],
  why: [
    'Controllers hold a copy of the cluster in memory, by list and watch. That is why a thousand of them don’t ask a thousand times a second.',
    'A client that ignores 410 goes on with an old picture. It is the quietest bug there is.',
  ],
};
