/** `debug`: containers that are added to a pod, copies of pods, and pods that look into a node. */
import type { Family } from '../family.ts';

const objects = `
apiVersion: v1
kind: Pod
metadata: {name: two, labels: {app: two}, annotations: {note: kept}}
spec:
  nodeName: node-1
  initContainers: [{name: first, image: busybox, command: [echo, prepared]}]
  containers:
    - {name: a, image: busybox, command: [sh, -c, "echo one; sleep 100000"], args: [x], env: [{name: OLD, value: "1"}]}
    - {name: b, image: busybox, command: [sh, -c, "sleep 100000"], stdin: true, tty: true}
---
apiVersion: v1
kind: Pod
metadata: {name: owned, labels: {app: owned}}
spec:
  nodeName: node-2
  shareProcessNamespace: true
  containers: [{name: main, image: busybox, command: [sleep, "100000"], readinessProbe: {exec: {command: ["true"]}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: done}
spec: {nodeName: node-1, restartPolicy: Never, containers: [{name: main, image: busybox, command: [echo, finished]}]}
`;

const awaits = [
  { line: 'get pod two owned -o jsonpath={.items[*].status.phase}', until: 'Running Running' },
  { line: 'get pod done -o jsonpath={.status.phase}', until: 'Succeeded' },
];

/** What of a container `debug` sets. */
const CONTAINER =
  '{.name}|{.image}|{.imagePullPolicy}|{.command}|{.args}|{.env}|{.stdin}|{.tty}|{.terminationMessagePolicy}|{.securityContext}|{.volumeMounts[*].mountPath}{"\\n"}';
const POD =
  '{.metadata.name}|{.metadata.labels}|{.metadata.annotations}|{.metadata.ownerReferences}|{.spec.restartPolicy}|{.spec.hostPID}|{.spec.hostNetwork}|{.spec.hostIPC}|{.spec.shareProcessNamespace}';
const shown = (pod: string): string =>
  `get pod ${pod} -o jsonpath={${POD.slice(1)}{"\\n"}{range .spec.containers[*]}${CONTAINER}{end}`;

/** Against a server as it comes: it has no ephemeral containers. */
export const debug: Family = {
  name: 'debug',
  writes: true,
  objects,
  awaits,
  steps: [
    'debug',
    'debug two',
    'debug --image=busybox',
    'debug two --image=Busybox',
    'debug two --image=busybox:',
    'debug two --image=localhost:5000/Team/tool',
    'debug two --image=busybox --image-pull-policy=Sometimes',
    'debug two --image=busybox -t',
    'debug two --image=busybox -it',
    'debug two --image=busybox --replace',
    'debug two --image=busybox --same-node',
    'debug two --image=busybox --set-image=a=nginx',
    'debug two --set-image=a=nginx',
    'debug two --copy-to=copy',
    'debug two --copy-to=copy -- sh',
    'debug two --copy-to=copy --set-image=a=Nginx',
    'debug two --copy-to=copy --set-image=a',
    'debug two --copy-to=odd --set-image=a:nginx,b=nginx',
    'debug two --copy-to=copy --image=busybox --target=a',
    'debug two --image=busybox --env=X',
    'debug two --image=busybox --target=a -t',
    'debug two --attach',
    'debug two --attach=true --copy-to=copy --set-image=a=nginx',
    'debug two --image',
    'debug two --image=busybox -q',
    'debug two --image=busybox --share-processes=maybe',
    'debug two -f pod.yaml --image=busybox',
    'debug nosuch --image=busybox',
    'debug nosuch --image=busybox --copy-to=copy',
    'debug node/nosuch --image=busybox',
    'debug nosuch/two --image=busybox',
    'debug deploy/web --image=busybox',
    'debug deployments.v1.apps/web --image=busybox',
    'debug svc/web --image=busybox',
    'debug cm/settings --image=busybox',
    'debug pod two --image=busybox',
    'debug pod/two owned --image=busybox',
    'debug pod/two/x --image=busybox',
    'debug two --image=busybox',
    'debug two --image=busybox -c a',
    'debug two --image=busybox --target=a',
    'debug two --image=busybox --target=a --quiet -c dbg',
    'debug two owned --image=busybox -c dbg',
    'alpha debug two --image=busybox -c dbg',
    'debug two --copy-to=copy --image=busybox -c dbg -- sleep 100000',
    shown('copy'),
    'debug two --copy-to=copy --image=busybox -c dbg',
    'debug two --copy-to=generated --image=busybox --share-processes=false --same-node --quiet --env=A=1 --image-pull-policy=Never -- sleep 5',
    'get pod generated -o jsonpath={.spec.shareProcessNamespace},{.spec.nodeName},{.spec.containers[2].env},{.spec.containers[2].imagePullPolicy},{.spec.containers[2].command}',
    'debug two --copy-to=told --image=busybox --arguments-only --share-processes -- sleep 5',
    'get pod told -o jsonpath={.spec.shareProcessNamespace},{.spec.containers[2].args},{.spec.containers[2].command}',
    'debug owned --copy-to=owned-copy --image=busybox -c dbg',
    shown('owned-copy'),
    'get pod owned-copy -o jsonpath={.spec.containers[0].readinessProbe.exec.command}',
    'debug two --copy-to=images --set-image=*=nginx',
    shown('images'),
    'debug two --copy-to=images2 --set-image=*=nginx,b=redis',
    shown('images2'),
    'debug two --copy-to=images3 --set-image=nosuch=redis --share-processes=true',
    shown('images3'),
    'debug two --copy-to=changed -c a --env=NEW=2 -- sleep 10',
    shown('changed'),
    'debug two --copy-to=changed2 -c b --image=nginx --image-pull-policy=Always',
    shown('changed2'),
    'debug two --copy-to=changed3 -c a --arguments-only -- sleep 10',
    shown('changed3'),
    'debug two --copy-to=changed4 -c a --set-image=a=nginx',
    shown('changed4'),
    'debug two --copy-to=changed5 -c nosuch -- sleep 10',
    'debug two --copy-to=changed6 -c first --image=busybox',
    'get pod changed6 -o jsonpath={.spec.initContainers[*].image}|{.spec.initContainers[*].command}|{.spec.containers[*].name}',
    'get pod images -o jsonpath={.spec.initContainers[*].image}',
    'debug two --copy-to=changed7 -c first -- sh',
    'get pod changed7 -o jsonpath={.spec.initContainers[*].command}',
    'debug two --copy-to=Wrong --image=busybox -c dbg',
    'debug two --copy-to=replaced --replace --image=busybox -c dbg -- sleep 100000',
    'get pod two',
    { line: 'debug done --copy-to=talks --image=busybox -c dbg -i --quiet -- head -1', input: 'typed\n' },
    { line: 'debug done --copy-to=talks2 --image=busybox -c dbg -i -- sh -c "read x; exit $x"', input: '3\n' },
    { line: 'debug done --copy-to=talks3 --image=busybox -c main -i -- head -1', input: 'typed\n' },
    'debug node/node-1 --image=busybox -- sleep 100000',
    'debug node/node-1 --image=busybox --quiet -c looks --env=A=1 --image-pull-policy=IfNotPresent -- sleep 100000',
    'debug no/node-1 --image=busybox --arguments-only --quiet -c told -- x',
    { line: 'debug node/node-2 --image=busybox -i -- sh -c "read x; cat /host/etc/hostname"', input: 'x\n' },
    'debug node/node-2 --image=busybox --attach=false -i -c open',
    'debug node/node-2 --image=busybox --copy-to=x --quiet',
    'debug node/node-1 node/node-2 --image=busybox -- true',
    ...['looks', 'told', 'open'].map(
      (name) =>
        `get pods -o jsonpath={range .items[?(@.spec.containers[0].name=="${name}")]}{.spec.nodeName}|{.spec.tolerations}|{.spec.volumes[*].hostPath}|${POD.slice('{.metadata.name}|'.length)}|{.spec.containers[0].volumeMounts[0].name}|${CONTAINER.replaceAll('{.', '{.spec.containers[0].')}{end}`,
    ),
    'debug node/node-1 --image=busybox -n nosuch',
  ],
};

const ADDED =
  'get pod two -o jsonpath={range .spec.ephemeralContainers[*]}{.name}|{.image}|{.imagePullPolicy}|{.command}|{.args}|{.env}|{.stdin}|{.tty}|{.targetContainerName}|{.terminationMessagePolicy}{"\\n"}{end}';

/** Against a server with ephemeral containers. */
export const ephemeral: Family = {
  name: 'ephemeral',
  writes: true,
  apiserver: ['--feature-gates=EphemeralContainers=true'],
  objects,
  awaits,
  steps: [
    'debug two --image=busybox -c dbg -- sleep 100000',
    'debug two --image=busybox -- sleep 100000',
    'debug two --image=busybox --target=a --env=A=1 --image-pull-policy=Always --arguments-only -c args -- x y',
    'debug two --image=busybox --quiet --target=a -c quiet -- sleep 100000',
    'debug two --image=busybox -c dbg',
    'debug two --image=busybox -c a',
    'debug two --image=busybox -c Wrong',
    'debug two --image=busybox --target=nosuch -c aimless',
    ADDED,
    { line: 'debug two --image=busybox -i -c in -- head -1', input: 'typed\n' },
    { line: 'debug two --image=busybox -i --quiet -c in2 -- head -1', input: 'typed\n' },
    { line: 'debug two --image=busybox -i --quiet -c in3 -- sh -c "read x; exit $x"', input: '3\n' },
    'debug two --image=busybox -i --attach=false -c alone -- cat',
    'debug two owned --image=busybox -c both -- sleep 100000',
    'get pod owned -o jsonpath={.spec.ephemeralContainers[*].name}',
    'debug pod/two --image=busybox -c several --env=A=1,B=2 --env=A=3 -- sleep 1',
    'debug done --image=busybox -c late',
    'alpha debug two --image=busybox -c alpha -- sleep 1',
    'debug two --copy-to=copy --image=busybox -c dbg -- sleep 100000',
    'get pod copy -o jsonpath={.spec.containers[*].name},{.spec.ephemeralContainers}',
    'debug two --copy-to=copy2 -c dbg -- sh',
  ],
};
