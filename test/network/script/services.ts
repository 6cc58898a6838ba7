/** Names, services and endpoints as clients meet them: by commands in pods. */
import { expect, test } from 'vitest';
import { createNamespaces, inPod, output, until, write, type Field } from './field.ts';

const NS = 'services';
const CLIENT = `${NS}/client`;
const AGNHOST = 'k8s.gcr.io/e2e-test-images/agnhost:2.21';
const PATIENCE = 180_000;

type Loose = Record<string, unknown>;

const pod = (name: string, spec: Loose = {}, labels: Loose = { app: name }, container: Loose = {}): object => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: NS, labels } },
  spec: {
    containers: [{ name: 'c', image: AGNHOST, args: ['netexec', '--http-port=80', '--udp-port=81'], ...container }],
    ...spec,
  },
});

const service = (name: string, spec: Loose): object => ({
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: NS } },
  spec: { ports: [{ port: 80 }], ...spec },
});

const get = (field: Field, kind: string, name: string, path: string): Promise<string> =>
  output(field, ['get', '-n', NS, kind, name, '-o', `jsonpath={${path}}`]);

const patch = (field: Field, name: string, spec: object): Promise<string> =>
  output(field, ['patch', '-n', NS, 'service', name, '--type=merge', '-p', JSON.stringify({ spec })]);

/** Waits until a line in the client writes what it should. */
async function says(field: Field, line: string, expected: RegExp, from = CLIENT): Promise<void> {
  const [namespace = '', name = ''] = from.split('/');
  await until(field, ['exec', '-n', namespace, name, '--', 'sh', '-c', line], ({ out }) => expected.test(out));
}

/** Waits until so many addresses stand behind a service. */
const untilEndpoints = (field: Field, name: string, count: number): Promise<string> =>
  until(
    field,
    ['get', '-n', NS, 'endpoints', name, '-o', 'jsonpath={.subsets[*].addresses[*].ip}'],
    ({ out }) => out.split(' ').filter(Boolean).length === count,
  );

/** The names of the pods that answered, in order. */
const whoAnswers = async (field: Field, address: string, times: number): Promise<string[]> => {
  const line = `for i in $(seq ${times}); do curl -s -m 2 http://${address}/hostname; echo; done`;
  return (await inPod(field, CLIENT, line)).trim().split('\n');
};

/** Makes what all of the tests need: a client, and two pods behind the service `web`. */
export async function startServices(field: Field): Promise<void> {
  await createNamespaces(field, [NS]);
  const web = { app: 'web' };
  await write(field, 'create', [
    pod('client'),
    pod('web-1', { hostname: 'first', subdomain: 'web-set' }, web),
    pod('web-2', {}, web),
    pod('on-node', { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' }, undefined, {
      args: ['netexec', '--http-port=9080', '--udp-port=9081'],
    }),
    service('web', {
      selector: web,
      ports: [
        { name: 'http', port: 80 },
        { name: 'lines', port: 81, protocol: 'UDP' },
      ],
    }),
    service('web-set', { selector: web, clusterIP: 'None', ports: [{ name: 'http', port: 80 }] }),
  ]);
  await output(field, ['wait', '-n', NS, '--for=condition=Ready', 'pod', '--all', '--timeout=120s']);
  await untilEndpoints(field, 'web', 2);
}

/** Declares the tests; `field` is known once they run. */
export function playServices(stage: () => { readonly field: Field }): void {
  const script = (title: string, play: (field: Field) => Promise<void>): void =>
    test(title, () => play(stage().field), PATIENCE);
  const domain = `${NS}.svc.cluster.local`;

  script('services have A, SRV and PTR records, by full and by partial names', async (field) => {
    const address = await get(field, 'service', 'web', '.spec.clusterIP');
    await says(field, `dig +short web.${domain} A`, new RegExp(`^${address}\n$`));
    await says(field, `dig +short _http._tcp.web.${domain} SRV`, new RegExp(`^0 100 80 web\\.${domain}\\.\n$`));
    await says(field, `dig +short _lines._udp.web.${domain} SRV`, new RegExp(`^0 100 81 web\\.${domain}\\.\n$`));
    await says(field, `dig +short -x ${address}`, new RegExp(`^web\\.${domain}\\.\n$`));
    for (const name of ['web', `web.${NS}`, `web.${NS}.svc`]) {
      await says(field, `dig +search +short ${name} A`, new RegExp(`^${address}\n$`));
      await says(field, `getent hosts ${name}`, new RegExp(`^${address}\\s`));
    }
    await says(field, 'dig +short kubernetes.default.svc.cluster.local', /^10\.0\.0\.1\n$/);
    await says(field, 'dig +short none.default.svc.cluster.local; echo end', /^end\n$/);
  });

  script('pods have names by hostname and subdomain, by address, and in their hosts file', async (field) => {
    const address = await get(field, 'pod', 'web-1', '.status.podIP');
    await says(field, `dig +short first.web-set.${domain} A`, new RegExp(`^${address}\n$`));
    const dashed = address.replaceAll('.', '-');
    await says(field, `dig +short ${dashed}.${NS}.pod.cluster.local A`, new RegExp(`^${address}\n$`));
    await says(field, `dig +short web-set.${domain} A | sort | wc -l`, /^\s*2\n$/);
    await says(field, 'hostname -f', new RegExp(`^first\\.web-set\\.${domain}\n$`), `${NS}/web-1`);
    await says(field, 'getent hosts first', new RegExp(`^${address}\\s`), `${NS}/web-1`);
    await write(field, 'create', [
      pod('aliased', {
        hostAliases: [{ ip: '123.45.67.89', hostnames: ['foo.test', 'bar.test'] }],
        dnsPolicy: 'None',
        dnsConfig: { nameservers: ['1.1.1.1'], searches: ['resolv.conf.local'] },
      }),
    ]);
    await output(field, ['wait', '-n', NS, '--for=condition=Ready', 'pod/aliased', '--timeout=120s']);
    await says(field, 'getent hosts bar.test', /^123\.45\.67\.89\s/, `${NS}/aliased`);
    await says(field, '/agnhost dns-suffix', /^resolv\.conf\.local\n$/, `${NS}/aliased`);
    await says(field, '/agnhost dns-server-list', /^1\.1\.1\.1\n$/, `${NS}/aliased`);
  });

  script('a service changes between a name outside, an address and a port of every node', async (field) => {
    await write(field, 'create', [service('turning', { type: 'ExternalName', externalName: 'one.example.com' })]);
    await says(field, `dig +short turning.${domain} CNAME`, /^one\.example\.com\.\n$/);
    await patch(field, 'turning', { externalName: 'two.example.com' });
    await says(field, `dig +short turning.${domain} CNAME`, /^two\.example\.com\.\n$/);

    await patch(field, 'turning', { type: 'ClusterIP', externalName: null, selector: { app: 'web' } });
    const address = await get(field, 'service', 'turning', '.spec.clusterIP');
    await says(field, `dig +short turning.${domain} A`, new RegExp(`^${address}\n$`));
    await says(
      field,
      `nc -v -t -w 2 turning 80 </dev/null 2>&1; curl -s -m 2 http://${address}/hostname`,
      /web-2|first/,
    );

    await patch(field, 'turning', { type: 'NodePort' });
    const port = await get(field, 'service', 'turning', '.spec.ports[0].nodePort');
    const nodes = await output(field, [
      'get',
      'nodes',
      '-o',
      'jsonpath={.items[*].status.addresses[?(@.type=="InternalIP")].address}',
    ]);
    for (const node of nodes.split(' '))
      await says(field, `curl -s -m 2 http://${node}:${port}/hostname`, /^(web-2|first)$/);

    await patch(field, 'turning', {
      type: 'ExternalName',
      externalName: 'three.example.com',
      clusterIP: null,
      clusterIPs: null,
      ports: [{ port: 80, nodePort: null }],
    });
    await says(field, `dig +short turning.${domain} CNAME`, /^three\.example\.com\.\n$/);
    const [node = ''] = nodes.split(' ');
    await says(field, `curl -s -m 2 http://${node}:${port}/hostname || echo refused`, /^refused\n$/);
  });

  script('clients stay with one pod while the service says so, and by node port too', async (field) => {
    await write(field, 'create', [
      service('sticky', { type: 'NodePort', selector: { app: 'web' }, sessionAffinity: 'ClientIP' }),
    ]);
    await untilEndpoints(field, 'sticky', 2);
    const address = await get(field, 'service', 'sticky', '.spec.clusterIP');
    const port = await get(field, 'service', 'sticky', '.spec.ports[0].nodePort');
    const node = await get(field, 'pod', 'client', '.status.hostIP');
    for (const at of [address, `${node}:${port}`]) expect(new Set(await whoAnswers(field, at, 12)).size).toBe(1);
    await patch(field, 'sticky', { sessionAffinity: 'None' });
    for (const at of [address, `${node}:${port}`])
      await says(
        field,
        `for i in $(seq 16); do curl -s -m 2 http://${at}/hostname; echo; done | sort -u | wc -l`,
        /^\s*2\n$/,
      );
    await patch(field, 'sticky', {
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 1 } },
    });
    // Once it has been forgotten, another one may be chosen: among many that come after a pause each, both.
    await says(
      field,
      `for i in $(seq 12); do curl -s -m 2 http://${address}/hostname; echo; sleep 1.2; done | sort -u | wc -l`,
      /^\s*2\n$/,
    );
  });

  script('endpoints follow pods that come, get ready, change their labels and go', async (field) => {
    await write(field, 'create', [service('lived', { selector: { app: 'lived' } })]);
    const address = await get(field, 'service', 'lived', '.spec.clusterIP');
    await says(field, `curl -s -m 2 http://${address}/hostname || echo none`, /^none\n$/);
    const readinessProbe = { exec: { command: ['test', '-e', '/tmp/ready'] }, periodSeconds: 1 };
    await write(field, 'create', [pod('lived', {}, { app: 'lived' }, { readinessProbe })]);
    const waiting = [
      'get',
      '-n',
      NS,
      'endpoints',
      'lived',
      '-o',
      'jsonpath={.subsets[*].notReadyAddresses[*].targetRef.name}',
    ];
    await until(field, waiting, ({ out }) => out === 'lived');
    await says(field, `curl -s -m 2 http://${address}/hostname || echo none`, /^none\n$/);
    await inPod(field, `${NS}/lived`, 'touch /tmp/ready');
    await untilEndpoints(field, 'lived', 1);
    await says(field, `curl -s -m 2 http://${address}/hostname`, /^lived$/);
    await output(field, ['label', '-n', NS, '--overwrite', 'pod', 'lived', 'app=other']);
    await untilEndpoints(field, 'lived', 0);
    await says(field, `curl -s -m 2 http://${address}/hostname || echo none`, /^none\n$/);
    await output(field, ['label', '-n', NS, '--overwrite', 'pod', 'lived', 'app=lived']);
    await untilEndpoints(field, 'lived', 1);
    await output(field, ['delete', '-n', NS, 'pod', 'lived', '--now']);
    await untilEndpoints(field, 'lived', 0);
    await output(field, ['delete', '-n', NS, 'service', 'lived']);
    await until(field, ['get', '-n', NS, 'endpoints', 'lived'], ({ code }) => code !== 0);
  });

  script('pods and nodes reach pods over HTTP and UDP', async (field) => {
    const [one, two] = [
      await get(field, 'pod', 'web-1', '.status.podIP'),
      await get(field, 'pod', 'web-2', '.status.podIP'),
    ];
    for (const [protocol, port] of [
      ['http', 80],
      ['udp', 81],
    ] as const)
      for (const [host, name] of [
        [one, 'first'],
        [two, 'web-2'],
      ] as const)
        await says(
          field,
          `curl -s 'http://localhost:80/dial?request=hostname&protocol=${protocol}&host=${host}&port=${port}&tries=1'`,
          new RegExp(`"responses":\\["${name}"\\]`),
        );
    for (const [host, name] of [
      [one, 'first'],
      [two, 'web-2'],
    ] as const) {
      await says(field, `curl -s -m 2 http://${host}:80/hostName`, new RegExp(`^${name}$`), `${NS}/on-node`);
      await says(field, `echo hostName | nc -w 1 -u ${host} 81`, new RegExp(`^${name}`), `${NS}/on-node`);
    }
  });

  script('a policy never stops what comes from the pod’s own node', async (field) => {
    const isolated = { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'] };
    await write(field, 'create', [
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: { name: 'deny', namespace: NS },
        spec: isolated,
      },
    ]);
    const here = await get(field, 'pod', 'on-node', '.spec.nodeName');
    for (const name of ['web-1', 'web-2']) {
      const [address, node] = [
        await get(field, 'pod', name, '.status.podIP'),
        await get(field, 'pod', name, '.spec.nodeName'),
      ];
      const line = `/agnhost connect ${address}:80 --timeout=1s 2>&1 && echo open`;
      await says(field, line, /^TIMEOUT\n$/);
      await says(field, line, node === here ? /^open\n$/ : /^TIMEOUT\n$/, `${NS}/on-node`);
    }
    await output(field, ['delete', '-n', NS, 'networkpolicy', 'deny']);
    await says(field, 'curl -s -m 2 http://web/hostname', /web-2|first/);
  });
}
