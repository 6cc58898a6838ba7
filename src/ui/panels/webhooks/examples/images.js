// Decides which images may run. review is an ImageReview; what is returned is its status.
export default ({ spec }) => {
  const foreign = spec.containers.find(({ image }) => image.endsWith(':latest'));
  return foreign ? { allowed: false, reason: `${foreign.image} may be another image tomorrow` } : { allowed: true };
};
