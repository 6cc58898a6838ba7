import { right, someWebPod, wrong, yaml, type Attempt } from './attempt.ts';

const probe = (kind: string, how: string): string =>
  `{ctl} patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"web","${kind}":${how}}]}}}}'`;
const ambulance = (priority: string): string =>
  `{ctl} run ambulance --image=nginx --requests=cpu=2 --overrides='{"spec":{${priority}}}'`;

export const workloads: Readonly<Record<string, readonly Attempt[]>> = {
  'first-deployment': [
    wrong(0, 0, 'one pod is wanted, the default', '{ctl} create deployment web --image=nginx'),
    wrong(0, 0, 'a pod instead of a Deployment', '{ctl} run web --image=nginx'),
    wrong(0, 0, 'another namespace', '{ctl} create deployment web --image=nginx --replicas=2 -n {prefix}-public'),
    wrong(
      0,
      1,
      'an image that does not exist',
      '{ctl} create deployment web --image=ngnix:does-not-exist --replicas=2',
    ),
    wrong(
      1,
      0,
      'scaling down and up',
      '{ctl} scale deployment web --replicas=1',
      '{ctl} scale deployment web --replicas=2',
    ),
    wrong(1, 0, 'deleting a pod that is not there', '{ctl} delete pod web-0'),
    wrong(2, 0, 'pods made by hand', '{ctl} run web-3 --image=nginx', '{ctl} run web-4 --image=nginx'),
    wrong(2, 0, 'the ReplicaSet is scaled', '{ctl} scale $({ctl} get rs -o name) --replicas=4'),
    wrong(3, 0, 'scaled to nothing', '{ctl} scale deployment web --replicas=0'),
    wrong(3, 1, 'what it owns is left behind', '{ctl} delete deployment web --cascade=orphan'),
    right(
      0,
      'labels of one’s own, in YAML',
      yaml(
        '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 2, selector: {matchLabels: {tier: front}}, template: {metadata: {labels: {tier: front}}, spec: {containers: [{name: main, image: nginx}]}}}}',
      ),
    ),
    right(2, 'patched', `{ctl} patch deployment web -p '{"spec":{"replicas":4}}'`),
    right(2, 'an autoscaler', '{ctl} autoscale deployment web --min=4 --max=4', '# 60 seconds later'),
  ],
  pending: [
    wrong(0, 0, 'deleted, not made again', '{ctl} delete pod big'),
    wrong(0, 1, 'asks for nothing', '{ctl} delete pod big', '{ctl} run big --image=nginx'),
    wrong(0, 0, 'asks for too much', '{ctl} delete pod big', '{ctl} run big --image=nginx --requests=cpu=8'),
    wrong(1, 1, 'wants less', '{ctl} delete pod picky', '{ctl} run picky --image=nginx'),
    wrong(1, 0, 'the pod is labelled', '{ctl} label pod picky disk=ssd'),
    wrong(1, 0, 'another value', '{ctl} label node node-1 disk=hdd'),
    wrong(2, 1, 'another room', '{ctl} label node node-1 room=quiet'),
    wrong(2, 0, 'the node is deleted', '{ctl} delete node node-2'),
    wrong(
      3,
      1,
      'another class',
      yaml(
        '{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], storageClassName: shelf, resources: {requests: {storage: 1Gi}}}}',
      ),
    ),
    right(
      2,
      'a pod that tolerates the taint',
      '{ctl} delete pod guest',
      `{ctl} run guest --image=nginx --overrides='{"spec":{"nodeSelector":{"room":"quiet"},"tolerations":[{"key":"staff","operator":"Exists"}]}}'`,
    ),
    right(
      3,
      'a larger volume',
      yaml(
        '{apiVersion: v1, kind: PersistentVolume, metadata: {name: big}, spec: {capacity: {storage: 5Gi}, accessModes: [ReadWriteOnce, ReadOnlyMany], storageClassName: shelf, hostPath: {path: /x}}}',
      ),
      yaml(
        '{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], storageClassName: shelf, resources: {requests: {storage: 1Gi}}}}',
      ),
    ),
  ],
  preemption: [
    wrong(0, 0, 'below the others', '{ctl} create priorityclass urgent --value=-1'),
    wrong(0, 1, 'for all pods', '{ctl} create priorityclass urgent --value=1000 --global-default=true'),
    wrong(0, 0, 'another name', '{ctl} create priorityclass very-urgent --value=1000'),
    wrong(1, 0, 'no priority', ambulance('"restartPolicy":"Always"')),
    wrong(
      1,
      1,
      'room is made by hand',
      '{ctl} scale deployment batch --replicas=1',
      ambulance('"priorityClassName":"urgent"'),
    ),
    wrong(
      2,
      0,
      'the budget of others',
      '{ctl} create pdb web --selector=app=batch --min-available=2',
      '{ctl} drain node-1 --pod-selector=app=web --timeout=2s',
    ),
    wrong(
      2,
      1,
      'deleted, not evicted',
      '{ctl} create pdb web --selector=app=web --min-available=2',
      `{ctl} delete ${someWebPod}`,
    ),
    wrong(
      3,
      2,
      'the budget is deleted',
      '{ctl} delete pdb web',
      '{ctl} drain node-1 --pod-selector=app=web --timeout=5s',
      '{ctl} scale deployment web --replicas=3',
    ),
    right(
      2,
      'no pod may be missing',
      '{ctl} create pdb web --selector=app=web --max-unavailable=0',
      '{ctl} drain node-1 --pod-selector=app=web --timeout=2s',
    ),
  ],
  rollouts: [
    wrong(
      0,
      1,
      'deleted and made again',
      '{ctl} get deployment web -o yaml > web.yaml',
      '{ctl} delete deployment web',
      `sed 's/nginx:1.18/nginx:1.19/; /resourceVersion/d; /uid/d' web.yaml | {ctl} create -f -`,
    ),
    wrong(0, 0, 'the latest', '{ctl} set image deployment/web web=nginx:latest'),
    wrong(0, 0, 'the pods are changed', '{ctl} set image pods --all web=nginx:1.19'),
    wrong(1, 0, 'an image that exists', '{ctl} set image deployment/web web=nginx:1.20'),
    wrong(
      1,
      1,
      'old pods may go',
      `{ctl} patch deployment web -p '{"spec":{"strategy":{"rollingUpdate":{"maxUnavailable":2}}}}'`,
      '{ctl} set image deployment/web web=nginx:1.20-does-not-exist',
    ),
    wrong(
      2,
      0,
      'the bad pod is deleted',
      `{ctl} delete $({ctl} get pods --field-selector=status.phase=Pending -o name)`,
    ),
    wrong(2, 0, 'too far back', '{ctl} rollout undo deployment/web --to-revision=1'),
    wrong(3, 0, 'a liveness probe', probe('livenessProbe', '{"httpGet":{"path":"/","port":81}}')),
    wrong(4, 0, 'the probe is taken away', probe('readinessProbe', 'null')),
    right(
      0,
      'by a JSON patch',
      `{ctl} patch deployment web --type=json -p '[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"nginx:1.19"}]'`,
    ),
    right(2, 'undone', '{ctl} rollout undo deployment/web'),
  ],
};
