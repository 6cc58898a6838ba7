// Decides what a user may do. review is a SubjectAccessReview; what is returned is its status.
export default ({ spec }) => {
  const { verb, resource } = spec.resourceAttributes ?? {};
  const groups = spec.group ?? spec.groups ?? [];
  if (groups.includes('gardeners') && resource === 'pods' && verb === 'delete') {
    return { allowed: false, denied: true, reason: 'gardeners do not pull out pods' };
  }
  return { allowed: groups.includes('gardeners'), reason: 'gardeners may do the rest' };
};
