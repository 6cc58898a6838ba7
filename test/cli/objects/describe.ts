/** Objects of every kind that has a description of its own, in states that do not depend on chance. */

export const describeObjects = `
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: important, annotations: {a: b}}
value: 1000
description: Comes first.
---
apiVersion: v1
kind: Namespace
metadata: {name: limited, labels: {team: a}, annotations: {note: "short", long: "${'word '.repeat(40).trim()}", lines: "one\\ntwo"}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: besteffort, namespace: limited}
spec: {hard: {pods: "3"}, scopes: [BestEffort, NotTerminating]}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: compute, namespace: limited}
spec: {hard: {requests.cpu: "2", requests.memory: 2Gi, configmaps: "10"}}
---
apiVersion: v1
kind: LimitRange
metadata: {name: cpu, namespace: limited}
spec: {limits: [{type: Container, max: {cpu: "2"}, min: {cpu: 100m}, default: {cpu: 500m}, defaultRequest: {cpu: 250m}, maxLimitRequestRatio: {cpu: "10"}}]}
---
apiVersion: v1
kind: Namespace
metadata: {name: kinds}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: builder, namespace: kinds}
imagePullSecrets: [{name: missing}]
---
apiVersion: v1
kind: Pod
metadata:
  {name: many-fields, namespace: kinds, labels: {app: web, tier: front}, annotations: {b: "2", a: "1"}}
spec:
  nodeName: node-2
  serviceAccountName: default
  automountServiceAccountToken: false
  nodeSelector: {disk: ssd, zone: a}
  tolerations: [{operator: Exists}, {key: gpu, operator: Equal, value: "yes", effect: NoSchedule}, {key: slow, operator: Exists, effect: NoExecute, tolerationSeconds: 60}]
  readinessGates: [{conditionType: example.com/ready}]
  initContainers: [{name: prepare, image: busybox, command: [sh, -c, "true"]}]
  containers:
    - name: main
      image: nginx:1.19
      command: [sh, -c, "echo one\\necho two"]
      args: [a, b]
      ports: [{containerPort: 80}, {containerPort: 443, hostPort: 8443}]
      resources: {limits: {cpu: 500m, memory: 128Mi}, requests: {cpu: 250m, memory: 64Mi}}
      livenessProbe: {httpGet: {path: /healthz, port: 80}, initialDelaySeconds: 1000}
      readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1000}
      startupProbe: {exec: {command: ["cat", "/ok"]}, failureThreshold: 30, periodSeconds: 1000}
      envFrom: [{configMapRef: {name: settings, optional: true}}, {prefix: P_, secretRef: {name: password, optional: true}}]
      env:
        - {name: PLAIN, value: "one\\ntwo"}
        - {name: EMPTY}
        - {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
        - {name: LABEL, valueFrom: {fieldRef: {fieldPath: "metadata.labels['app']"}}}
        - {name: ADDRESS, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
        - {name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}
        - {name: MILLI, valueFrom: {resourceFieldRef: {resource: requests.cpu, divisor: 1m}}}
        - {name: MEMORY, valueFrom: {resourceFieldRef: {resource: limits.memory, divisor: 1Mi}}}
        - {name: SECRET, valueFrom: {secretKeyRef: {name: password, key: password, optional: true}}}
        - {name: MAP, valueFrom: {configMapKeyRef: {name: settings, key: plain, optional: true}}}
      volumeMounts: [{name: scratch, mountPath: /scratch}, {name: config, mountPath: /config, readOnly: true, subPath: plain}]
    - {name: side, image: busybox}
  volumes:
    - {name: scratch, emptyDir: {}}
    - {name: memory, emptyDir: {medium: Memory, sizeLimit: 1Gi}}
    - {name: config, configMap: {name: settings, optional: true}}
    - {name: secret, secret: {secretName: password, optional: true}}
    - {name: host, hostPath: {path: /var/log, type: Directory}}
    - {name: claim, persistentVolumeClaim: {claimName: data, readOnly: true}}
    - {name: nfs, nfs: {server: files.example.com, path: /exports}}
    - {name: info, downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}, {path: cpu, resourceFieldRef: {containerName: main, resource: limits.cpu}}]}}
    - {name: all, projected: {sources: [{configMap: {name: settings}}, {downwardAPI: {items: []}}, {serviceAccountToken: {path: token, expirationSeconds: 3600}}]}}
    - {name: csi, csi: {driver: csi.example.com, volumeAttributes: {a: "1"}}}
    - {name: ceph, rbd: {monitors: [a, b], image: foo, secretRef: {name: s}}}
    - {name: iscsi, iscsi: {targetPortal: 10.0.0.1, iqn: "iqn.2001-04.com.example:disk", lun: 1}}
    - {name: flex, flexVolume: {driver: example.com/d, options: {a: b}}}
    - {name: fc, fc: {targetWWNs: [w1, w2], lun: 2}}
---
apiVersion: v1
kind: Pod
metadata: {name: nowhere, namespace: kinds, labels: {app: nowhere}}
spec: {nodeSelector: {disk: nosuch}, containers: [{name: main, image: nginx, resources: {requests: {cpu: "1000"}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: running-1, namespace: kinds, labels: {app: run}}
spec: {nodeName: node-1, automountServiceAccountToken: false, containers: [{name: main, image: nginx, resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {memory: 128Mi}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: running-2, namespace: kinds, labels: {app: run}}
spec: {nodeName: node-1, automountServiceAccountToken: false, priorityClassName: important, containers: [{name: main, image: nginx}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: site, namespace: kinds, labels: {app: site}}
spec:
  replicas: 2
  minReadySeconds: 0
  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 25%}}
  selector: {matchLabels: {app: site}, matchExpressions: [{key: tier, operator: In, values: [b, a]}]}
  template:
    metadata: {labels: {app: site, tier: a}, annotations: {checksum: "1"}}
    spec:
      serviceAccountName: builder
      automountServiceAccountToken: false
      initContainers: [{name: prepare, image: busybox}]
      containers: [{name: web, image: "nginx:1.19", ports: [{containerPort: 80}], env: [{name: A, value: b}], volumeMounts: [{name: scratch, mountPath: /s}]}]
      volumes: [{name: scratch, emptyDir: {}}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: again, namespace: kinds}
spec:
  replicas: 0
  strategy: {type: Recreate}
  selector: {matchLabels: {app: again}}
  template: {metadata: {labels: {app: again}}, spec: {containers: [{name: web, image: nginx}]}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: store, namespace: kinds}
spec:
  replicas: 0
  serviceName: store
  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 1}}
  selector: {matchLabels: {app: store}}
  template: {metadata: {labels: {app: store}}, spec: {priorityClassName: important, containers: [{name: db, image: redis}]}}
  volumeClaimTemplates:
    - {metadata: {name: data, labels: {a: b}}, spec: {accessModes: [ReadWriteOnce], storageClassName: slow, resources: {requests: {storage: 1Gi}}}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: kinds}
spec:
  selector: {matchLabels: {app: agent}}
  template: {metadata: {labels: {app: agent}}, spec: {nodeSelector: {disk: nosuch}, containers: [{name: agent, image: busybox}]}}
---
apiVersion: v1
kind: ReplicationController
metadata: {name: old, namespace: kinds}
spec: {replicas: 0, selector: {app: old}, template: {metadata: {labels: {app: old}}, spec: {containers: [{name: c, image: busybox}]}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: once, namespace: kinds, labels: {app: once}}
spec:
  parallelism: 0
  completions: 3
  activeDeadlineSeconds: 600000
  template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox, command: ["true"]}]}}
---
apiVersion: batch/v1beta1
kind: CronJob
metadata: {name: often, namespace: kinds}
spec:
  schedule: "*/5 * * * *"
  suspend: true
  startingDeadlineSeconds: 30
  concurrencyPolicy: Forbid
  jobTemplate: {spec: {parallelism: 2, template: {spec: {restartPolicy: OnFailure, containers: [{name: c, image: busybox}]}}}}
---
apiVersion: v1
kind: Service
metadata: {name: site, namespace: kinds, labels: {app: site}}
spec: {clusterIP: 10.0.0.110, selector: {app: run}, ports: [{name: http, port: 80, targetPort: 8080}, {name: admin, port: 81, targetPort: admin, protocol: UDP}]}
---
apiVersion: v1
kind: Service
metadata: {name: balanced, namespace: kinds}
spec:
  type: LoadBalancer
  clusterIP: 10.0.0.111
  loadBalancerIP: 1.2.3.4
  externalIPs: [5.6.7.8]
  loadBalancerSourceRanges: [10.0.0.0/8]
  externalTrafficPolicy: Local
  healthCheckNodePort: 31999
  ports: [{port: 80, nodePort: 31080}]
---
apiVersion: v1
kind: Service
metadata: {name: elsewhere, namespace: kinds}
spec: {type: ExternalName, externalName: example.com}
---
apiVersion: v1
kind: Endpoints
metadata: {name: byhand, namespace: kinds}
subsets:
  - {addresses: [{ip: 1.1.1.1}, {ip: 1.1.1.2}], notReadyAddresses: [{ip: 1.1.1.3}], ports: [{name: http, port: 80}, {name: dns, port: 53, protocol: UDP}]}
  - {addresses: [{ip: 2.2.2.2}]}
---
apiVersion: v1
kind: Service
metadata: {name: byhand, namespace: kinds}
spec: {clusterIP: 10.0.0.112, ports: [{name: http, port: 80}, {name: dns, port: 53, protocol: UDP}]}
---
apiVersion: discovery.k8s.io/v1beta1
kind: EndpointSlice
metadata: {name: slice, namespace: kinds, labels: {a: b}}
addressType: IPv4
ports: [{name: http, port: 80, protocol: TCP}, {name: "", port: 81}]
endpoints:
  - {addresses: ["1.1.1.1"], conditions: {ready: true}, hostname: one, targetRef: {kind: Pod, name: p}, topology: {zone: z, kubernetes.io/hostname: n}}
  - {addresses: ["1.1.1.2"]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front, namespace: kinds, annotations: {a: b}}
spec:
  defaultBackend: {service: {name: byhand, port: {number: 80}}}
  tls: [{hosts: [a.example.com, b.example.com], secretName: cert}, {hosts: [c.example.com]}]
  rules:
    - {host: a.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: byhand, port: {name: dns}}}}, {path: /x, pathType: Exact, backend: {service: {name: nosuch, port: {number: 80}}}}]}}
    - {http: {paths: [{path: /y, pathType: Exact, backend: {resource: {apiGroup: example.com, kind: Bucket, name: b}}}]}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: plain, namespace: kinds}
spec: {defaultBackend: {service: {name: byhand, port: {number: 80}}}}
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: outer}
spec: {controller: example.com/c, parameters: {apiGroup: example.com, kind: P, name: p}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: deny, namespace: kinds}
spec: {podSelector: {}, policyTypes: [Ingress, Egress]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: rules, namespace: kinds}
spec:
  podSelector: {matchLabels: {app: web}}
  policyTypes: [Ingress]
  ingress:
    - {ports: [{port: 80}, {port: dns, protocol: UDP}, {protocol: SCTP}], from: [{podSelector: {matchLabels: {a: b}}}, {namespaceSelector: {}, podSelector: {matchLabels: {c: d}}}, {namespaceSelector: {matchExpressions: [{key: k, operator: NotIn, values: [v]}]}}]}
    - {from: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16, 10.2.0.0/16]}}]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: out, namespace: kinds}
spec: {podSelector: {}, policyTypes: [Egress], egress: [{}, {to: [{podSelector: {}}], ports: [{port: 53}]}]}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk, labels: {a: b}}
spec:
  capacity: {storage: 5Gi}
  accessModes: [ReadWriteOnce, ReadOnlyMany]
  storageClassName: byhand
  persistentVolumeReclaimPolicy: Retain
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [b, c]}, {key: d, operator: Exists}]}]}}
  local: {path: /disk}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: remote}
spec: {capacity: {storage: 5Gi}, accessModes: [ReadWriteMany], storageClassName: other, csi: {driver: csi.example.com, volumeHandle: h, fsType: ext4}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: kinds}
spec: {accessModes: [ReadWriteOnce], storageClassName: nosuch, resources: {requests: {storage: 1Gi}}}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: slow, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: example.com/p
parameters: {type: hdd, zone: a}
mountOptions: [ro, sync]
allowVolumeExpansion: true
volumeBindingMode: WaitForFirstConsumer
allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [a, b]}]}]
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: bare}
provisioner: example.com/p
---
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: elsewhere}
spec: {drivers: [{name: csi.example.com, nodeID: n1, topologyKeys: [zone], allocatable: {count: 8}}]}
---
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: min, namespace: kinds}
spec: {minAvailable: 1, selector: {matchLabels: {app: nosuch}}}
---
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: max, namespace: kinds}
spec: {maxUnavailable: 30%, selector: {matchLabels: {app: nosuch}}}
---
apiVersion: policy/v1beta1
kind: PodSecurityPolicy
metadata: {name: strict}
spec:
  privileged: false
  requiredDropCapabilities: [ALL]
  volumes: [configMap, secret]
  hostPorts: [{min: 1, max: 2}]
  allowedUnsafeSysctls: ["kernel.msg*"]
  seLinux: {rule: MustRunAs, seLinuxOptions: {user: u, level: l}}
  runAsUser: {rule: MustRunAs, ranges: [{min: 1, max: 5}]}
  fsGroup: {rule: RunAsAny}
  supplementalGroups: {rule: RunAsAny}
---
apiVersion: autoscaling/v2beta2
kind: HorizontalPodAutoscaler
metadata: {name: site, namespace: kinds}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: again}
  maxReplicas: 5
  metrics:
    - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}
    - {type: Resource, resource: {name: memory, target: {type: AverageValue, averageValue: 64Mi}}}
    - {type: Pods, pods: {metric: {name: hits}, target: {type: AverageValue, averageValue: "10"}}}
    - {type: Object, object: {describedObject: {kind: Service, name: s}, metric: {name: rate}, target: {type: Value, value: "5"}}}
    - {type: External, external: {metric: {name: queue}, target: {type: AverageValue, averageValue: "3"}}}
  behavior: {scaleUp: {stabilizationWindowSeconds: 10, policies: [{type: Pods, value: 4, periodSeconds: 15}]}, scaleDown: {selectPolicy: Min, policies: [{type: Percent, value: 10, periodSeconds: 60}]}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: several, namespace: kinds}
rules:
  - {apiGroups: ["", apps], resources: [pods, deployments/scale], verbs: [get, list]}
  - {apiGroups: [""], resources: [pods], verbs: [watch]}
  - {apiGroups: [""], resources: [configmaps], resourceNames: [a, b], verbs: ["*"]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: paths, annotations: {a: b}}
rules: [{nonResourceURLs: [/healthz, "/logs/*"], verbs: [get]}, {apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: several, namespace: kinds}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: several}
subjects: [{kind: User, name: jane, apiGroup: rbac.authorization.k8s.io}, {kind: ServiceAccount, name: builder, namespace: kinds}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: paths}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: paths}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: one, namespace: kinds}
data: {greeting: "hello\\nworld\\n"}
---
apiVersion: v1
kind: Secret
metadata: {name: one, namespace: kinds}
data: {password: aHVudGVyMg==}
---
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: jane, labels: {a: b}}
spec:
  signerName: example.com/signer
  usages: [client auth]
  request: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJREVqQ0NBZm9DQVFBd2V6RUxNQWtHQTFVRUJoTUNSRVV4RHpBTkJnTlZCQWdNQmtKbGNteHBiakVPTUF3RwpBMVVFQnd3RlRXbDBkR1V4RHpBTkJnTlZCQW9NQmxSbFlXMGdRVEVQTUEwR0ExVUVDZ3dHVkdWaGJTQkNNUTB3CkN3WURWUVFMREFSVmJtbDBNUTB3Q3dZRFZRUUREQVJxWVc1bE1Rc3dDUVlEVlFRRkV3STBNakNDQVNJd0RRWUoKS29aSWh2Y05BUUVCQlFBRGdnRVBBRENDQVFvQ2dnRUJBTlpleVpiZ2ZKOHFieExWZ28xNlVLdXp4TDFSdWNObwplY1RkSDBqRlcwdzkyTmdVcU1Da3BHZ1BzUloybnlqZFJzK2pCU1FsOHAzWUdOTlkvSjU1bDJiQ3dYN2xJSkI1CnlCa2NMbDFJOE04MFhnWk14T3F1ZWQ5V1V3YTNIRGtoT2FyVkxBUjk3L2ovSTl6dW4rTVZNRCttTzBmL0hKdS8KUlR5WVRZVWRBb2RDeHFsQVY4cXd5MEk5VFdNdEdoSk5TY1NSV1I1RE9sYitLNnJQd2pzcUVQRG9jRkg5ZkdMbgpIMmpGYU45VWVlcVdQVjQwQWZ3QmFyM2ZROU40N2J4dk5Jc1VPbXRpQ3BDWWNTYXBaWGRNWFZJcHlqa3B2TFBhCmZndW10VmE2MnRZM2JUMnNlcHJlY3B4c05xdVR2bkV2ckd4OVBhcDJQVEV2Ump5eGFKQk8zRVVDQXdFQUFhQlMKTUZBR0NTcUdTSWIzRFFFSkRqRkRNRUV3UHdZRFZSMFJCRGd3Tm9JTllTNWxlR0Z0Y0d4bExtTnZiWUlOWWk1bAplR0Z0Y0d4bExtTnZiWWNFQ2dBQUFZRVFhbUZ1WlVCbGVHRnRjR3hsTG1OdmJUQU5CZ2txaGtpRzl3MEJBUXNGCkFBT0NBUUVBZ3dGYld4ZjZiRmxoOTJ1YUJqVnYybDdzRmw4SEloaWhIdkU1enBLN2hGSVBNeDhlY2FsazhEdlcKUWgvdFEzUHV6MGRxbXcwQklWTFFyajRpVEpsY2F1RVM3eXZuTlhvRDNCVElUTnRuODUzMUlLRFhRUlZ1a1VhRAovY0tPdWhlTWVGd3JjQnkvWW5yVFNHcHJ3SW1tWWRaU2lmeXRwaVlZZUxMSmIxU1d5YXpudnpwa2s3SkZMWVFTCjFIMTRvVjRYV2pEcWo0cWxuK1Q0WEdNWUtDZGZCVHJVOGRYN2N4bGo0VDVQc0RyUWlPRnYrMVpEZXR3L0gvZzkKYmRmYUx5dmZ3WmM5Y0NHRHhZUkRnMXhic1ZXUlV1UmlQWktVYmJ1SWthL2ZSZTNNSlduWVpncWVod29td3ZvMgoxRFJJOGpHdkRvNVBGOTQ1b1hucWtMQWY0aWFqUVE9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: wheel, namespace: kinds, labels: {a: b}}
spec: {sizeInCm: 12, apiURL: "http://x", parts: [{name: hub, weightKg: 1.5}, {name: rim}], tags: [a, b], nested: {deepValue: true, "odd.key": 1}}
`;
