/** RBAC objects as needed for authorization; the declared kinds satisfy these types. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface Subject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

export interface RoleObject {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly rules?: readonly PolicyRule[] | null;
  /** Where it is set, a controller writes the rules from those of other roles. */
  readonly aggregationRule?: object | null;
}

export interface BindingObject {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly roleRef: RoleRef;
  readonly subjects?: readonly Subject[] | null;
}

/** Identifies a role: a ClusterRole has no namespace. */
export interface RoleId {
  readonly kind: 'Role' | 'ClusterRole';
  readonly namespace: string;
  readonly name: string;
}

/** Identifies a binding: a ClusterRoleBinding has no namespace. */
export interface BindingId {
  readonly kind: 'RoleBinding' | 'ClusterRoleBinding';
  readonly namespace: string;
  readonly name: string;
}
