import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyOf, type Pod, type Service } from '../../../src/client/index.ts';
import { Store } from '../../../src/client/store.ts';
import { podSelectorOf } from '../../../src/controllers/runtime/index.ts';
import { SelectedPods } from '../../../src/controllers/services/selected.ts';
import { pod } from './objects.ts';

const labels = fc.dictionary(fc.constantFrom('app', 'tier', '__proto__'), fc.constantFrom('web', 'db', ''), {
  maxKeys: 3,
});
const namespace = fc.constantFrom('default', 'other');
const written = fc.array(fc.record({ at: fc.nat(5), namespace, labels }), { minLength: 1, size: '+1' });

const podOf = ({ at, ...metadata }: { at: number; namespace: string; labels: Record<string, string> }): Pod => {
  const made = pod(`p${at}`);
  return { ...made, metadata: { ...made.metadata, ...metadata } };
};

const serviceOf = ({
  at,
  namespace,
  labels: selector,
}: {
  at: number;
  namespace: string;
  labels: Record<string, string>;
}) => ({ metadata: { name: `s${at}`, namespace }, spec: { selector }, status: {} }) as Service;

test('services and the pods that they select are found by indexes as among all, in the same order', () => {
  fc.assert(
    fc.property(written, written, (services, pods) => {
      const selected = new SelectedPods(new Store<Service>(), new Store<Pod>());
      for (const store of [selected.services, selected.pods])
        store.addIndex('all', ({ metadata }: Service | Pod) => [metadata.namespace ?? '']);
      for (const service of services) selected.services.put(serviceOf(service));
      for (const pod of pods) selected.pods.put(podOf(pod));
      const matches = (service: Service, pod: Pod): boolean =>
        podSelectorOf(service.spec.selector).matches(pod.metadata.labels ?? {});
      for (const service of selected.services.list()) {
        const plain = selected.pods.by('all', service.metadata.namespace ?? '').filter((pod) => matches(service, pod));
        expect(selected.of(service).map(keyOf)).toEqual(plain.map(keyOf));
      }
      for (const pod of selected.pods.list()) {
        const plain = selected.services
          .by('all', pod.metadata.namespace ?? '')
          .filter((service) => matches(service, pod));
        expect(selected.selecting(pod).sort()).toEqual(plain.map(keyOf).sort());
      }
    }),
    { seed: 17 },
  );
});
