// Adds a container to every pod that asks for one with the label inject: "yes".
// review is the AdmissionReview that the API server sends; what is returned is its response.
export default (review) => {
  const { labels = {} } = review.request.object.metadata;
  const { containers } = review.request.object.spec;
  const present = containers.some(({ name }) => name === 'sidecar');
  if (labels.inject !== 'yes' || present) return { allowed: true };

  console.log(`a sidecar for ${review.request.namespace}/${review.request.name}`);
  return {
    allowed: true,
    // A list of operations of JSON patch. On the wire it is base64; that is done for you.
    patch: [{ op: 'add', path: '/spec/containers/-', value: { name: 'sidecar', image: 'nginx' } }],
    auditAnnotations: { injected: 'sidecar' },
  };
};
