// Refuses deployments that do not say whose they are, with a code and a message of its own.
export default ({ request }) => {
  const { name, labels = {} } = request.object.metadata;
  if (!labels.team) {
    return { allowed: false, status: { code: 422, message: `${name} needs the label team` } };
  }
  const warnings = request.object.spec.replicas > 5 ? ['more than five replicas'] : [];
  return { allowed: true, warnings };
};
