/** The label by which a Deployment tells apart the pods of its ReplicaSets. */
export const POD_TEMPLATE_HASH = 'pod-template-hash';

interface Template {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
}

/** A ReplicaSet's pod template without that label: as it stood in its Deployment. */
export function withoutHash<T extends Template>(template: T): T {
  const { [POD_TEMPLATE_HASH]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}
