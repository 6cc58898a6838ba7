import { describe, expect, it } from 'vitest';
import { createCluster } from '../../src/cluster/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { isAudited, withAuditing } from '../../src/ui/panels/audit/example.ts';
import { linesOf } from '../../src/ui/panels/audit/exporting.ts';
import { matching } from '../../src/ui/panels/audit/filter.ts';
import { readLines } from '../../src/ui/panels/audit/logFiles.ts';
import { entryOf, merged } from '../../src/ui/stores/audit.ts';

const event = (auditID: string, more: object = {}): object => ({
  kind: 'Event',
  auditID,
  stage: 'ResponseComplete',
  level: 'Metadata',
  verb: 'create',
  requestURI: '/api/v1/namespaces/default/pods',
  user: { username: 'alice' },
  objectRef: { resource: 'pods', namespace: 'default', name: 'web' },
  responseStatus: { code: 201 },
  stageTimestamp: `2021-01-01T00:00:0${auditID}.000000Z`,
  ...more,
});

const entries = (...events: object[]) => events.flatMap((each) => entryOf(each) ?? []);

describe('an audit event in the list', () => {
  it.each<[string, object, object]>([
    ['says who, what and how', {}, { user: 'alice', verb: 'create', target: 'pods default/web', code: 201 }],
    ['is of whom somebody acted as', { impersonatedUser: { username: 'bob' } }, { user: 'bob' }],
    ['says the path of what is no resource', { objectRef: undefined, requestURI: '/healthz' }, { target: '/healthz' }],
    [
      'names a subresource',
      { objectRef: { resource: 'pods', subresource: 'log', name: 'x' } },
      { target: 'pods/log x' },
    ],
  ])('%s', (_what, more, shown) => {
    expect(entryOf(event('1', more))).toMatchObject(shown);
  });

  it.each([
    ['secrets', { resource: 'secrets' }],
    ['tokens', { resource: 'serviceaccounts', subresource: 'token' }],
    ['token reviews', { resource: 'tokenreviews' }],
  ])('shows nothing of %s', (_what, objectRef) => {
    const bodies = { requestObject: { data: 'hush' }, responseObject: { data: 'hush' } };
    const annotations = { 'patch.webhook/round_0': 'hush', other: 'kept' };
    const [entry] = entries(event('1', { objectRef, annotations, ...bodies }));
    expect(JSON.stringify(entry)).not.toContain('hush');
    expect(JSON.stringify(entry)).toContain('kept');
  });

  it('stands there once, by time, wherever it came from', () => {
    const [a, b] = entries(event('1'), event('2'));
    if (!a || !b) throw new Error('no entries');
    expect(merged([b], [a, b]).map(({ auditId }) => auditId)).toEqual(['1', '2']);
  });
});

it('reads the lines of a log, and counts those that are no events', () => {
  const text = `${JSON.stringify(event('1'))}\nAUDIT: id="x"\n\n${JSON.stringify({ kind: 'Pod' })}\n`;
  expect(readLines(text)).toMatchObject({ entries: [{ auditId: '1' }], unread: 2 });
});

it.each([
  [{ text: 'alice create' }, ['1', '2']],
  [{ text: '403' }, ['2']],
  [{ text: 'pods 201' }, ['1']],
  [{ level: 'Request' }, ['2']],
  [{ stage: 'Panic' }, []],
] as const)('a filter by %j leaves %j', (part, left) => {
  const all = entries(event('1'), event('2', { level: 'Request', responseStatus: { code: 403 } }));
  const found = matching(all, { text: '', level: '', stage: '', ...part });
  expect(found.map(({ auditId }) => auditId)).toEqual(left);
});

it('is exported as lines of JSON, oldest first', () => {
  const lines = linesOf(entries(event('2'), event('1')))
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([event('1'), event('2')]);
});

describe('the example', () => {
  it.each(['cluster.io', 'k8s.io'] as const)('records writes and no reads, under %s', async (naming) => {
    const options = withAuditing({ name: 'a', naming, storage: 'memory', clock: 'manual', seed: 1 }, namesOf(naming));
    expect(isAudited(options)).toBe(true);
    const cluster = await createCluster({ ...options, controllerManager: ['--controllers=-*'] });
    const send = cluster.transportAs('admin');
    const map = JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'recorded' } });
    const init = { method: 'POST', body: map, headers: { 'content-type': 'application/json' } };
    await send('/api/v1/namespaces/default/configmaps', init);
    await send('/api/v1/namespaces/default/configmaps/recorded');
    const text = await (await send('/logs/audit.log')).text();
    const found = readLines(text).entries.filter(({ target }) => target.includes('recorded'));
    expect(found.map(({ verb, stage, level }) => [verb, stage, level])).toEqual([
      ['create', 'ResponseComplete', 'Request'],
    ]);
    await cluster.stop();
  });

  it('leaves a policy and a log alone that are there', () => {
    const made = { name: 'a', apiserver: ['--audit-policy-file=mine'], files: { mine: 'x' } };
    expect(withAuditing(made, namesOf('cluster.io'))).toMatchObject({
      apiserver: ['--audit-policy-file=mine', '--audit-log-path=audit.log'],
      files: { mine: 'x' },
    });
  });

  it.each([
    [[], false],
    [['--audit-policy-file=p'], false],
    [['--audit-policy-file=p', '--audit_log_path=l'], true],
    [['--audit-policy-file=p', '--audit-webhook-config-file=w'], true],
  ])('flags %j record: %s', (apiserver, recorded) => {
    expect(isAudited({ name: 'a', apiserver })).toBe(recorded);
  });
});
