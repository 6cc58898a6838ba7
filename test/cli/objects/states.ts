/** Objects in states that are seldom seen: failed, refused, without what they refer to, or with a status that nobody keeps. */

export const stateObjects = `
apiVersion: v1
kind: Namespace
metadata: {name: odd}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: none, namespace: odd}
spec:
  hard: {pods: "0", services.nodeports: "1", count/deployments.apps: "5", requests.storage: 10Gi}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: scoped, namespace: odd}
spec:
  hard: {pods: "2"}
  scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high, low]}]}
---
apiVersion: v1
kind: LimitRange
metadata: {name: several, namespace: odd}
spec:
  limits:
  - {type: Pod, max: {memory: 4Gi}}
  - {type: PersistentVolumeClaim, min: {storage: 1Gi}, max: {storage: 5Gi}}
  - {type: Container, defaultRequest: {cpu: 10m}, default: {cpu: 20m}}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: refused, namespace: odd}
spec:
  replicas: 1
  selector: {matchLabels: {app: refused}}
  template: {metadata: {labels: {app: refused}}, spec: {containers: [{name: c, image: busybox}]}}
---
apiVersion: v1
kind: ReplicationController
metadata: {name: refused, namespace: odd}
spec: {replicas: 1, selector: {app: refused-rc}, template: {metadata: {labels: {app: refused-rc}}, spec: {containers: [{name: c, image: busybox}]}}}
---
apiVersion: v1
kind: Namespace
metadata: {name: states}
---
apiVersion: batch/v1
kind: Job
metadata: {name: fails, namespace: states}
spec:
  backoffLimit: 0
  template: {spec: {restartPolicy: Never, automountServiceAccountToken: false, nodeName: node-1, containers: [{name: c, image: busybox, command: ["false"]}]}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: succeeds, namespace: states, labels: {app: job}, annotations: {a: b}}
spec:
  template:
    spec:
      restartPolicy: Never
      automountServiceAccountToken: false
      nodeName: node-1
      containers: [{name: c, image: busybox, command: ["true"], terminationMessagePath: /dev/log}]
---
apiVersion: v1
kind: Pod
metadata: {name: exits, namespace: states, labels: {app: ended}}
spec:
  nodeName: node-1
  restartPolicy: Never
  automountServiceAccountToken: false
  containers:
  - {name: three, image: busybox, command: [sh, -c, "echo gone > /dev/termination-log; exit 3"]}
  - {name: zero, image: busybox, command: ["true"]}
---
apiVersion: v1
kind: Pod
metadata: {name: stuck-init, namespace: states}
spec:
  nodeName: node-2
  restartPolicy: Never
  automountServiceAccountToken: false
  initContainers: [{name: first, image: busybox, command: ["false"]}, {name: second, image: busybox}]
  containers: [{name: main, image: nginx}]
---
apiVersion: v1
kind: Pod
metadata: {name: no-map, namespace: states}
spec:
  nodeName: node-2
  automountServiceAccountToken: false
  containers: [{name: main, image: nginx, env: [{name: A, valueFrom: {configMapKeyRef: {name: nosuch, key: a}}}]}]
---
apiVersion: v1
kind: Pod
metadata: {name: affine, namespace: states}
spec:
  schedulerName: nobody
  hostNetwork: true
  priority: 0
  terminationGracePeriodSeconds: 0
  topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {a: b}}}]
  securityContext: {runAsUser: 1000}
  containers:
  - name: c
    image: busybox
    lifecycle: {preStop: {exec: {command: [sleep, "1"]}}}
    livenessProbe: {httpGet: {path: x, port: http, scheme: HTTPS, host: example.com}, timeoutSeconds: 5, successThreshold: 1}
    readinessProbe: {exec: {command: [test, -f, /a b]}}
    startupProbe: {tcpSocket: {port: 22, host: h}}
    volumeDevices: [{name: block, devicePath: /dev/xvda}]
    ports: [{name: http, containerPort: 8080, protocol: UDP, hostPort: 8080}]
    resources: {limits: {example.com/gpu: "1", cpu: 1500m, ephemeral-storage: 1Gi}}
  volumes:
  - {name: block, persistentVolumeClaim: {claimName: block}}
  - {name: gce, gcePersistentDisk: {pdName: d, fsType: ext4, partition: 1, readOnly: true}}
  - {name: aws, awsElasticBlockStore: {volumeID: v, partition: 2}}
  - {name: git, gitRepo: {repository: "https://example.com/r.git", revision: abc, directory: d}}
  - {name: gluster, glusterfs: {endpoints: e, path: p, readOnly: true}}
  - {name: cinder, cinder: {volumeID: v, secretRef: {name: s}}}
  - {name: cephfs, cephfs: {monitors: [a, b], path: /, user: u, secretFile: f}}
  - {name: azure, azureDisk: {diskName: n, diskURI: "https://a.blob.core.windows.net/c/d.vhd"}}
  - {name: azurefile, azureFile: {secretName: s, shareName: t}}
  - {name: vsphere, vsphereVolume: {volumePath: p, storagePolicyName: n}}
  - {name: photon, photonPersistentDisk: {pdID: p}}
  - {name: portworx, portworxVolume: {volumeID: p}}
  - {name: scaleio, scaleIO: {gateway: g, system: s, secretRef: {name: s}, volumeName: v}}
  - {name: storageos, storageos: {volumeName: v, volumeNamespace: n}}
  - {name: quobyte, quobyte: {registry: "r:7861", volume: v}}
  - {name: flocker, flocker: {datasetName: d}}
  - {name: ephemeral, configMap: {name: m, items: [{key: k, path: p}], optional: true, defaultMode: 256}}
---
apiVersion: v1
kind: Service
metadata: {name: sticky, namespace: states, annotations: {b: "2", a: "1"}, labels: {z: "1", a: "2"}}
spec:
  clusterIP: 10.0.0.120
  sessionAffinity: ClientIP
  externalIPs: [1.2.3.4, 5.6.7.8]
  publishNotReadyAddresses: true
  ports: [{name: a, port: 80, targetPort: 0}, {name: b, port: 443, protocol: SCTP, appProtocol: https}]
---
apiVersion: v1
kind: Service
metadata: {name: headless, namespace: states}
spec: {clusterIP: None, selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: noports, namespace: states}
spec: {clusterIP: None, selector: {app: nosuch}}
---
apiVersion: v1
kind: Service
metadata: {name: named, namespace: states}
spec: {type: ExternalName, externalName: example.org, ports: [{name: x, port: 1}]}
---
apiVersion: v1
kind: Endpoints
metadata: {name: bare, namespace: states, labels: {a: b}}
---
apiVersion: v1
kind: Endpoints
metadata: {name: unready, namespace: states}
subsets: [{notReadyAddresses: [{ip: 1.1.1.1, nodeName: n, targetRef: {kind: Pod, name: p}}, {ip: 1.1.1.2}]}]
---
apiVersion: discovery.k8s.io/v1beta1
kind: EndpointSlice
metadata: {name: bare, namespace: states}
addressType: FQDN
endpoints: []
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: bare, namespace: states, annotations: {note: "line one"}}
spec: {ingressClassName: outer, rules: [{host: "*.example.com"}, {host: h.example.com, http: {paths: [{pathType: ImplementationSpecific, backend: {service: {name: sticky, port: {name: a}}}}]}}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: balanced, namespace: states}
spec: {tls: [{}], defaultBackend: {resource: {kind: Bucket, name: b}}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: wide, namespace: states, labels: {a: b}, annotations: {c: d}}
spec:
  podSelector: {matchExpressions: [{key: a, operator: Exists}, {key: b, operator: In, values: [x, y]}]}
  policyTypes: [Ingress, Egress]
  ingress: [{from: [{namespaceSelector: {matchLabels: {x: y}}, podSelector: {}}]}]
  egress: [{ports: [{protocol: TCP}]}, {to: [{ipBlock: {cidr: 0.0.0.0/0}}]}]
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: claimed, finalizers: [example.com/keep]}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  volumeMode: Block
  storageClassName: ""
  mountOptions: [ro, hard]
  claimRef: {namespace: nowhere, name: gone}
  iscsi: {targetPortal: 10.0.0.1, iqn: "iqn.2001-04.com.example:disk", lun: 1, portals: [a, b], chapAuthDiscovery: true, secretRef: {name: s, namespace: n}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: zoned}
spec:
  capacity: {storage: 2Gi}
  accessModes: [ReadWriteOnce, ReadWriteMany, ReadOnlyMany]
  nfs: {server: s, path: /p, readOnly: true}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: NotIn, values: [b]}]}, {matchFields: [{key: metadata.name, operator: In, values: [n]}]}]}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: block, namespace: states, annotations: {a: b}, labels: {c: d}}
spec:
  accessModes: [ReadWriteMany]
  volumeMode: Block
  storageClassName: ""
  volumeName: nosuch
  selector: {matchLabels: {a: b}}
  dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: s}
  resources: {requests: {storage: 1500Mi}}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: topology, labels: {a: b}}
provisioner: example.com/p
reclaimPolicy: Retain
allowVolumeExpansion: false
allowedTopologies: [{matchLabelExpressions: [{key: a, values: [x]}, {key: b, values: [y, z]}]}]
---
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: bare}
spec: {drivers: []}
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: csi.example.com}
spec: {attachRequired: false, podInfoOnMount: true, volumeLifecycleModes: [Persistent, Ephemeral]}
---
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: expressions, namespace: states}
spec: {minAvailable: 50%, selector: {matchExpressions: [{key: a, operator: NotIn, values: [b, c]}, {key: d, operator: DoesNotExist}]}}
---
apiVersion: policy/v1beta1
kind: PodSecurityPolicy
metadata: {name: loose}
spec:
  privileged: true
  allowPrivilegeEscalation: true
  defaultAddCapabilities: [NET_ADMIN]
  allowedCapabilities: ["*"]
  volumes: ["*"]
  hostNetwork: true
  hostPID: true
  hostIPC: true
  hostPorts: [{min: 0, max: 65535}, {min: 5, max: 6}]
  allowedHostPaths: [{pathPrefix: /a}, {pathPrefix: /b, readOnly: true}]
  allowedFlexVolumes: [{driver: d}, {driver: e}]
  allowedCSIDrivers: [{name: c}]
  allowedProcMountTypes: [Default]
  readOnlyRootFilesystem: true
  forbiddenSysctls: [a.b]
  seLinux: {rule: RunAsAny}
  runAsUser: {rule: MustRunAsNonRoot}
  runAsGroup: {rule: MayRunAs, ranges: [{min: 1, max: 2}]}
  fsGroup: {rule: MustRunAs, ranges: [{min: 1, max: 2}, {min: 3, max: 4}]}
  supplementalGroups: {rule: MayRunAs, ranges: [{min: 1, max: 2}]}
---
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: lost, namespace: states, annotations: {a: b}}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: nosuch}, minReplicas: 2, maxReplicas: 3, targetCPUUtilizationPercentage: 70}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: joined, labels: {a: b}}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {nosuch: "true"}}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: bare, namespace: states}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: long, namespace: states}
rules:
- {apiGroups: [apps, "", extensions], resources: [deployments, pods/log], resourceNames: [z, a], verbs: [watch, get, "*"]}
- {apiGroups: [apps], resources: ["*"], verbs: [get]}
- {apiGroups: [""], resources: [pods/log], resourceNames: [a], verbs: [create]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: nobody, namespace: states}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: nosuch}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: tokens, namespace: states, annotations: {a: b}, labels: {c: d}}
imagePullSecrets: [{name: pull}, {name: gone}]
secrets: [{name: gone}]
automountServiceAccountToken: false
---
apiVersion: v1
kind: Secret
metadata: {name: pull, namespace: states}
type: kubernetes.io/dockerconfigjson
data: {.dockerconfigjson: e30=}
---
apiVersion: v1
kind: Secret
metadata: {name: bare, namespace: states, annotations: {a: "one\\ntwo"}}
type: example.com/own
immutable: true
---
apiVersion: v1
kind: ConfigMap
metadata: {name: mixed, namespace: states}
immutable: true
data: {"one.txt": " x\\ny "}
binaryData: {bin: AAEC, another: /w==}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: bare, namespace: states}
---
apiVersion: v1
kind: PodTemplate
metadata: {name: small, namespace: states}
template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: never}
value: -5
preemptionPolicy: Never
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: gvisor}
handler: runsc
scheduling: {nodeSelector: {a: b}, tolerations: [{key: k, operator: Exists}]}
overhead: {podFixed: {cpu: 100m}}
---
apiVersion: batch/v1beta1
kind: CronJob
metadata: {name: bare, namespace: states}
spec:
  schedule: "@yearly"
  suspend: true
  successfulJobsHistoryLimit: 0
  concurrencyPolicy: Replace
  jobTemplate: {metadata: {labels: {a: b}}, spec: {completions: 2, activeDeadlineSeconds: 5, backoffLimit: 1, template: {spec: {restartPolicy: Never, nodeSelector: {x: y}, containers: [{name: c, image: i, command: [a, "b c"], args: [d], env: [{name: E, value: f}]}]}}}}
---
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: refused}
spec:
  signerName: example.com/signer
  usages: [digital signature, client auth]
  request: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJREVqQ0NBZm9DQVFBd2V6RUxNQWtHQTFVRUJoTUNSRVV4RHpBTkJnTlZCQWdNQmtKbGNteHBiakVPTUF3RwpBMVVFQnd3RlRXbDBkR1V4RHpBTkJnTlZCQW9NQmxSbFlXMGdRVEVQTUEwR0ExVUVDZ3dHVkdWaGJTQkNNUTB3CkN3WURWUVFMREFSVmJtbDBNUTB3Q3dZRFZRUUREQVJxWVc1bE1Rc3dDUVlEVlFRRkV3STBNakNDQVNJd0RRWUoKS29aSWh2Y05BUUVCQlFBRGdnRVBBRENDQVFvQ2dnRUJBTlpleVpiZ2ZKOHFieExWZ28xNlVLdXp4TDFSdWNObwplY1RkSDBqRlcwdzkyTmdVcU1Da3BHZ1BzUloybnlqZFJzK2pCU1FsOHAzWUdOTlkvSjU1bDJiQ3dYN2xJSkI1CnlCa2NMbDFJOE04MFhnWk14T3F1ZWQ5V1V3YTNIRGtoT2FyVkxBUjk3L2ovSTl6dW4rTVZNRCttTzBmL0hKdS8KUlR5WVRZVWRBb2RDeHFsQVY4cXd5MEk5VFdNdEdoSk5TY1NSV1I1RE9sYitLNnJQd2pzcUVQRG9jRkg5ZkdMbgpIMmpGYU45VWVlcVdQVjQwQWZ3QmFyM2ZROU40N2J4dk5Jc1VPbXRpQ3BDWWNTYXBaWGRNWFZJcHlqa3B2TFBhCmZndW10VmE2MnRZM2JUMnNlcHJlY3B4c05xdVR2bkV2ckd4OVBhcDJQVEV2Ump5eGFKQk8zRVVDQXdFQUFhQlMKTUZBR0NTcUdTSWIzRFFFSkRqRkRNRUV3UHdZRFZSMFJCRGd3Tm9JTllTNWxlR0Z0Y0d4bExtTnZiWUlOWWk1bAplR0Z0Y0d4bExtTnZiWWNFQ2dBQUFZRVFhbUZ1WlVCbGVHRnRjR3hsTG1OdmJUQU5CZ2txaGtpRzl3MEJBUXNGCkFBT0NBUUVBZ3dGYld4ZjZiRmxoOTJ1YUJqVnYybDdzRmw4SEloaWhIdkU1enBLN2hGSVBNeDhlY2FsazhEdlcKUWgvdFEzUHV6MGRxbXcwQklWTFFyajRpVEpsY2F1RVM3eXZuTlhvRDNCVElUTnRuODUzMUlLRFhRUlZ1a1VhRAovY0tPdWhlTWVGd3JjQnkvWW5yVFNHcHJ3SW1tWWRaU2lmeXRwaVlZZUxMSmIxU1d5YXpudnpwa2s3SkZMWVFTCjFIMTRvVjRYV2pEcWo0cWxuK1Q0WEdNWUtDZGZCVHJVOGRYN2N4bGo0VDVQc0RyUWlPRnYrMVpEZXR3L0gvZzkKYmRmYUx5dmZ3WmM5Y0NHRHhZUkRnMXhic1ZXUlV1UmlQWktVYmJ1SWthL2ZSZTNNSlduWVpncWVod29td3ZvMgoxRFJJOGpHdkRvNVBGOTQ1b1hucWtMQWY0aWFqUVE9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K
---
apiVersion: v1
kind: Event
metadata: {name: by-hand.1, namespace: states}
involvedObject: {kind: ConfigMap, namespace: states, name: bare, apiVersion: v1}
reason: Touched
message: "by hand  \\n"
type: Warning
source: {component: someone, host: somewhere}
firstTimestamp: "2020-01-01T00:00:00Z"
lastTimestamp: "2020-01-01T00:00:00Z"
count: 1
---
apiVersion: v1
kind: Event
metadata: {name: by-hand.2, namespace: states}
involvedObject: {kind: ConfigMap, namespace: states, name: bare, fieldPath: "data{x}"}
reason: Series
message: "a series"
type: Normal
reportingComponent: example.com/reporter
reportingInstance: r-1
action: Doing
eventTime: "2020-01-01T00:00:00.000000Z"
series: {count: 7, lastObservedTime: "2020-01-01T00:01:00.000000Z"}
`;
