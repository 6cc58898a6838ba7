/** Field ownership by its rules: the numbers are those of src/merge/apply/RULES.md. */
import { describe, expect, it } from 'vitest';
import { sortKeys } from '../../src/std/index.ts';
import { History, refusal, yaml } from './support.ts';

const configMap = (data: string, metadata = ''): string => `
apiVersion: v1
kind: ConfigMap
metadata: {name: a${metadata}}
data: ${data}`;

const podTemplate = (spec: string): string => `
apiVersion: v1
kind: PodTemplate
metadata: {name: p}
template:
  metadata: {labels: {app: x}}
  spec: ${spec}`;

const fieldsOf = (causes: ReturnType<typeof refusal>): readonly (string | undefined)[] =>
  (causes.details?.causes ?? []).map((cause) => cause.field);

describe('what is owned', () => {
  it('1, 2, 7, 10: a created object belongs to its creator, leaf by leaf, without what is always there', () => {
    const history = new History('v1 PodTemplate');
    history.update(
      'm',
      podTemplate('{containers: [{name: c, image: "i:1", args: [x], ports: [{containerPort: 80}]}]}'),
    );
    expect(history.owners()).toEqual({
      'm Update': yaml(`
f:template:
  f:metadata: {f:labels: {.: {}, f:app: {}}}
  f:spec:
    f:containers:
      'k:{"name":"c"}':
        .: {}
        f:args: {}
        f:image: {}
        f:imagePullPolicy: {}
        f:name: {}
        f:ports:
          .: {}
          'k:{"containerPort":80,"protocol":"TCP"}': {.: {}, f:containerPort: {}, f:protocol: {}}
        f:resources: {}
        f:terminationMessagePath: {}
        f:terminationMessagePolicy: {}
    f:dnsPolicy: {}
    f:restartPolicy: {}
    f:schedulerName: {}
    f:securityContext: {}
    f:terminationGracePeriodSeconds: {}`),
    });
  });

  it('4: names, namespace, uid and the like belong to nobody', () => {
    const history = new History('v1 ConfigMap');
    history.update(
      'm',
      `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: n, generation: 3, labels: {l: v}, finalizers: [f]}}`,
    );
    expect(history.owners()).toEqual({
      'm Update': yaml(`f:metadata: {f:labels: {.: {}, f:l: {}}, f:finalizers: {.: {}, 'v:"f"': {}}}`),
    });
  });

  it('6: elements are in canonical order, in whatever order they came', () => {
    const history = new History('v1 Service');
    history.update(
      'm',
      '{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {ports: [{port: 443, name: b}, {port: 80, name: a}], selector: {z: z, a: a}}}',
    );
    const { fieldsV1 } = history.entry('m') ?? {};
    const spec = fieldsV1?.['f:spec'] as Record<string, object>;
    expect(Object.keys(spec)).toEqual(['f:ports', 'f:selector', 'f:sessionAffinity', 'f:type']);
    expect(Object.keys(spec['f:ports'] ?? {})).toEqual([
      '.',
      'k:{"port":80,"protocol":"TCP"}',
      'k:{"port":443,"protocol":"TCP"}',
    ]);
    expect(Object.keys(spec['f:selector'] ?? {})).toEqual(['.', 'f:a', 'f:z']);
  });
});

describe('what a comparison finds', () => {
  it('8: an empty list is not null, until it is stored', () => {
    const history = new History('rbac.authorization.k8s.io/v1 Role');
    history.update('m', '{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: r}, rules: []}');
    expect(history.owners()).toEqual({ 'm Update': { 'f:rules': {} } });
  });
});

describe('updates', () => {
  it('11, 12: the writer owns what it changed, others lose it', () => {
    const history = new History('v1 ConfigMap');
    history.update('one', configMap('{a: "1", b: "2", c: "3"}'));
    history.update('two', configMap('{a: "9", b: "2", d: "4"}'));
    expect(history.owners()).toEqual({
      'one Update': yaml('f:data: {.: {}, f:b: {}}'),
      'two Update': yaml('f:data: {f:a: {}, f:d: {}}'),
    });
  });

  it('11, 14: writing what is there changes nothing, not even the entries', () => {
    const history = new History('v1 ConfigMap');
    const { managedFields } = history.update('one', configMap('{a: "1"}')).metadata;
    history.update('two', configMap('{a: "1"}'));
    expect(history.entries()).toEqual(managedFields);
  });

  it('12: removing a map takes its keys from their owners', () => {
    const history = new History('v1 ConfigMap');
    history.update('one', configMap('{a: "1"}'));
    history.update('two', configMap('{a: "1", b: "2"}'));
    history.update('three', configMap('null'));
    expect(history.owners()).toEqual({});
  });

  it('13: a manager has an entry for each version through which it wrote', () => {
    const history = new History('rbac.authorization.k8s.io/v1 Role');
    const role = (version: string, label: string, verbs: string): string =>
      `{apiVersion: rbac.authorization.k8s.io/${version}, kind: Role, metadata: {name: r, labels: {l: "${label}"}}, rules: [{verbs: ${verbs}}]}`;
    history.update('m', role('v1', '1', '[get]'));
    history.update('m', role('v1beta1', '1', '[list]'));
    expect(history.entries().map(({ apiVersion, fieldsV1 }) => [apiVersion, Object.keys(fieldsV1 ?? {})])).toEqual([
      ['rbac.authorization.k8s.io/v1', ['f:metadata']],
      ['rbac.authorization.k8s.io/v1beta1', ['f:rules']],
    ]);
  });

  it('14: the time changes with the set only', () => {
    const history = new History('v1 ConfigMap');
    history.update('one', configMap('{a: "1"}'));
    const { time } = history.entry('one') ?? {};
    history.update('one', configMap('{a: "2"}'));
    expect(history.entry('one')?.time).toBe(time);
    history.update('one', configMap('{a: "2", b: "1"}'));
    expect(history.entry('one')?.time).toBe('2021-01-01T00:00:03Z');
  });

  it('15: the eleventh updater makes the two oldest one', () => {
    const history = new History('v1 ConfigMap');
    const data: Record<string, string> = {};
    for (let i = 1; i <= 12; i += 1) {
      data[`k${i}`] = 'x';
      history.update(`m${i}`, configMap(JSON.stringify(data)));
    }
    expect(history.entries()).toHaveLength(10);
    expect(history.entry('ancient-changes')).toMatchObject({
      operation: 'Update',
      time: '2021-01-01T00:00:03Z',
      fieldsV1: { 'f:data': { '.': {}, 'f:k1': {}, 'f:k2': {}, 'f:k3': {} } },
    });
    expect(history.entry('m12')?.fieldsV1).toEqual({ 'f:data': { 'f:k12': {} } });
  });

  it.each([
    ['an empty list', '[]'],
    ['one empty entry', '[{}]'],
  ])('16, 17: %s resets, and nobody is tracked after that', (_what, entries) => {
    const history = new History('v1 ConfigMap');
    history.update('one', configMap('{a: "1"}'));
    history.update('two', configMap('{a: "2"}', `, managedFields: ${entries}`));
    expect(history.entries()).toEqual([]);
    history.update('three', configMap('{a: "3"}'));
    expect(history.entries()).toEqual([]);
  });

  const edited = (fieldsType: string): string =>
    `, managedFields: [{manager: x, operation: Update, apiVersion: v1, time: "2020-01-01T00:00:00Z", fieldsType: ${fieldsType}, fieldsV1: {f:data: {f:gone: {}}}}]`;

  it('16: managedFields of the request replace the live ones', () => {
    const history = new History('v1 ConfigMap');
    history.update('one', configMap('{a: "1"}'));
    history.update('two', configMap('{a: "1", b: "2"}', edited('FieldsV1')));
    expect(history.owners()).toEqual({
      'x Update': yaml('f:data: {f:gone: {}}'),
      'two Update': yaml('f:data: {f:b: {}}'),
    });
  });

  it.each([
    ['of an unknown type', edited('FieldsV9'), {}],
    ['through a subresource', edited('FieldsV1'), { subresource: true }],
    ['through a subresource, to reset', ', managedFields: [{}]', { subresource: true }],
  ])('16: managedFields %s are ignored', (_what, sent, options) => {
    const history = new History('v1 ConfigMap');
    history.update('one', configMap('{a: "1"}'));
    history.update('two', configMap('{a: "1"}', sent), options);
    expect(history.owners()).toEqual({ 'one Update': yaml('f:data: {.: {}, f:a: {}}') });
  });

  it('18: with items that cannot be told apart the object loses its owners', () => {
    const history = new History('v1 PodTemplate');
    history.update('m', podTemplate('{containers: [{name: c, image: i}]}'));
    history.update('m', podTemplate('{containers: [{name: c, image: i, env: [{name: E}, {name: E}]}]}'));
    expect(history.entries()).toEqual([]);
  });
});

describe('what was owned as one value', () => {
  const aliases = (ip: string): string => podTemplate(`{containers: [], hostAliases: [{ip: ${ip}}]}`);
  const ownedAliases = (history: History, owner: string): unknown => {
    const owned = history.owners()[owner] as { 'f:template': { 'f:spec': { 'f:hostAliases'?: unknown } } };
    return owned['f:template']['f:spec']['f:hostAliases'];
  };

  it('32: is owned with all that is in it from the next write on, when it merges', () => {
    const history = new History('v1 PodTemplate');
    history.update('one', aliases('1.1.1.1'));
    history.update('two', aliases('2.2.2.2'));
    expect(ownedAliases(history, 'one Update')).toEqual({});
    history.update('two', aliases('2.2.2.2'));
    expect(ownedAliases(history, 'one Update')).toEqual({ '.': {}, 'k:{"ip":"2.2.2.2"}': { '.': {}, 'f:ip': {} } });
    expect(ownedAliases(history, 'two Update')).toEqual({ 'k:{"ip":"2.2.2.2"}': { '.': {}, 'f:ip': {} } });
  });

  it('32: parts of what is one value today are owned as that one value', () => {
    const history = new History('v1 PodTemplate');
    const tolerating = podTemplate('{containers: [], tolerations: [{key: a}]}');
    history.update('one', tolerating);
    const part = { 'f:template': { 'f:spec': { 'f:tolerations': { 'k:{"key":"a"}': { '.': {}, 'f:key': {} } } } } };
    const managedFields = [{ ...history.entries()[0], fieldsV1: part }];
    history.update('two', { ...yaml(tolerating), metadata: { name: 'p', managedFields } });
    expect(history.owners()).toEqual({ 'one Update': { 'f:template': { 'f:spec': { 'f:tolerations': {} } } } });
  });
});

describe('apply', () => {
  it('takes anything in a struct without fields, of which a published schema says nothing', () => {
    const history = new History('apiextensions.k8s.io/v1beta1 CustomResourceDefinition');
    history.apply(
      'one',
      `
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec: {subresources: {status: {replicas: 1}}}`,
    );
    expect(history.owners()).toEqual({
      'one Apply': yaml('{f:spec: {f:subresources: {f:status: {f:replicas: {}}}}}'),
    });
  });

  it('21: the applier owns what it mentions, not what is around it', () => {
    const history = new History('v1 ConfigMap');
    history.apply('one', configMap('{a: "1", b: "2"}', ', labels: {l: v}'));
    expect(history.owners()).toEqual({
      'one Apply': yaml('{f:data: {f:a: {}, f:b: {}}, f:metadata: {f:labels: {f:l: {}}}}'),
    });
  });

  it('21: an item of a keyed list is owned besides its fields', () => {
    const history = new History('v1 PodTemplate');
    history.apply('one', podTemplate('{containers: [{name: c, image: i, env: [{name: E, value: "1"}]}]}'));
    expect(history.entry('one')?.fieldsV1?.['f:template']).toEqual(
      yaml(`
f:metadata: {f:labels: {f:app: {}}}
f:spec:
  f:containers:
    'k:{"name":"c"}': {.: {}, f:image: {}, f:name: {}, f:env: {'k:{"name":"E"}': {.: {}, f:name: {}, f:value: {}}}}`),
    );
  });

  it('21: what has the same value is shared, and stays while anybody owns it (23)', () => {
    const history = new History('v1 ConfigMap');
    history.apply('one', configMap('{shared: x, mine: "1"}'));
    history.apply('two', configMap('{shared: x, other: "2"}'));
    history.apply('one', configMap('{mine: "1"}'));
    expect(history.live?.['data']).toEqual({ mine: '1', shared: 'x', other: '2' });
    history.apply('two', configMap('{other: "2"}'));
    expect(history.live?.['data']).toEqual({ mine: '1', other: '2' });
  });

  it('22: what others own with another value is a conflict, with a cause for each field', () => {
    const history = new History('v1 ConfigMap');
    history.apply('one', configMap('{a: "1", b: "2"}', ', labels: {l: v}'));
    const refused = refusal(() => history.apply('two', configMap('{a: "9", b: "9", c: "3"}', ', labels: {l: w}')));
    expect(refused).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(refused.details?.causes?.every((cause) => cause.reason === 'FieldManagerConflict')).toBe(true);
    expect(fieldsOf(refused)).toEqual(['.data.a', '.data.b', '.metadata.labels.l']);
    expect(refused.message).toContain('Apply failed with 3 conflicts: conflicts with "one"');
  });

  it('22: force takes over', () => {
    const history = new History('v1 ConfigMap');
    history.apply('one', configMap('{a: "1", b: "2"}'));
    history.apply('two', configMap('{a: "9"}'), { force: true });
    expect(history.live?.['data']).toEqual({ a: '9', b: '2' });
    expect(history.owners()).toEqual({
      'one Apply': yaml('f:data: {f:b: {}}'),
      'two Apply': yaml('f:data: {f:a: {}}'),
    });
  });

  it('22: a conflict with an update names who, in which version and when', () => {
    const history = new History('v1 ConfigMap');
    history.update('one', configMap('{a: "1"}'));
    const refused = refusal(() => history.apply('one', configMap('{a: "2"}')));
    expect(refused.message).toBe(
      'Apply failed with 1 conflict: conflict with "one" using v1 at 2021-01-01T00:00:01Z: .data.a',
    );
  });

  it('23: what an applier no longer mentions goes, down to empty structs and items', () => {
    const history = new History('v1 PodTemplate');
    history.apply(
      'one',
      podTemplate(
        '{containers: [{name: c, image: i, env: [{name: E, value: "1"}]}, {name: d, image: j}], hostname: h}',
      ),
    );
    history.apply('one', podTemplate('{containers: [{name: c, image: i}]}'));
    expect(history.live?.['template']).toMatchObject({ spec: { containers: [{ name: 'c', image: 'i' }] } });
    expect(JSON.stringify(history.live)).not.toMatch(/hostname|"env"|"d"/);
  });

  it('23: an item stays when somebody else owns something in it', () => {
    const history = new History('v1 PodTemplate');
    history.apply('one', podTemplate('{containers: [{name: c, image: i}, {name: d, image: j}]}'));
    history.apply('two', podTemplate('{containers: [{name: d, command: [x]}]}'));
    history.apply('one', podTemplate('{containers: [{name: c, image: i}]}'));
    expect(history.live?.['template']).toMatchObject({
      spec: { containers: [{ name: 'c' }, { name: 'd', command: ['x'] }] },
    });
  });

  it('20: items keep their order, new ones follow', () => {
    const history = new History('v1 PodTemplate');
    history.apply('one', podTemplate('{containers: [{name: c}, {name: a}]}'));
    history.apply('one', podTemplate('{containers: [{name: a}, {name: b}, {name: c}]}'));
    const names = JSON.stringify(history.live).match(/"name":"[abc]"/g);
    expect(names).toEqual(['"name":"c"', '"name":"a"', '"name":"b"']);
  });

  it('20: an empty list of a keyed kind takes nothing away from others', () => {
    const history = new History('v1 PodTemplate');
    history.update('m', podTemplate('{containers: [{name: c, image: i}]}'));
    history.apply('one', podTemplate('{containers: []}'));
    expect(history.live?.['template']).toMatchObject({ spec: { containers: [{ name: 'c' }] } });
  });

  it('2: atomic lists and structs are owned as one', () => {
    const history = new History('networking.k8s.io/v1 NetworkPolicy');
    const policy = (spec: string): string =>
      `{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: n}, spec: ${spec}}`;
    history.apply('one', policy('{podSelector: {matchLabels: {a: b}}, policyTypes: [Ingress]}'));
    expect(history.owners()).toEqual({ 'one Apply': yaml('f:spec: {f:podSelector: {}, f:policyTypes: {}}') });
    const refused = refusal(() =>
      history.apply('two', policy('{podSelector: {matchLabels: {a: b, c: d}}, policyTypes: [Egress]}')),
    );
    expect(fieldsOf(refused)).toEqual(['.spec.podSelector', '.spec.policyTypes']);
  });

  it('5: a default stands in for a key', () => {
    const history = new History('v1 PodTemplate');
    history.apply(
      'one',
      podTemplate('{containers: [{name: c, ports: [{containerPort: 80}, {containerPort: 80, protocol: UDP}]}]}'),
    );
    const text = JSON.stringify(history.entry('one')?.fieldsV1);
    expect(text).toContain(
      JSON.stringify('k:{"containerPort":80,"protocol":"TCP"}') + ':{".":{},"f:containerPort":{}}',
    );
    expect(text).toContain(JSON.stringify('k:{"containerPort":80,"protocol":"UDP"}'));
  });

  it.each([
    ['a field that is not declared', configMap('{a: "1"}', ', nonsense: 1'), 500],
    ['a scalar of another kind', configMap('{a: 1}'), 500],
    ['a list for a map', configMap('[a]'), 500],
    ['managedFields', configMap('{}', ', managedFields: []'), 400],
    ['another version', '{apiVersion: v2, kind: ConfigMap, metadata: {name: a}}', 400],
    ['no version', '{kind: ConfigMap, metadata: {name: a}}', 400],
    ['another kind', '{apiVersion: v1, kind: Secret, metadata: {name: a}}', 500],
    ['a set with two equal items', configMap('{}', ', finalizers: [a, a]'), 500],
    ['a null item', configMap('{}', ', ownerReferences: [null]'), 500],
  ])('19: %s is refused', (_what, configuration, code) => {
    const history = new History('v1 ConfigMap');
    expect(refusal(() => history.apply('one', configuration, { apiVersion: 'v1' })).code).toBe(code);
  });

  it('19: an item without its key is refused, unless the key is always written: then it counts as its zero', () => {
    const history = new History('v1 PodTemplate');
    const anonymous = podTemplate('{containers: [], hostAliases: [{hostnames: [a]}]}');
    expect(refusal(() => history.apply('one', anonymous)).code).toBe(500);
    const owned = new History('v1 ConfigMap');
    owned.apply('one', configMap('{}', ', ownerReferences: [{name: x, kind: K}]'));
    expect(owned.owners()).toEqual({
      'one Apply': {
        'f:metadata': { 'f:ownerReferences': { 'k:{"uid":""}': { '.': {}, 'f:kind': {}, 'f:name': {} } } },
      },
    });
  });

  it('19: quantities and ports may be numbers or texts', () => {
    const history = new History('v1 PodTemplate');
    history.apply(
      'one',
      podTemplate(
        '{containers: [{name: c, resources: {limits: {cpu: 1, memory: 1Gi}}, readinessProbe: {httpGet: {port: http}}}]}',
      ),
    );
    expect(JSON.stringify(history.live)).toContain('"limits":{"cpu":"1","memory":"1Gi"}');
  });

  it('24: what nobody owns can be taken', () => {
    const history = new History('v1 PodTemplate');
    history.apply('one', podTemplate('{containers: [{name: c, image: i}]}'));
    history.apply('two', podTemplate('{containers: [{name: c, imagePullPolicy: Never}], restartPolicy: Never}'));
    expect(history.live?.['template']).toMatchObject({
      spec: { restartPolicy: 'Never', containers: [{ imagePullPolicy: 'Never' }] },
    });
  });

  it('25: applying nothing leaves no entry', () => {
    const history = new History('v1 ConfigMap');
    history.apply('one', configMap('{a: "1"}'));
    history.apply('one', configMap('null'));
    expect(history.entries()).toEqual([]);
    expect(history.live?.['data']).toBeUndefined();
  });

  it('26: applying the same again changes nothing', () => {
    const history = new History('v1 ConfigMap');
    history.apply('one', configMap('{a: "1"}'));
    const before = structuredClone(history.live);
    history.apply('one', configMap('{a: "1"}'));
    expect(history.live).toEqual(before);
  });

  it('26: sharing changes ownership, and so the time', () => {
    const history = new History('v1 ConfigMap');
    history.apply('one', configMap('{a: "1", b: "2"}'));
    history.apply('two', configMap('{a: "1"}'));
    history.apply('two', configMap('{a: "1", b: "2"}'));
    expect(history.entries().map(({ manager, time }) => [manager, time])).toEqual([
      ['one', '2021-01-01T00:00:01Z'],
      ['two', '2021-01-01T00:00:03Z'],
    ]);
  });

  it('26: an apply of less changes the time, also where another applier keeps the value', () => {
    const history = new History('v1 ConfigMap');
    history.apply('one', configMap('{a: "1", b: "2"}'));
    history.apply('two', configMap('{a: "1", b: "2"}'));
    const before = history.entry('one')?.time;
    history.apply('one', configMap('{a: "1"}'));
    expect(history.entry('one')).toMatchObject({ fieldsV1: { 'f:data': { 'f:a': {} } } });
    expect(history.entry('one')?.time).not.toBe(before);
  });

  it('27: what was there before is ascribed to before-first-apply', () => {
    const history = new History('v1 ConfigMap');
    history.update('one', configMap('{a: "1", b: "2"}'));
    history.update('one', configMap('{a: "1", b: "2"}', ', managedFields: [{}]'));
    history.apply('two', configMap('{a: "1", c: "3"}'));
    expect(history.owners()).toEqual({
      'before-first-apply Update': yaml('f:data: {.: {}, f:a: {}, f:b: {}}'),
      'two Apply': yaml('f:data: {f:a: {}, f:c: {}}'),
    });
  });
});

describe('coming from client-side apply', () => {
  const annotated = (applied: string, data: string): string =>
    configMap(
      data,
      `, annotations: {kubectl.kubernetes.io/last-applied-configuration: ${JSON.stringify(JSON.stringify(yaml(applied)))}}`,
    );

  it('28: the client may change what it applied before, and the annotation follows', () => {
    const history = new History('v1 ConfigMap');
    history.update('kubectl-client-side-apply', annotated(configMap('{a: "1"}'), '{a: "1", b: "2"}'));
    history.apply('kubectl', configMap('{a: "9"}'));
    expect(history.live?.['data']).toEqual({ a: '9', b: '2' });
    const annotation = history.live?.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'];
    expect(annotation).toBe(`${JSON.stringify(sortKeys(yaml(configMap('{a: "9"}'))))}\n`);
  });

  it.each([
    ['other fields', 'kubectl', '{b: "9"}'],
    ['other managers', 'helm', '{a: "9"}'],
  ])('28: %s conflict as ever', (_what, manager, data) => {
    const history = new History('v1 ConfigMap');
    history.update('kubectl-client-side-apply', annotated(configMap('{a: "1"}'), '{a: "1", b: "2"}'));
    expect(refusal(() => history.apply(manager, configMap(data))).code).toBe(409);
  });
});

describe('coming from client-side apply with another annotation', () => {
  const noted = (text: string): string =>
    configMap('{a: "1"}', `, annotations: {kubectl.kubernetes.io/last-applied-configuration: ${JSON.stringify(text)}}`);

  it.each([
    ['that is no JSON', '{'],
    ['that is no object', '[]'],
    ['of null', 'null'],
    ['of another version', JSON.stringify({ ...yaml(configMap('{a: "1"}')), apiVersion: 'v2' })],
    ['that no type describes', JSON.stringify({ ...yaml(configMap('{a: "1"}')), nonsense: 1 })],
  ])('28: one %s changes nothing', (_what, text) => {
    const history = new History('v1 ConfigMap');
    history.update('kubectl-client-side-apply', noted(text));
    expect(refusal(() => history.apply('kubectl', configMap('{a: "9"}'))).code).toBe(409);
  });

  it('28: no annotation is added', () => {
    const history = new History('v1 ConfigMap');
    history.apply('kubectl', configMap('{a: "1"}', ', annotations: {b: c}'));
    expect(history.live?.metadata.annotations).toEqual({ b: 'c' });
  });
});

describe('versions', () => {
  const ingress = (version: string, spec: string): string =>
    `{apiVersion: networking.k8s.io/${version}, kind: Ingress, metadata: {name: i}, spec: ${spec}}`;

  it('22, 29, 31: a conflict is told in the version of its owner, with the slip of the reference', () => {
    const history = new History('networking.k8s.io/v1 Ingress');
    history.apply('one', ingress('v1', '{defaultBackend: {service: {name: a, port: {number: 80}}}}'));
    const refused = refusal(() =>
      history.apply('two', ingress('v1beta1', '{backend: {serviceName: b, servicePort: 81}}')),
    );
    expect(fieldsOf(refused)).toEqual([
      '.spec.defaultBackend.service.port',
      '.spec.defaultBackend.service.port.number',
    ]);
    expect(refused.details?.causes?.[0]?.message).toBe('conflict with "one": .spec.defaultBackend.service.name');
  });

  it('29: what is the same in another version is shared', () => {
    const history = new History('networking.k8s.io/v1 Ingress');
    history.apply('one', ingress('v1', '{defaultBackend: {service: {name: a, port: {number: 80}}}}'));
    history.apply('two', ingress('v1beta1', '{backend: {serviceName: a, servicePort: 80}}'));
    expect(history.entries().map(({ manager, apiVersion }) => [manager, apiVersion])).toEqual([
      ['one', 'networking.k8s.io/v1'],
      ['two', 'networking.k8s.io/v1beta1'],
    ]);
  });

  it('23, 25, 29: an applier that changes its version keeps and loses fields across it', () => {
    const role = (version: string, labels: string): string =>
      `{apiVersion: rbac.authorization.k8s.io/${version}, kind: Role, metadata: {name: r, labels: ${labels}}, rules: [{verbs: [get]}]}`;
    const history = new History('rbac.authorization.k8s.io/v1 Role');
    history.apply('one', role('v1', '{a: b, c: d}'));
    history.apply('one', role('v1beta1', '{c: d}'));
    expect(history.owners()).toEqual({ 'one Apply': yaml('{f:metadata: {f:labels: {f:c: {}}}, f:rules: {}}') });
    expect(history.live?.metadata.labels).toEqual({ c: 'd' });
  });

  it('30: owners in a version that is gone are dropped', () => {
    const history = new History('networking.k8s.io/v1 Ingress');
    history.apply('one', ingress('v1beta1', '{ingressClassName: c}'));
    history.update(
      'two',
      ingress('v1', '{ingressClassName: c, defaultBackend: {service: {name: a, port: {number: 80}}}}'),
    );
    history.serve(['networking.k8s.io/v1']);
    history.update('three', ingress('v1', '{ingressClassName: c}'));
    expect(history.entries()).toEqual([]);
  });
});

describe('what a cause shows', () => {
  it('31: fields of an item come before what is below them', () => {
    const history = new History('v1 PodTemplate');
    history.update(
      'm',
      podTemplate('{containers: [{name: a, image: i, env: [{name: E, value: "1"}]}], restartPolicy: Always}'),
    );
    const refused = refusal(() =>
      history.apply(
        'one',
        podTemplate('{containers: [{name: a, image: j, env: [{name: E, value: "2"}]}], restartPolicy: Never}'),
      ),
    );
    expect(fieldsOf(refused)).toEqual([
      '.template.spec.restartPolicy',
      '.template.spec.containers[name="a"].image',
      '.template.spec.containers[name="a"].env[name="E"].value',
    ]);
  });
});
