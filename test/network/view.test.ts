import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NetworkView } from '../../src/network/index.ts';
import { settings, type Pod } from './world.ts';

const addresses = ['10.244.0.1', '10.244.0.2', '10.244.0.3'];
const pod = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  ip: fc.option(fc.constantFrom(...addresses), { nil: undefined }),
  phase: fc.constantFrom('Pending', 'Running'),
  hostPort: fc.constantFrom(0, 80),
});

function podOf({ name, ip, phase, hostPort }: typeof pod extends fc.Arbitrary<infer T> ? T : never): Pod {
  const status = { phase, ...(ip === undefined ? {} : { podIP: ip }) };
  const ports = [{ containerPort: 8080, ...(hostPort > 0 && { hostPort }) }];
  return {
    metadata: { name, namespace: 'x', creationTimestamp: null },
    spec: { nodeName: 'n', containers: [{ name: 'c', resources: {}, ports }] },
    status,
  };
}

test('a view finds what one finds that was made of the last states alone', () => {
  const step = fc.record({ pod, removes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const view = new NetworkView(settings);
      for (const { pod, removes } of steps) {
        if (removes) view.remove('pods', podOf(pod));
        else view.set('pods', podOf(pod));
      }
      const plain = new NetworkView(settings);
      for (const object of view.all('pods')) plain.set('pods', object);
      for (const each of [view, view.fork()]) {
        expect(new Set(each.podsIn('x'))).toEqual(new Set(plain.podsIn('x')));
        expect(new Set(each.podsAtHostPort('n', 80, 'TCP'))).toEqual(new Set(plain.podsAtHostPort('n', 80, 'TCP')));
        for (const address of addresses)
          expect(each.podAt(address) === undefined).toBe(plain.podAt(address) === undefined);
      }
    }),
  );
});
