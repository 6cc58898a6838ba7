/** Logs of containers, and ways into them. */
import type { Family } from '../family.ts';

export const pods: Family = {
  name: 'pods',
  objects: `
apiVersion: v1
kind: Pod
metadata: {name: two, labels: {app: two}}
spec:
  nodeName: node-1
  initContainers: [{name: first, image: busybox, command: [echo, prepared]}]
  containers:
    - {name: a, image: busybox, command: [sh, -c, "echo one; echo two; echo three; sleep 100000"]}
    - {name: b, image: busybox, command: [sh, -c, "echo beta; sleep 100000"]}
---
apiVersion: v1
kind: Pod
metadata: {name: done, labels: {app: done}}
spec: {nodeName: node-1, restartPolicy: Never, containers: [{name: main, image: busybox, command: [echo, finished]}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: site}
spec:
  replicas: 1
  selector: {matchLabels: {app: site}}
  template: {metadata: {labels: {app: site}}, spec: {containers: [{name: web, image: busybox, command: [sh, -c, "echo hello; sleep 100000"]}]}}
`,
  awaits: [
    { line: 'logs two --all-containers', until: 'prepared\none\ntwo\nthree\nbeta\n' },
    { line: 'logs deploy/site', until: 'hello\n' },
    { line: 'get pod done -o jsonpath={.status.phase}', until: 'Succeeded' },
    // A dump shows the images of the nodes, which agents report with their next heartbeat.
    {
      line: "get nodes -o jsonpath={range .items[*]}{range .status.images[*]}{.names[0]},{end}{'\\n'}{end}",
      until:
        'docker.io/library/nginx:1.19,docker.io/library/redis:latest,docker.io/library/busybox:latest,\ndocker.io/library/busybox:latest,\n',
    },
  ],
  steps: [
    'cluster-info dump --namespaces none -o yaml',
    'cluster-info dump --namespaces none',
    'cluster-info nothing',
    'logs',
    'logs nosuch',
    'logs two',
    'logs two -c a',
    'logs two a',
    'logs two a -c b',
    'logs two a b',
    'logs two -c nosuch',
    'logs two -c first',
    'logs done --all-containers',
    'logs done --all-containers --prefix',
    'logs two --all-containers -c a',
    'logs two -c a --tail=1',
    'logs two -c a --tail=-2',
    'logs two -c a --limit-bytes=5',
    'logs two -c a -p',
    'logs two -c a --since=1s --since-time=2020-01-01T00:00:00Z',
    'logs two -c a --since-time=2020-01-01T00:00:00Z',
    'logs two -c a --timestamps',
    'logs pod/two -c b --prefix',
    'logs done -f',
    'logs deploy/site',
    'logs deploy/nosuch',
    'logs -l app=done',
    'logs -l app=none',
    'logs -l app=done two',
    'logs -l app=done --all-containers --prefix --tail=1',
    'logs -l app=two --all-containers -f --max-log-requests=2',
    'exec',
    'exec two',
    'exec two -- echo hi',
    'exec two -c b -- echo hi',
    'exec two -c nosuch -- echo hi',
    'exec two -c a -- sh -c "echo out; echo bad >&2; exit 3"',
    'exec two -c a echo hi',
    'exec nosuch -- ls',
    'exec done -- ls',
    'exec deploy/site -- echo hi',
    'exec pod/two -c a -- cat /etc/hostname',
    { line: 'exec -i two -c a -- cat', input: 'typed\n' },
    { line: 'exec -it two -c a -- cat', input: 'typed\n' },
    'attach',
    'cp',
    'cp a b',
    'cp two:/etc/hostname a:/b',
    'port-forward',
    'port-forward two',
    'port-forward nosuch 80',
  ],
};
