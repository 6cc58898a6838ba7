/** What help says of a command besides its options: a longer text, and examples. By the words behind the program's name. */

interface HelpText {
  /** Takes the place of the summary. */
  readonly about?: string;
  /** What each line does, and the line without the program. */
  readonly examples?: readonly (readonly [what: string, line: string])[];
}

export const helpTexts: Readonly<Record<string, HelpText>> = {
  rollout: {
    about:
      'Manage the rollout of a resource.\n  \n Valid resource types include:\n\n  *  deployments\n  *  daemonsets\n  *  statefulsets',
    examples: [
      ['Rollback to the previous deployment', 'rollout undo deployment/abc'],
      ['Check the rollout status of a daemonset', 'rollout status daemonset/foo'],
    ],
  },
  set: {
    about:
      'Configure application resources\n\n These commands help you make changes to existing application resources.',
  },
  top: {
    about:
      'Display Resource (CPU/Memory/Storage) usage.\n\n The top command allows you to see the resource consumption for nodes or pods.\n\n' +
      ' This command requires Metrics Server to be correctly configured and working on the server.',
  },
  get: {
    examples: [
      ['List all pods', 'get pods'],
      ['List all pods in all namespaces, with the nodes they run on', 'get pods -A -o wide'],
      ['Show one deployment as YAML', 'get deployment web -o yaml'],
      ['List the pods with a label, and keep watching them', 'get pods -l app=web --watch'],
      ['Print the image of each pod', "get pods -o jsonpath='{.items[*].spec.containers[*].image}'"],
    ],
  },
  describe: {
    examples: [
      ['Describe a node', 'describe node node-1'],
      ['Describe all pods whose name starts with web', 'describe pods web'],
      ['Describe the pods with a label', 'describe pods -l app=web'],
    ],
  },
  explain: {
    examples: [
      ['Explain the fields of pods', 'explain pods'],
      ['Explain one field', 'explain pods.spec.containers'],
    ],
  },
  create: {
    examples: [
      ['Create the objects in a file', 'create -f pod.yaml'],
      ['Create a deployment', 'create deployment web --image=nginx --replicas=2'],
      [
        'Print the YAML of a deployment without creating it',
        'create deployment web --image=nginx --dry-run=client -o yaml',
      ],
    ],
  },
  apply: {
    examples: [
      ['Create or change the objects in a file', 'apply -f web.yaml'],
      ['Apply the kustomization in a folder', 'apply -k site/'],
      ['Apply on the server, as the manager “team”', 'apply --server-side --field-manager=team -f web.yaml'],
    ],
  },
  delete: {
    examples: [
      ['Delete a pod', 'delete pod web-1'],
      ['Delete the objects in a file', 'delete -f web.yaml'],
      ['Delete the pods and services with a label', 'delete pods,services -l app=web'],
    ],
  },
  edit: { examples: [['Edit a service', 'edit service web']] },
  patch: {
    examples: [
      ['Change one field of a node', `patch node node-1 -p '{"spec":{"unschedulable":true}}'`],
      [
        'Replace a value with a JSON patch',
        `patch pod web-1 --type=json -p '[{"op":"replace","path":"/spec/containers/0/image","value":"nginx"}]'`,
      ],
    ],
  },
  label: {
    examples: [
      ['Add a label', 'label pod web-1 tier=front'],
      ['Change a label', 'label pod web-1 tier=back --overwrite'],
      ['Remove a label', 'label pod web-1 tier-'],
    ],
  },
  annotate: { examples: [['Add an annotation', "annotate pod web-1 note='my pod'"]] },
  scale: { examples: [['Scale a deployment to 3 pods', 'scale deployment web --replicas=3']] },
  autoscale: {
    examples: [['Run between 2 and 10 pods', 'autoscale deployment web --min=2 --max=10 --cpu-percent=80']],
  },
  expose: { examples: [['Create a service for a deployment', 'expose deployment web --port=80 --target-port=8080']] },
  run: {
    examples: [
      ['Run a pod', 'run web --image=nginx'],
      ['Run a shell that is deleted when you leave it', 'run shell -it --rm --image=busybox -- sh'],
    ],
  },
  logs: {
    examples: [
      ['Print the log of a pod', 'logs web-1'],
      ['Follow the log of a deployment', 'logs -f deployment/web'],
      ['Print the log of the container that ended before', 'logs web-1 --previous'],
    ],
  },
  exec: {
    examples: [
      ['Run a command in a pod', 'exec web-1 -- date'],
      ['Open a shell in a pod', 'exec -it web-1 -- sh'],
    ],
  },
  cp: { examples: [['Copy a file into a pod', 'cp notes.txt web-1:/tmp/notes.txt']] },
  'port-forward': { examples: [['Open port 80 of a pod', 'port-forward web-1 8080:80']] },
  wait: {
    examples: [
      ['Wait until a pod is ready', 'wait --for=condition=Ready pod/web-1'],
      ['Wait until a pod is deleted', 'wait --for=delete pod/web-1 --timeout=60s'],
    ],
  },
  drain: { examples: [['Drain a node with daemon sets', 'drain node-1 --ignore-daemonsets']] },
  cordon: { examples: [['Mark a node as unschedulable', 'cordon node-1']] },
  uncordon: { examples: [['Mark a node as schedulable', 'uncordon node-1']] },
  taint: {
    examples: [
      ['Add a taint', 'taint nodes node-1 dedicated=db:NoSchedule'],
      ['Remove the taints with a key', 'taint nodes node-1 dedicated-'],
    ],
  },
  'auth can-i': {
    examples: [
      ['Check whether you may create pods', 'auth can-i create pods'],
      ['Check for somebody else', 'auth can-i list secrets --as=anna -n shop'],
      ['List everything that you may do', 'auth can-i --list'],
    ],
  },
  'rollout undo': {
    examples: [
      ['Roll back to the previous revision', 'rollout undo deployment/web'],
      ['Roll back to revision 3', 'rollout undo deployment/web --to-revision=3'],
    ],
  },
  'rollout status': { examples: [['Wait until a rollout is complete', 'rollout status deployment/web']] },
  'set image': { examples: [['Set the image of the container web', 'set image deployment/web web=nginx:1.19']] },
  'set env': { examples: [['Set an environment variable', 'set env deployment/web LEVEL=debug']] },
};
