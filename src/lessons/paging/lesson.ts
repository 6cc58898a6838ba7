import { apply, asked, gone, object, send, some } from '../build.ts';
import { cards } from '../cards.ts';
import type { Lesson } from '../engine/lesson.ts';

const maps = '/api/v1/namespaces/archive/configmaps';

const page = (index: number): string => `
---
apiVersion: v1
kind: ConfigMap
metadata: {name: page-${String(index).padStart(2, '0')}, namespace: archive}`;

const start = `
apiVersion: v1
kind: Namespace
metadata: {name: archive}${Array.from({ length: 25 }, (_, index) => page(index + 1)).join('')}
`;

/** Another page than the first. */
const nextPage = { verb: 'list', path: 'archive/configmaps', query: [{ path: 'continue', exists: true }] };

const late = `
apiVersion: v1
kind: ConfigMap
metadata: {name: aaa-late, namespace: archive}
`;

export const lesson: Lesson = {
  ...cards.paging,
  intro: [
    'A list of a hundred thousand objects is best read in pages. But the list changes while you read.',
    'The server solves that: all pages show the cluster as it was at the first.',
  ],
  start: { steps: [apply(start)] },
  tasks: [
    {
      title: 'Read the first page',
      text: [
        'The namespace archive has 25 configmaps of yours. List them with a limit of 10.',
        'The answer’s metadata has a `continue` token, and says how many objects remain.',
      ],
      where: { panel: 'watch', path: ['paging', 'core', 'configmaps'], query: { ns: 'archive', limit: '10' } },
      commands: [`{ctl} get --raw '${maps}?limit=10'`],
      hints: ['Watch, Paging reads a list page by page.', 'Or send a GET with `limit=10` in Requests.'],
      checks: [
        asked('A list with `limit=10` was answered (200).', {
          verb: 'list',
          path: 'archive/configmaps',
          query: [
            { path: 'limit', is: '10' },
            { path: 'continue', exists: false },
          ],
          status: 200,
        }),
      ],
      solution: [send('GET', `${maps}?limit=10`, { keep: { next: 'metadata.continue' } })],
    },
    {
      title: 'Change the list meanwhile',
      text: [
        'Between two pages somebody writes. Create a ConfigMap `aaa-late` in archive. In a list it comes first.',
        'Keep the token of the first page: you need it next.',
      ],
      where: { panel: 'watch', path: ['paging', 'core', 'configmaps'], query: { ns: 'archive', limit: '10' } },
      commands: [
        `NEXT=$({ctl} get --raw '${maps}?limit=10' | sed 's/.*"continue":"//; s/".*//')`,
        '{ctl} create configmap aaa-late -n archive',
      ],
      hints: ['The token is `metadata.continue` of the first page. The Paging tab keeps it for you.'],
      checks: [object('`aaa-late` is there.', 'v1/configmaps', 'archive/aaa-late')],
      solution: [apply(late)],
    },
    {
      title: 'Read on',
      text: [
        'Read the next page with the token. It shows the list as it was at the first page.',
        'So `aaa-late` is on none of these pages, and no object is missing or listed twice.',
      ],
      where: { panel: 'watch', path: ['paging', 'core', 'configmaps'], query: { ns: 'archive', limit: '10' } },
      commands: [`{ctl} get --raw "${maps}?limit=10&continue=$NEXT"`],
      hints: ['In Watch, Paging, read the next page. Or send a GET with `limit=10` and `continue=` in Requests.'],
      checks: [
        asked('After the change, the next page was read with a token from before it (200).', {
          ...nextPage,
          status: 200,
          anew: true,
          stale: true,
        }),
      ],
      solution: [send('GET', `${maps}?limit=10&continue=<next>`)],
      note: 'Ask where `aaa-late` is. It will be on the first page of the next reader.',
    },
    {
      title: 'Let the token grow old',
      text: [
        'A token is good for as long as its revision is kept: about five minutes.',
        'Step the clock 15 minutes ahead and use the same token. The answer is 410 Gone.',
      ],
      where: { panel: 'watch', path: ['paging', 'core', 'configmaps'], query: { ns: 'archive', limit: '10' } },
      commands: [`{ctl} get --raw "${maps}?limit=10&continue=$NEXT"`],
      hints: ['The clock is in the top bar.', 'Use a token from before the step.'],
      checks: [asked('An old token was refused (410).', { ...nextPage, status: 410 })],
      solution: [{ do: 'clock', seconds: 900 }, send('GET', `${maps}?limit=10&continue=<next>`, { expect: 410 })],
    },
    {
      title: 'Start over, whole',
      text: [
        'Now read the whole list again, without a limit. It is one answer at one revision, with `aaa-late` in it.',
        'This is what a client does after 410, unless it can live with pages of different revisions.',
      ],
      where: { panel: 'explore', path: ['core', 'configmaps'], query: { ns: 'archive' } },
      commands: ['{ctl} get configmaps -n archive --chunk-size=0', '{ctl} delete configmap page-25 -n archive'],
      hints: [
        'A GET of the collection, without `limit` and `continue`.',
        'Delete `page-25` afterwards, to show that you saw it.',
      ],
      checks: [
        gone('You read to the end, and deleted `page-25`.', 'v1/configmaps', 'archive/page-25'),
        some('The other 25 are still there.', 'v1/configmaps', {
          namespace: 'archive',
          fields: [{ path: 'metadata.name', not: '{prefix}-root-ca.crt' }],
          count: { is: 25 },
        }),
      ],
      solution: [send('GET', maps), send('DELETE', `${maps}/page-25`)],
    },
  ],
  seen: [
    {
      text: 'Pages of a list, and what changed between them.',
      link: { panel: 'watch', path: ['paging', 'core', 'configmaps'], query: { ns: 'archive', limit: '10' } },
    },
    { text: 'The history that tokens live on.', link: { panel: 'watch', path: ['storage'] } },
  ],
  why: [
    'Pages without a common revision miss objects and tell others twice. Backups made that way are wrong, and nobody notices.',
    'A loop over pages needs an answer to 410 before it needs anything else.',
  ],
};
