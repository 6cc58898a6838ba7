/** Volumes of every source, and what else of pods, autoscalers and budgets is seldom described. */

/** Sources of volumes in a pod; those of persistent volumes are written below. */
const inPods = [
  'gcePersistentDisk: {pdName: disk, fsType: ext4, partition: 1, readOnly: true}',
  'awsElasticBlockStore: {volumeID: vol-1, fsType: ext4, partition: 2}',
  'gitRepo: {repository: "https://example.com/r.git", revision: abc, directory: d}',
  'glusterfs: {endpoints: gluster, path: vol, readOnly: true}',
  'rbd: {monitors: [a, b], image: foo, pool: p, user: u, keyring: /k, fsType: xfs, readOnly: true}',
  'flexVolume: {driver: example.com/flex, fsType: ext4, secretRef: {name: s}, options: {b: "2", a: "1"}}',
  'cinder: {volumeID: v1, fsType: ext4, readOnly: true, secretRef: {name: s}}',
  'cephfs: {monitors: [a, b], path: /p, user: u, secretFile: /f, secretRef: {name: s}, readOnly: true}',
  'flocker: {datasetName: d}',
  'fc: {targetWWNs: [a, b], lun: 2, fsType: ext4}',
  'azureFile: {secretName: s, shareName: share}',
  'azureDisk: {diskName: d, diskURI: "/subscriptions/x", cachingMode: ReadOnly, fsType: ext4, kind: Managed}',
  'vsphereVolume: {volumePath: "[ds] v.vmdk", fsType: ext4, storagePolicyName: gold}',
  'quobyte: {registry: "r:1", volume: v, readOnly: true, user: u}',
  'photonPersistentDisk: {pdID: d, fsType: ext4}',
  'portworxVolume: {volumeID: v, fsType: ext4}',
  'scaleIO: {gateway: "https://g", system: s, secretRef: {name: s}, volumeName: v, storagePool: p, protectionDomain: d}',
  'storageos: {volumeName: v, volumeNamespace: n, fsType: ext4}',
  'iscsi: {targetPortal: "10.0.0.1:3260", portals: [a, b], iqn: "iqn.2001-04.com.example:d", lun: 0, chapAuthDiscovery: true, secretRef: {name: s}, initiatorName: "iqn.2001-04.com.example:i"}',
  'csi: {driver: csi.example.com, fsType: ext4, readOnly: true, nodePublishSecretRef: {name: s}}',
  'hostPath: {path: /data}',
  'emptyDir: {sizeLimit: 500Mi}',
  'configMap: {name: c, items: [{key: a, path: b}], defaultMode: 256}',
  'projected: {sources: [{secret: {name: s}}, {configMap: {name: c}}]}',
  'downwardAPI: {items: [{path: a, fieldRef: {fieldPath: metadata.annotations}}, {path: m, resourceFieldRef: {containerName: main, resource: requests.memory, divisor: 1Mi}}]}',
];

const volumes = inPods.map((source, at) => `    - {name: v${at}, ${source}}`).join('\n');

/** Sources of persistent volumes, by the name of the volume. */
const persistent: Readonly<Record<string, string>> = {
  gce: 'gcePersistentDisk: {pdName: disk, fsType: ext4}',
  aws: 'awsElasticBlockStore: {volumeID: "aws://z/vol-1"}',
  gluster: 'glusterfs: {endpoints: gluster, path: vol, endpointsNamespace: other}',
  rbd: 'rbd: {monitors: [a], image: foo, secretRef: {name: s, namespace: n}}',
  flex: 'flexVolume: {driver: example.com/flex, secretRef: {name: s, namespace: n}, options: {a: "1"}}',
  cinder: 'cinder: {volumeID: v1, secretRef: {name: s, namespace: n}}',
  cephfs: 'cephfs: {monitors: [a], secretRef: {name: s, namespace: n}}',
  flocker: 'flocker: {datasetUUID: u}',
  fc: 'fc: {wwids: [w]}',
  azurefile: 'azureFile: {secretName: s, shareName: share, secretNamespace: n, readOnly: true}',
  azuredisk: 'azureDisk: {diskName: d, diskURI: "/subscriptions/x", kind: Managed}',
  vsphere: 'vsphereVolume: {volumePath: "[ds] v.vmdk"}',
  quobyte: 'quobyte: {registry: "r:1", volume: v, tenant: t}',
  portworx: 'portworxVolume: {volumeID: v, readOnly: true}',
  scaleio: 'scaleIO: {gateway: "https://g", system: s, secretRef: {name: s, namespace: n}, volumeName: v}',
  storageos: 'storageos: {volumeName: v, secretRef: {name: s, namespace: n}}',
  iscsi:
    'iscsi: {targetPortal: "10.0.0.1:3260", iqn: "iqn.2001-04.com.example:d", lun: 0, secretRef: {name: s, namespace: n}}',
  csi: 'csi: {driver: csi.example.com, volumeHandle: h, fsType: ext4, volumeAttributes: {b: "2", a: "1"}}',
  nfs: 'nfs: {server: files.example.com, path: /exports, readOnly: true}',
  hostpath: 'hostPath: {path: /data, type: DirectoryOrCreate}',
};

export const sourceNames = Object.keys(persistent);

const volumeOf = ([name, source]: readonly [string, string]): string => `---
apiVersion: v1
kind: PersistentVolume
metadata: {name: from-${name}, labels: {from: ${name}}}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce, ReadOnlyMany, ReadWriteMany]
  storageClassName: none
  mountOptions: [ro, soft]
  ${source}
`;

const scaler = (name: string, metrics: string, more = ''): string => `---
apiVersion: autoscaling/v2beta2
kind: HorizontalPodAutoscaler
metadata: {name: ${name}, namespace: sources}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: nosuch}
  minReplicas: 2
  maxReplicas: 5
  metrics: [${metrics}]
${more}`;

export const sourceObjects = `
apiVersion: v1
kind: Namespace
metadata: {name: sources, labels: {b: "2", a: "1"}, annotations: {long: "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"}}
---
apiVersion: v1
kind: Pod
metadata: {name: volumes, namespace: sources, labels: {app: volumes}}
spec:
  automountServiceAccountToken: false
  nodeSelector: {disk: none, room: none}
  priority: 0
  containers: [{name: main, image: nginx, volumeMounts: [{name: v0, mountPath: /b}, {name: v1, mountPath: /a, subPath: x, readOnly: true}, {name: v2, mountPath: /c, subPathExpr: $(A), mountPropagation: HostToContainer}]}]
  volumes:
${volumes}
---
apiVersion: v1
kind: Pod
metadata: {name: containers, namespace: sources, labels: {app: containers, tier: back}, annotations: {lines: "one\\ntwo\\n", a: b}}
spec:
  automountServiceAccountToken: false
  hostNetwork: true
  serviceAccountName: default
  nodeSelector: {disk: none}
  tolerations:
  - {operator: Exists}
  - {key: a, operator: Exists}
  - {key: b, value: c, effect: NoSchedule}
  - {key: d, operator: Equal, value: e, effect: NoExecute, tolerationSeconds: 90}
  - {key: f, operator: Exists, effect: NoExecute, tolerationSeconds: 0}
  initContainers:
  - {name: first, image: "busybox:1", command: [sh, -c, "echo a\\necho b\\n"], args: [x, ""]}
  containers:
  - name: main
    image: nginx@sha256:0000000000000000000000000000000000000000000000000000000000000000
    command: [nginx]
    args: ["-g", "daemon off;"]
    ports: [{containerPort: 80, hostPort: 80, name: http}, {containerPort: 53, hostPort: 53, protocol: UDP}]
    envFrom: [{configMapRef: {name: c}}, {secretRef: {name: s, optional: true}, prefix: P_}]
    env:
    - {name: PLAIN, value: "a b"}
    - {name: EMPTY, value: ""}
    - {name: LINES, value: "one\\ntwo"}
    - {name: FIELD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
    - {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}
    - {name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}
    - {name: MEM, valueFrom: {resourceFieldRef: {resource: requests.memory, divisor: 1Mi}}}
    - {name: KEY, valueFrom: {configMapKeyRef: {name: c, key: k, optional: true}}}
    - {name: SECRET, valueFrom: {secretKeyRef: {name: s, key: k}}}
    resources: {limits: {cpu: 1500m, memory: 1Gi, ephemeral-storage: 2Gi}, requests: {cpu: "0.5", memory: 1024Ki}}
    livenessProbe: {httpGet: {path: /live, port: http, scheme: HTTPS, host: example.com}, initialDelaySeconds: 3, timeoutSeconds: 2, periodSeconds: 5, successThreshold: 1, failureThreshold: 9}
    readinessProbe: {tcpSocket: {port: 80, host: 127.0.0.1}}
    startupProbe: {exec: {command: [cat, /tmp/x y]}}
    terminationMessagePath: /tmp/m
  - {name: side, image: busybox, livenessProbe: {httpGet: {port: 8080}}, readinessProbe: {tcpSocket: {port: http}}, ports: [{containerPort: 9}]}
${Object.entries(persistent).map(volumeOf).join('')}${[
  scaler(
    'on-pods',
    '{type: Pods, pods: {metric: {name: hits, selector: {matchLabels: {a: b}}}, target: {type: AverageValue, averageValue: 500m}}}',
  ),
  scaler(
    'on-objects',
    '{type: Object, object: {metric: {name: hits}, describedObject: {apiVersion: v1, kind: Service, name: s}, target: {type: Value, value: 2k}}}, {type: Object, object: {metric: {name: rate}, describedObject: {apiVersion: networking.k8s.io/v1, kind: Ingress, name: i}, target: {type: AverageValue, averageValue: "10"}}}',
  ),
  scaler(
    'on-external',
    '{type: External, external: {metric: {name: queue}, target: {type: AverageValue, averageValue: "30"}}}, {type: External, external: {metric: {name: depth, selector: {matchLabels: {q: a}}}, target: {type: Value, value: "100"}}}',
  ),
  scaler(
    'on-resources',
    '{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}, {type: Resource, resource: {name: memory, target: {type: AverageValue, averageValue: 512Mi}}}',
    `  behavior:
    scaleDown: {stabilizationWindowSeconds: 60, selectPolicy: Disabled, policies: [{type: Pods, value: 4, periodSeconds: 30}, {type: Percent, value: 10, periodSeconds: 60}]}
    scaleUp: {selectPolicy: Min, policies: [{type: Percent, value: 50, periodSeconds: 15}]}
`,
  ),
].join('')}---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: narrowed, namespace: sources, annotations: {a: b}, labels: {x: y}}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: nosuch
  selector: {matchLabels: {a: b}, matchExpressions: [{key: c, operator: In, values: [d, e]}]}
  resources: {requests: {storage: 1Gi}, limits: {storage: 2Gi}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: copied, namespace: sources}
spec:
  accessModes: [ReadWriteOnce, ReadOnlyMany]
  storageClassName: nosuch
  dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: before}
  resources: {requests: {storage: 1.5Gi}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: many, namespace: sources, annotations: {a.example.com/b: c}}
spec:
  ingressClassName: outer
  tls: [{hosts: [a.example.com, b.example.com], secretName: t}, {secretName: u}, {hosts: [c.example.com]}]
  defaultBackend: {service: {name: nosuch, port: {name: http}}}
  rules:
  - {host: a.example.com, http: {paths: [{path: /x, pathType: Prefix, backend: {service: {name: nosuch, port: {number: 80}}}}, {path: /y, pathType: Exact, backend: {resource: {apiGroup: example.com, kind: Bucket, name: b}}}]}}
  - {host: b.example.com}
  - {http: {paths: [{pathType: ImplementationSpecific, backend: {service: {name: nosuch, port: {name: http}}}}]}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: ranges, namespace: sources}
spec:
  podSelector: {matchExpressions: [{key: a, operator: NotIn, values: [b, c]}, {key: d, operator: DoesNotExist}]}
  policyTypes: [Ingress, Egress]
  ingress:
  - {}
  - {from: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16, 10.2.0.0/16]}}, {namespaceSelector: {}}, {podSelector: {}, namespaceSelector: {matchLabels: {x: y}}}], ports: [{protocol: UDP}, {port: http}, {protocol: SCTP, port: 9}]}
  egress:
  - {to: [{podSelector: {matchLabels: {a: b}}}]}
  - {ports: [{protocol: TCP, port: 443}]}
`;
