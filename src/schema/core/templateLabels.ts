/** Labels that an object takes from its pod template. */
interface Templated {
  metadata: { labels?: Record<string, string> };
  spec: { template?: { metadata: { labels?: Record<string, string> } } };
}

/** Gives an object without labels those of its template. */
export function labelLikeTemplate({ metadata, spec }: Templated): void {
  const labels = spec.template?.metadata.labels;
  if (labels) metadata.labels ??= { ...labels };
}
