import { apply, asked, gone, merge, object, send, some } from '../build.ts';
import { cards } from '../cards.ts';
import type { Lesson, Step } from '../engine/lesson.ts';

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

const firstPage = send('GET', `${maps}?limit=10`, { keep: { next: 'metadata.continue' } });

/** A token of a state that is still the latest one does not expire. */
const change = (to: string): Step => merge(`${maps}/page-25`, { data: { changed: to } });

const secondPage = (expect?: number): Step =>
  send('GET', `${maps}?limit=10&continue=<next>`, { ...(expect !== undefined && { expect }) });

export const lesson: Lesson = {
  ...cards.paging,
  intro: [
    'It is best to read a list of 100,000 objects in pages. But the list can change while you read it.',
    'The server solves this: all pages show the state at the time of the first page.',
  ],
  start: { steps: [apply(start)] },
  tasks: [
    {
      title: 'Read the first page',
      text: [
        'The namespace archive has 25 configmaps named `page-01` to `page-25`. List the configmaps with a limit of 10.',
        'The metadata of the answer has a `continue` token and the number of remaining objects.',
      ],
      where: { panel: 'watch', path: ['paging', 'core', 'configmaps'], query: { ns: 'archive', limit: '10' } },
      commands: [`{ctl} get --raw '${maps}?limit=10'`],
      note: 'Show the token: it holds a revision and the last key.',
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
      solution: [send('GET', `${maps}?limit=10`)],
    },
    {
      title: 'Change the list in between',
      text: [
        'Create a ConfigMap `aaa-late` in archive before you read the next page. It comes first in the list.',
        'Keep the token of the first page. You need it for the next task.',
      ],
      where: { panel: 'watch', path: ['paging', 'core', 'configmaps'], query: { ns: 'archive', limit: '10' } },
      commands: [
        `NEXT=$({ctl} get --raw '${maps}?limit=10' | sed 's/.*"continue":"//; s/".*//')`,
        '{ctl} create configmap aaa-late -n archive',
      ],
      note: 'Ask on which page the new object will be.',
      hints: ['The token is in `metadata.continue` of the first page. The Paging tab keeps it for you.'],
      checks: [object('`aaa-late` exists.', 'v1/configmaps', 'archive/aaa-late')],
      solution: [apply(late)],
    },
    {
      title: 'Read the next page',
      text: [
        'Read the next page with the token. It shows the list as it was when you read the first page.',
        'So `aaa-late` is on none of these pages, and no object is missing or listed twice.',
      ],
      where: { panel: 'watch', path: ['paging', 'core', 'configmaps'], query: { ns: 'archive', limit: '10' } },
      commands: [`{ctl} get --raw "${maps}?limit=10&continue=$NEXT"`],
      hints: ['In Watch, Paging, read the next page. Or send a GET with `limit=10` and `continue=` in Requests.'],
      checks: [
        asked('After the change, the next page was read with an earlier token (200).', {
          ...nextPage,
          status: 200,
          anew: true,
          stale: true,
        }),
      ],
      solution: [firstPage, change('between'), secondPage()],
      note: 'Ask where `aaa-late` is. Anyone who lists from the start will see it on the first page.',
    },
    {
      title: 'Let the token expire',
      text: [
        'A token works as long as the server keeps its revision: about five minutes.',
        'Move the clock forward by an hour and use the same token. The answer is 410 Gone.',
      ],
      where: { panel: 'watch', path: ['paging', 'core', 'configmaps'], query: { ns: 'archive', limit: '10' } },
      commands: ['clock 1h', `{ctl} get --raw "${maps}?limit=10&continue=$NEXT"`],
      note: 'Ask why the server does not keep old revisions forever.',
      hints: [
        'The command `clock 1h` moves the clock in the terminal. So does the clock’s menu in the top bar.',
        'Use a token from before you moved the clock.',
      ],
      checks: [asked('An old token was refused (410).', { ...nextPage, status: 410 })],
      solution: [firstPage, change('after'), { do: 'clock', seconds: 900 }, secondPage(410)],
    },
    {
      title: 'Read the whole list',
      text: [
        'Now read the whole list without a limit. It is one answer at one revision, and it contains `aaa-late`.',
        'A client does this after 410, unless it accepts pages from different revisions.',
      ],
      where: { panel: 'explore', path: ['core', 'configmaps'], query: { ns: 'archive' } },
      commands: ['{ctl} get configmaps -n archive --chunk-size=0', '{ctl} delete configmap page-25 -n archive'],
      note: 'One large answer takes more memory at once than ten small ones.',
      hints: [
        'Send a GET for the collection, without `limit` and `continue`.',
        'Afterwards delete `page-25`, the last one.',
      ],
      checks: [
        gone('`page-25`, the last one in the list, is deleted.', 'v1/configmaps', 'archive/page-25'),
        some('The other 25 configmaps are still there.', 'v1/configmaps', {
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
    { text: 'The history that makes tokens work.', link: { panel: 'watch', path: ['storage'] } },
  ],
  why: [
    'Pages from different revisions miss some objects and repeat others. A backup made that way is wrong, and nobody notices.',
    'Every loop over pages must handle 410.',
  ],
};
