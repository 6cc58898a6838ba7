/** The Glass without a cluster: from events to beats, pictures, playback and counts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cause, RequestEvent, Untimed, WatchEvent } from '../../../src/trace/index.ts';
import { actorOfRequest, actorOfWatch, kindOfActor, nameOfActor } from '../../../src/ui/panels/glass/model/actors.ts';
import { Engine, edgeFrom, edgeTo } from '../../../src/ui/panels/glass/model/engine.ts';
import { lastChange, linesAt } from '../../../src/ui/panels/glass/model/lines.ts';
import { LANES, pictureAt } from '../../../src/ui/panels/glass/model/picture.ts';
import { beatsDue, folds, motionMs } from '../../../src/ui/panels/glass/model/player.ts';
import { PodStates } from '../../../src/ui/panels/glass/model/pods.ts';
import { Rates } from '../../../src/ui/panels/glass/model/rates.ts';
import { likeliest } from '../../../src/ui/panels/glass/model/reactions.ts';
import type { GlassEvent } from '../../../src/ui/panels/glass/model/recording.ts';
import { refusalByAnswer } from '../../../src/ui/panels/glass/model/refusals.ts';
import { sentenceOfMany } from '../../../src/ui/panels/glass/model/sentences.ts';
import { shownStops } from '../../../src/ui/panels/glass/model/stops.ts';
import { Summary } from '../../../src/ui/panels/glass/model/summary.ts';
import { isBackground, namedBy, refOf, subjectOf } from '../../../src/ui/panels/glass/model/subjects.ts';

type Stage = Untimed<RequestEvent>;

let clock = 0;
const timed = (event: Stage | Untimed<WatchEvent>): GlassEvent => ({ ...event, at: (clock += 1) }) as GlassEvent;

const received = (
  request: string,
  method = 'POST',
  url = '/api/v1/namespaces/default/configmaps',
  origin = 'page',
): GlassEvent => timed({ topic: 'request', request, stage: 'received', method, url, headers: [], origin });
const allowed = (request: string): GlassEvent =>
  timed({
    ...{ topic: 'request', request, stage: 'authorization', allowed: true, verdicts: [] },
    attributes: { user: { name: 'ada' } },
  });
const stored = (request: string, revision: number): GlassEvent => {
  const key = `/registry/configmaps/default/${request}`;
  return timed({ topic: 'request', request, stage: 'stored', key, revision, verb: 'create' });
};
const answered = (request: string, status = 201): GlassEvent =>
  timed({ topic: 'request', request, stage: 'answered', status, ms: 1, headers: [] });
const notified = (revision: number, user = 'system:node:n1', backlog = 0): GlassEvent =>
  timed({
    ...{ topic: 'watch', request: 'w', what: 'delivered', revision, backlog, user, userAgent: 'kubelet' },
    sent: [{ revision, type: 'ADDED' }],
  });
const write = (request: string, revision: number): GlassEvent[] => [
  received(request),
  allowed(request),
  stored(request, revision),
  notified(revision),
  answered(request),
];

const playing = (events: readonly GlassEvent[]): Engine => {
  const engine = new Engine();
  engine.take(events, 0);
  return engine;
};

describe('who takes part', () => {
  test.each([
    ['page', 'person', 'ada', 'user:ada'],
    ['fetch', 'person', 'jane', 'user:jane'],
    ['pod', 'component', 'system:serviceaccount:default:app', 'user:system:serviceaccount:default:app'],
    ['page', 'page', '', 'page'],
    ['system:node:node-1', 'component', '', 'node:node-1'],
    ['system:kube-scheduler', 'component', '', 'scheduler'],
    ['system:apiserver', 'component', '', 'server'],
    ['system:serviceaccount:kube-system:deployment-controller', 'component', '', 'controllers'],
    ['system:kube-controller-manager', 'component', '', 'controllers'],
  ] as const)('a request that comes in by %s as %s is of its actor', (origin, sender, user, actor) => {
    expect(actorOfRequest(origin, sender, user)).toBe(actor);
  });

  test.each([
    ['administrator', 'vitrine-observer', 'page'],
    ['system:node:n1', 'kubelet', 'node:n1'],
    ['system:kube-scheduler', 'kube-scheduler', 'scheduler'],
    ['system:serviceaccount:kube-system:x', 'kube-controller-manager', 'controllers'],
    ['system:apiserver', 'kube-apiserver', 'server'],
    ['jane', 'kubectl/v1.20.2', 'user:jane'],
  ])('a watch of %s by %s is of its actor', (user, agent, actor) => {
    expect(actorOfWatch(user, agent)).toBe(actor);
  });

  test('actors have names that people know', () => {
    const actors = [
      'user:',
      'user:a:b',
      'user:kubernetes-admin',
      'user:cluster-admin',
      'node:n',
      'page',
      'controllers',
    ];
    expect(actors.map(nameOfActor)).toEqual([
      'somebody',
      'a:b',
      'administrator',
      'administrator',
      'n',
      'this page',
      'controller manager',
    ]);
    expect(kindOfActor('constructor')).toBe('server');
  });
});

describe('what a request is about', () => {
  test.each([
    ['/api/v1/namespaces/default/pods/web/binding?x=1', 'core/pods/default/web', 'binding'],
    ['/apis/apps/v1/namespaces/a/deployments/web', 'apps/deployments/a/web', ''],
    ['/api/v1/namespaces/a', 'core/namespaces/-/a', ''],
    ['/api/v1/namespaces/a/finalize', 'core/namespaces/-/a', 'finalize'],
    ['/api/v1/nodes/n1/status', 'core/nodes/-/n1', 'status'],
    ['/apis/rbac.example.io/v1/clusterroles/a%3Ab', 'rbac.example.io/clusterroles/-/a:b', ''],
    ['/healthz', '//-/', ''],
    ['/api/v1/namespaces/%zz/pods', 'core/pods/%zz/', ''],
  ])('%s', (url, ref, subresource) => {
    const subject = subjectOf(url);
    expect([refOf(subject), subject.subresource]).toEqual([ref, subresource]);
  });

  test('a name that the server made up is read from the storage key', () => {
    const subject = subjectOf('/api/v1/namespaces/a/pods');
    expect(namedBy(subject, '/registry/pods/a/web-x').name).toBe('web-x');
    expect(namedBy({ ...subject, name: 'own' }, '/registry/pods/a/web-x').name).toBe('own');
  });

  test.each([
    ['GET', '/api/v1/pods', false, true],
    ['POST', '/api/v1/namespaces/a/events', false, true],
    ['PUT', '/apis/coordination.example.io/v1/namespaces/a/leases/n', false, true],
    ['PATCH', '/api/v1/nodes/n/status', true, true],
    ['PATCH', '/api/v1/nodes/n/status', false, false],
    ['POST', '/apis/authorization.example.io/v1/subjectaccessreviews', false, true],
    ['POST', '/api/v1/namespaces/a/pods', false, false],
    ['DELETE', '/api/v1/namespaces/a/pods/x', true, false],
  ])('%s %s by a node (%s) is background: %s', (method, url, byNode, expected) => {
    expect(isBackground(method, subjectOf(url), byNode)).toBe(expected);
  });
});

describe('the recording', () => {
  test('is notified of a revision after it was stored, though its watchers were notified before', () => {
    const { recording } = playing([received('a'), allowed('a'), notified(7), stored('a', 7), answered('a')]);
    expect(recording.beats.map(({ what }) => what)).toEqual(['entered', 'passed', 'stored', 'notified', 'answered']);
    expect(recording.notifiedOf(7)).toEqual(['node:n1']);
  });

  test('tells each watcher of a revision once, however many watches it has', () => {
    const { recording } = playing([...write('a', 7), notified(7), notified(7, 'system:node:n2')]);
    expect(recording.beats.filter(({ what }) => what === 'notified')).toHaveLength(2);
  });

  test('knows how many changes wait for a watcher, until its watch closes', () => {
    const engine = playing([notified(3, 'system:node:n1', 5)]);
    expect([...(engine.recording.watchers.get('node:n1')?.backlogs.values() ?? [])]).toEqual([5]);
    const closed = { what: 'closed', revision: 3, backlog: 5, user: 'system:node:n1', userAgent: 'kubelet' } as const;
    engine.take([timed({ topic: 'watch', request: 'w', ...closed })], 0);
    expect(engine.recording.watchers.get('node:n1')?.backlogs.size).toBe(0);
  });

  test('drops what is oldest, and keeps counting', () => {
    const engine = new Engine({ beats: 50, requests: 10 });
    for (let i = 1; i <= 40; i += 1) engine.take(write(`r${i}`, i), 0);
    const { recording } = engine;
    expect(recording.beats).toHaveLength(50);
    expect(recording.end).toBe(200);
    expect(recording.requests.size).toBe(10);
    expect(recording.writes.size).toBe(10);
    expect(recording.about.size).toBe(10);
    expect(engine.picture.next).toBeGreaterThanOrEqual(recording.dropped);
  });

  test('takes in the background only where somebody asks for it', () => {
    const lease = { method: 'PUT', url: '/apis/coordination/v1/namespaces/a/leases/n', headers: [] };
    const event = timed({ topic: 'request', request: 'l', stage: 'received', ...lease, origin: 'system:node:n' });
    const engine = playing([event]);
    expect(engine.recording.requests.size).toBe(0);
    engine.recording.background = true;
    engine.take([event], 0);
    expect(engine.recording.requests.size).toBe(1);
  });
});

describe('the picture', () => {
  const { recording } = playing([...write('a', 1), received('b'), allowed('b'), answered('b', 409)]);
  const at = (next: number) => pictureAt(recording.beats, 0, next, undefined);

  test.each([
    [0, 0, [], 0],
    [1, 0, ['door'], 0],
    [2, 0, ['authorization'], 0],
    [3, 1, ['storage'], 0],
    [4, 1, ['storage'], 1],
    [5, 1, [], 1],
    [7, 1, ['authorization'], 1],
    [8, 1, ['storage'], 1],
  ])('before beat %i: revision %i, requests at %j, %i notified', (next, revision, places, notifiedCount) => {
    const picture = at(next);
    expect(picture.revision).toBe(revision);
    expect([...picture.tokens.values()].map(({ stage }) => stage ?? 'door')).toEqual(places);
    expect(picture.notified).toHaveLength(notifiedCount);
  });

  test('a late notification of an older revision does not count for the present one', () => {
    const late = playing([...write('a', 1), ...write('b', 2), notified(1, 'system:node:n2')]);
    late.goLive();
    expect([late.picture.revision, late.picture.notified]).toEqual([2, ['node:n1']]);
  });

  test('a refused request stays to be read after it was answered', () => {
    expect(at(8).tokens.get('b')?.stopped).toBe(true);
    expect(at(9).tokens.size).toBe(0);
    expect(at(9).stopped.map(({ request }) => request)).toEqual(['b']);
  });

  test('a lost race of a person is shown as a stop, that of a component is not', () => {
    const race = (origin: string) => {
      const engine = playing([received('a', 'PUT', undefined, origin), allowed('a'), answered('a', 409)]);
      engine.goLive();
      return shownStops(engine.picture, engine.recording).length;
    };
    expect([race('page'), race('system:serviceaccount:kube-system:deployment-controller')]).toEqual([1, 0]);
  });

  test('a component that finds what it wanted to create has no line, a person’s conflict has', () => {
    const lines = (method: string, origin: string) => {
      const { recording } = playing([received('a', method, undefined, origin), allowed('a'), answered('a', 409)]);
      return linesAt(recording, recording.end, undefined, 9).length;
    };
    const component = 'system:serviceaccount:kube-system:deployment-controller';
    expect([lines('POST', component), lines('PUT', component), lines('POST', 'page')]).toEqual([0, 1, 1]);
  });

  test.each([
    ['GET', 404, undefined],
    ['DELETE', 404, 'storage'],
    ['GET', 403, 'admission'],
    ['GET', 200, undefined],
  ])('%s answered with %i stops at %s', (method, status, stage) => {
    expect(refusalByAnswer(status, 'authorization', method)?.stage).toBe(stage);
  });

  test('requests that are under way together have lanes of their own', () => {
    const many = playing(Array.from({ length: LANES }, (_, i) => received(`r${i}`)));
    many.goLive();
    expect(new Set([...many.picture.tokens.values()].map(({ lane }) => lane)).size).toBe(LANES);
  });

  test('a filter hides requests, but not that revisions went on', () => {
    const all = playing([...write('a', 1), ...write('b', 2)]);
    const picture = pictureAt(all.recording.beats, 0, 10, (beat) => 'request' in beat && beat.request === 'a');
    expect([picture.revision, picture.writer, picture.next]).toEqual([2, undefined, 10]);
  });
});

describe('playback', () => {
  const shown = ({ picture }: Engine) => ({ ...picture, tokens: [...picture.tokens] });

  test('stepping, stepping back and scrubbing come to the same picture', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 30 }), { maxLength: 20 }), (moves) => {
        const events = [1, 2, 3, 4].flatMap((i) => write(`r${i}`, i));
        const engine = playing(events);
        engine.seek(0);
        for (const move of moves) {
          if (move === 0) engine.back();
          else if (move < 20) engine.step();
          else engine.seek(move - 20);
        }
        const { recording, picture } = engine;
        const anew = pictureAt(recording.beats, recording.dropped, picture.next, undefined);
        expect(shown(engine)).toEqual({ ...anew, tokens: [...anew.tokens] });
      }),
      { seed: 15 },
    );
  });

  test('stops while one steps, and goes to the next write or refusal', () => {
    const engine = playing([...write('a', 1), ...write('b', 2)]);
    engine.seek(0);
    engine.step();
    expect(engine.player.playing).toBe(false);
    expect(engine.picture.next).toBe(1);
    engine.stepToOutcome();
    expect(engine.picture.revision).toBe(1);
    engine.stepToOutcome();
    expect(engine.picture.revision).toBe(2);
    engine.stepToOutcome();
    expect(engine.behind).toBe(0);
    engine.back();
    expect(engine.behind).toBe(1);
  });

  test('replays the last change that a person made, slowly, with what followed', () => {
    const byController = received('c', 'POST', undefined, 'system:serviceaccount:kube-system:deployment-controller');
    const reaction = [byController, allowed('c'), stored('c', 3), answered('c')];
    const engine = playing([...write('a', 1), ...write('b', 2), received('r', 'GET'), answered('r', 200), ...reaction]);
    engine.goLive();
    const from = lastChange(engine.recording);
    expect(from).toBe(write('a', 1).length);
    engine.replay(from ?? 0);
    expect([engine.player.playing, engine.player.speed < 1, engine.picture.revision]).toEqual([true, true, 1]);
    for (let now = 16; engine.frame(now); now += 16);
    expect(engine.picture.revision).toBe(3);
    expect(lastChange(playing([byController, stored('c', 4)]).recording)).toBeUndefined();
  });

  test('goes on at full speed after a replay, also where more has happened meanwhile', () => {
    const engine = playing(write('a', 1));
    engine.goLive();
    engine.replay(0);
    engine.take(write('b', 2), 0);
    for (let now = 16; engine.frame(now); now += 16);
    expect([engine.player, engine.picture.revision]).toEqual([{ playing: true, speed: 1 }, 2]);
  });

  test('keeps the speed that a person chose during a replay', () => {
    const engine = playing(write('a', 1));
    engine.goLive();
    engine.replay(0);
    engine.setPlayer({ speed: 0.25 });
    for (let now = 16; engine.frame(now); now += 16);
    expect(engine.player.speed).toBe(0.25);
  });

  test('plays everything that was recorded, each beat once and in order, and then rests', () => {
    const engine = playing([...write('a', 1), ...write('b', 2)]);
    const beats: string[] = [];
    engine.listener = { beat: ({ what }) => beats.push(what), jumped: () => undefined };
    let frames = 0;
    for (let now = 16; engine.frame(now); now += 16) frames += 1;
    expect(beats).toEqual(engine.recording.beats.map(({ what }) => what));
    expect(engine.behind).toBe(0);
    expect(frames).toBeGreaterThan(5);
    expect(engine.frame(100_000)).toBe(false);
  });

  test('steps over what a filter leaves out, forward and back', () => {
    const engine = playing([...write('a', 1), ...write('b', 2), ...write('c', 3)]);
    engine.show((beat) => 'request' in beat && beat.request === 'b');
    engine.seek(0);
    engine.step();
    expect(engine.picture.tokens.has('b')).toBe(true);
    engine.step();
    engine.back();
    engine.back();
    expect(engine.picture.tokens.size).toBe(0);
    expect(engine.picture.revision).toBe(1);
  });

  test('a step back and a step forward come to the same moment, whatever a filter leaves out', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }), fc.nat({ max: 30 }), (own, steps) => {
        const engine = playing(own.flatMap((isOwn, i) => write(`${isOwn ? 'own' : 'other'}${i}`, i + 1)));
        engine.show((beat) => 'request' in beat && beat.request.startsWith('own'));
        engine.seek(0);
        const moments = [];
        for (let i = 0; i < steps && engine.behind > 0; i += 1) {
          engine.step();
          moments.push(engine.picture.next);
        }
        const last = moments.at(-2);
        fc.pre(last !== undefined && engine.behind > 0);
        engine.back();
        expect(engine.picture.next).toBe(last);
        engine.step();
        expect(engine.picture.next).toBe(moments.at(-1));
      }),
      { seed: 15 },
    );
  });

  test.each([
    ['paused', { playing: false, speed: 1 }, 100, 1000, 0],
    ['nothing to play', { playing: true, speed: 1 }, 0, 1000, 0],
    ['calm', { playing: true, speed: 1 }, 15, 500, 12],
    ['much behind: within a second or so', { playing: true, speed: 1 }, 400, 500, 250],
    ['slow: falls behind', { playing: true, speed: 0.25 }, 600, 1000, 6],
  ])('%s', (_, player, behind, elapsed, due) => {
    expect(beatsDue(player, behind, elapsed)).toBe(due);
  });

  test('things move slower in slow motion', () => {
    expect(motionMs({ playing: true, speed: 0.25 }, 0)).toBeGreaterThan(motionMs({ playing: true, speed: 1 }, 0));
    expect(motionMs({ playing: true, speed: 1 }, 1000)).toBeLessThan(motionMs({ playing: true, speed: 1 }, 0));
  });
});

describe('folding', () => {
  test.each([
    [false, 500, false],
    [false, 501, true],
    [true, 251, true],
    [true, 250, false],
  ])('folded %s at %i events in a second: %s', (folded, perSecond, expected) => {
    expect(folds(folded, perSecond)).toBe(expected);
  });

  test('beyond 500 events in a second only counts are shown, and single requests again after it', () => {
    const engine = new Engine();
    for (let i = 1; i <= 300; i += 1) engine.take(write(`r${i}`, i), i);
    expect(engine.folded).toBe(true);
    engine.frame(310);
    expect(engine.behind).toBe(0);
    expect([engine.picture.tokens.size, engine.picture.revision]).toEqual([0, 300]);
    const counts = engine.rates.perSecond(310);
    expect([counts.get(edgeFrom('user:')), counts.get(edgeTo('node:n1'))]).toEqual([undefined, 300]);
    expect(counts.get(edgeFrom('user:ada'))).toBe(300);
    engine.frame(2000);
    expect(engine.folded).toBe(false);
    engine.take(write('late', 999), 2001);
    engine.frame(2016);
    expect(engine.behind).toBeGreaterThan(0);
  });

  test('a burst that would be shown too late is counted, for as long as one needs to read it', () => {
    const engine = new Engine();
    // Two hundred writes a second: too few to count for their rate, but never caught up with.
    let now = 0;
    for (; !engine.folded && now < 20_000; now += 5) engine.take(write(`r${now}`, now + 1), now);
    expect(engine.folded).toBe(true);
    engine.frame(now);
    expect(engine.behind).toBe(0);
    engine.frame(now + 1000);
    expect(engine.folded).toBe(true);
    engine.frame(now + 3000);
    expect(engine.folded).toBe(false);
  });

  test('nothing is counted while the picture stands, or follows one object', () => {
    const [paused, following] = [new Engine(), new Engine()];
    paused.setPlayer({ playing: false });
    following.show(() => true);
    for (let now = 0; now < 5000; now += 10)
      for (const engine of [paused, following]) engine.take(write(`r${now}`, now + 1), now);
    expect([paused.folded, following.folded]).toEqual([false, false]);
  });

  test('takes requests of one kind together, those of most first, and refusals apart', () => {
    const engine = playing(write('before', 1));
    clock += 1000;
    engine.take(
      [2, 3, 4].flatMap((i) => write(`many${i}`, i)),
      0,
    );
    engine.take([received('own', 'DELETE'), answered('own', 200)], 0);
    const summary = new Summary(engine.recording);
    const said = (second: number) =>
      summary.at(second).map(({ latest, count }) => [count, sentenceOfMany(latest, ({ resource }) => resource)]);
    const first = [
      [3, 'ada created configmaps in default'],
      [1, 'somebody deleted configmaps in default'],
    ];
    expect(said(1)).toEqual(first);
    engine.take([received('refused'), allowed('refused'), answered('refused', 409), ...write('five', 5)], 0);
    expect(said(1)).toEqual(first);
    expect(said(2)).toEqual([
      [1, 'ada created configmaps in default'],
      [1, 'ada wanted to create configmaps in default'],
    ]);
    expect(said(3)).toEqual([]);
  });

  test('counts only the last second', () => {
    const rates = new Rates();
    rates.count('a', 0);
    rates.count('a', 500, 2);
    rates.count('b', 900);
    expect([...rates.perSecond(950)]).toEqual([
      ['a', 3],
      ['b', 1],
    ]);
    expect(rates.total(1450)).toBe(3);
    expect(rates.total(5000)).toBe(0);
  });
});

describe('the run to which a write belongs', () => {
  const cause = (key: string): Cause => ({ controller: 'replicaset', key, woken: [] });
  const pod = (name: string) => subjectOf(`/api/v1/namespaces/default/pods/${name}`);
  test.each([
    ['the only one', ['default/other'], 'web-1', 'default/other'],
    ['the one whose key its name continues', ['default/db', 'default/web'], 'web-1', 'default/web'],
    ['the longest of them', ['default/web', 'default/web-7'], 'web-7-x', 'default/web-7'],
    ['none where none fits', ['default/a', 'default/b'], 'web-1', undefined],
    ['none where nothing is told', [], 'web-1', undefined],
  ])('%s', (_, keys, name, expected) => {
    expect(likeliest(keys.map(cause), pod(name))?.key).toBe(expected);
  });
});

describe('pods', () => {
  const pod = (revision: number, node: string, phase: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      creationTimestamp: '2026-01-01T00:00:00Z',
      name: 'web',
      namespace: 'default',
      uid: 'u',
      resourceVersion: String(revision),
      ...more,
    },
    spec: { nodeName: node },
    status: { phase },
  });

  test('stand where they stood at a revision', () => {
    const states = new PodStates();
    states.note(pod(1, '', 'Pending'));
    states.note(pod(3, 'n1', 'Pending'));
    states.note(pod(5, 'n1', 'Running'));
    states.note(pod(7, 'n1', 'Running', { deletionTimestamp: 'now' }));
    states.remove(pod(9, 'n1', 'Running'));
    const at = (revision?: number) => [...states.at(revision)].map(([node, [view]]) => [node, view?.state]);
    expect(at(0)).toEqual([]);
    expect(at(2)).toEqual([['', 'pending']]);
    expect(at(4)).toEqual([['n1', 'pending']]);
    expect(at(6)).toEqual([['n1', 'ready']]);
    expect(at(8)).toEqual([['n1', 'deleted']]);
    expect(at()).toEqual([]);
    expect([states.phaseAt(5), states.phaseAt(4)]).toEqual(['Running', undefined]);
  });

  test('the pods of a node are the same value again while none of them looks different', () => {
    const states = new PodStates();
    states.note(pod(1, 'n1', 'Pending', { uid: 'a', name: 'a' }));
    states.note(pod(2, 'n2', 'Pending', { uid: 'b', name: 'b' }));
    const before = states.at(undefined);
    states.note(pod(3, 'n1', 'Pending', { uid: 'a', name: 'a' }));
    expect(states.at(undefined)).toBe(before);
    states.note(pod(4, 'n1', 'Running', { uid: 'a', name: 'a' }));
    const after = states.at(undefined);
    expect(after.get('n1')).toMatchObject([{ phase: 'Running' }]);
    expect(after.get('n2')).toBe(before.get('n2'));
    states.note(pod(5, 'n2', 'Running', { uid: 'a', name: 'a' }));
    expect([...states.at(undefined)].map(([node, pods]) => [node, pods.length])).toEqual([['n2', 2]]);
  });
});

test('the log tells what was answered before the moment that is shown', () => {
  const { recording } = playing([...write('a', 1), ...write('b', 2)]);
  const ids = (next: number, most = 10) => linesAt(recording, next, undefined, most).map(({ id }) => id);
  expect(ids(4)).toEqual([]);
  expect(ids(5)).toEqual(['a']);
  expect(ids(10)).toEqual(['a', 'b']);
  expect(ids(10, 1)).toEqual(['b']);
});
