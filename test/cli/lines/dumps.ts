/** Dumps of the cluster into folders. */
import type { Family } from '../family.ts';

export const dumps: Family = {
  name: 'dumps',
  writes: true,
  objects: `
apiVersion: v1
kind: Pod
metadata: {name: two}
spec:
  nodeName: node-1
  initContainers: [{name: first, image: busybox, command: [echo, prepared]}]
  containers:
    - {name: a, image: busybox, command: [sh, -c, "echo one; echo two; sleep 100000"]}
    - {name: b, image: busybox, command: [sh, -c, "echo beta; sleep 100000"]}
---
apiVersion: v1
kind: Namespace
metadata: {name: apart}
`,
  awaits: [{ line: 'logs two --all-containers', until: 'prepared\none\ntwo\nbeta\n' }],
  steps: [
    'cluster-info dump -n apart --output-directory=dumped',
    'cp dumped two:/dumped -c a',
    'exec two -c a -- find /dumped -name *.json',
    'exec two -c a -- cat /dumped/apart/replication-controllers.json',
    'cluster-info dump --namespaces default --output-directory=texts/ -o yaml',
    'cp texts two:/texts',
    'cp two:/texts/default/two again',
    'cp two:/texts out -c nosuch',
    'exec two -c a -- find /texts -name *.yaml',
    'exec two -c a -- cat /texts/default/two/logs.txt',
  ],
};
