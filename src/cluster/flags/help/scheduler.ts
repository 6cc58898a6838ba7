/** What the scheduler’s own flags do. */
export const scheduler: Readonly<Record<string, string>> = {
  config:
    'Configuration of the scheduler: profiles, their plugins and what they are told. Flags that it replaces are ignored then.',
  'write-config-to': 'Writes the configuration that is in force to a file and ends.',
  port: 'Port without encryption; 0 switches it off.',
  'algorithm-provider': 'A set of plugins by name.',
  'hard-pod-affinity-symmetric-weight':
    'Weight, 0 to 100, of other pods’ required affinity for a pod that does not ask for it.',
  'scheduler-name': 'Pods that name this scheduler are its own.',
  'lock-object-name': 'Name of the object that holds the lock.',
  'lock-object-namespace': 'Namespace of the object that holds the lock.',
  'policy-config-file': 'Policy of the older form: predicates, priorities, extenders.',
  'policy-configmap': 'ConfigMap with a policy.',
  'policy-configmap-namespace': 'Namespace of that ConfigMap.',
  'use-legacy-policy-config': 'Prefers the file over the ConfigMap.',
};
