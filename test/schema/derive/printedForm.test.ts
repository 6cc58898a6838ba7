import { describe, expect, test } from 'vitest';
import { podTemplateType, printedForm } from '../../../src/schema/index.ts';

/** What stands in the printed form of a template with this `spec`, for one field of a pod or its container. */
function printedPod(spec: object): string {
  return printedForm(podTemplateType, { spec });
}

const container = (fields: object): object => ({ containers: [{ name: 'c', ...fields }] });
const quantity = (text: string): object => container({ resources: { limits: { cpu: text } } });
const volume = (source: object): object => ({ volumes: [{ name: 'v', ...source }] });

const machine = (value: string, scale: number, written: string, format: string): string =>
  `map[cpu:{i:(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}} ` +
  `d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)${written} Format:(resource.Format)${format}}]`;

const large = (words: string, format: string): string =>
  `map[cpu:{i:(resource.int64Amount){value:(int64)0 scale:(resource.Scale)0} d:(resource.infDecAmount){Dec:(*inf.Dec)` +
  `{unscaled:(big.Int){neg:(bool)false abs:(big.nat)[${words}]} scale:(inf.Scale)9}} s:(string) Format:(resource.Format)${format}}]`;

describe('the printed form of a template', () => {
  test.each<[what: string, spec: object, printed: string]>([
    ['an absent list', {}, 'InitContainers:([]v1.Container)<nil>'],
    ['an empty list', { tolerations: [] }, 'Tolerations:([]v1.Toleration)<nil>'],
    ['an empty map', { nodeSelector: {} }, 'NodeSelector:(map[string]string)<nil>'],
    ['a map with sorted keys', { nodeSelector: { b: '2', a: '1' } }, 'NodeSelector:(map[string]string)map[a:1 b:2]'],
    ['an absent pointer', {}, 'Affinity:(*v1.Affinity)<nil>'],
    ['a pointer to a number', { priority: 0 }, 'Priority:(*int32)0'],
    ['a pointer to a bool', { enableServiceLinks: false }, 'EnableServiceLinks:(*bool)false'],
    ['a bool', { hostNetwork: true }, 'HostNetwork:(bool)true'],
    ['a string with a type of its own', { dnsPolicy: 'Default' }, 'DNSPolicy:(v1.DNSPolicy)Default'],
    ['a field with another name', { serviceAccount: 'bot' }, 'DeprecatedServiceAccount:(string)bot'],
    [
      'an absent struct',
      container({}),
      'Resources:(v1.ResourceRequirements){Limits:(v1.ResourceList)<nil> Requests:(v1.ResourceList)<nil>}',
    ],
    [
      'an item of a list, without its type',
      { hostAliases: [{ ip: '192.0.2.1', hostnames: ['a', 'b'] }] },
      'HostAliases:([]v1.HostAlias)[{IP:(string)192.0.2.1 Hostnames:([]string)[a b]}]',
    ],
    [
      'a port by number',
      container({ livenessProbe: { tcpSocket: { port: 80 } } }),
      'TCPSocket:(*v1.TCPSocketAction){Port:(intstr.IntOrString){Type:(intstr.Type)0 IntVal:(int32)80 StrVal:(string)} Host:(string)}}',
    ],
    [
      'a port by name',
      container({ livenessProbe: { tcpSocket: { port: 'web' } } }),
      'Port:(intstr.IntOrString){Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)web}',
    ],
    [
      'an embedded struct',
      container({ envFrom: [{ configMapRef: { name: 'x' } }] }),
      '(*v1.ConfigMapEnvSource){LocalObjectReference:(v1.LocalObjectReference){Name:(string)x} Optional:(*bool)<nil>}',
    ],
    [
      'an embedded struct before other fields',
      container({ readinessProbe: { exec: { command: ['true'] }, periodSeconds: 5 } }),
      '(*v1.Probe){Handler:(v1.Handler){Exec:(*v1.ExecAction){Command:([]string)[true]} HTTPGet:(*v1.HTTPGetAction)<nil> ' +
        'TCPSocket:(*v1.TCPSocketAction)<nil>} InitialDelaySeconds:(int32)0 TimeoutSeconds:(int32)0 PeriodSeconds:(int32)5 ',
    ],
    [
      'the time of creation, which is not given',
      {},
      'CreationTimestamp:(v1.Time){Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}',
    ],
    ['zero', quantity('0'), machine('0', 0, '0', '')],
    ['a whole number', quantity('2'), machine('2', 0, '2', 'DecimalSI')],
    ['thousandths', quantity('250m'), machine('250', -3, '250m', 'DecimalSI')],
    ['a binary amount', quantity('1Gi'), machine('1073741824', 0, '1Gi', 'BinarySI')],
    ['a binary amount that is divisible by eight', quantity('8Gi'), machine('8589934592', 0, '', 'BinarySI')],
    ['an exponent', quantity('5e3'), machine('5', 3, '5e3', 'DecimalExponent')],
    ['a large binary amount', quantity('1Ei'), large('0 62500000', 'BinarySI')],
    [
      'a volume',
      volume({ rbd: { monitors: ['m'], image: 'i' } }),
      'RBD:(*v1.RBDVolumeSource){CephMonitors:([]string)[m] RBDImage:(string)i FSType:(string) RBDPool:(string) RadosUser:(string) Keyring:(string)',
    ],
    [
      'the order of volume sources',
      volume({ emptyDir: {} }),
      'Projected:(*v1.ProjectedVolumeSource)<nil> PortworxVolume:(*v1.PortworxVolumeSource)<nil> ScaleIO:(*v1.ScaleIOVolumeSource)<nil> StorageOS:',
    ],
    [
      'a size limit',
      volume({ emptyDir: { sizeLimit: '1' } }),
      'SizeLimit:(*resource.Quantity){i:(resource.int64Amount){value:(int64)1 ',
    ],
  ])('has %s', (_, spec, printed) => {
    expect(printedPod(spec)).toContain(printed);
  });

  test('replaces texts and keys as it is told', () => {
    const spec = { nodeSelector: { 'x/b': 'x/1', 'y/a': '2' } };
    const printed = printedForm(podTemplateType, { spec }, (text) => text.replace('x/', 'z/'));
    expect(printed).toContain('map[y/a:2 z/b:z/1]');
  });
});
