import { describe, expect, test } from 'vitest';
import { namesOf } from '../../src/names/index.ts';
import { parseRules, presetsFor, rulesText, withRules } from '../../src/ui/panels/scheduling/draftRules.ts';

const pod = {
  metadata: { name: 'p', labels: { app: 'web' }, creationTimestamp: null },
  spec: { containers: [], nodeSelector: { disk: 'ssd' } },
};
const presets = presetsFor(pod.metadata.labels, namesOf('k8s.io'));

describe('rules of placement as text', () => {
  test.each(presets.map((preset) => [preset.title, preset] as const))(
    '%s: what is written is read back',
    (_, { rules }) => {
      const ruled = withRules(pod, rules);
      expect(ruled.spec).toMatchObject({ nodeSelector: { disk: 'ssd' }, ...rules });
      expect(parseRules(rulesText(ruled))).toEqual(rules);
      expect(withRules(ruled, {})).toEqual(pod);
    },
  );

  test('they name the profile’s own topology', () => {
    expect(JSON.stringify(presets)).toContain('topology.kubernetes.io/zone');
    expect(JSON.stringify(presets)).toContain('"kubernetes.io/hostname"');
  });

  test.each([
    ['', {}],
    ['  \n', {}],
    ['affinity: {}', { affinity: {} }],
    ['nonsense', 'The text has to have fields.'],
    ['tolerations: []', 'The text has no field tolerations.'],
    ['affinity: {podAffinity: []}', 'affinity.podAffinity has to have fields.'],
    ['topologySpreadConstraints: {}', 'topologySpreadConstraints has to be a list.'],
    ['topologySpreadConstraints: [{maxSkew: one}]', 'topologySpreadConstraints[0].maxSkew has to be a number.'],
    [
      'topologySpreadConstraints: [{labelSelector: {matchLabels: {a: 1}}}]',
      'topologySpreadConstraints[0].labelSelector.matchLabels.a has to be a text.',
    ],
    ['affinity: {__proto__: {}}', 'affinity has no field __proto__.'],
  ])('%j', (text, read) => expect(parseRules(text)).toEqual(read));

  test('what is no YAML is told in one line', () => {
    expect(parseRules('affinity: [')).toMatch(/^Flow sequence in block collection must/);
  });
});
