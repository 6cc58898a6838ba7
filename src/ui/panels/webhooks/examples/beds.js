// Converts beds between the versions of their definition: v1 has a size such as "3x4", v2 its width and length.
export default ({ request }) => {
  const { desiredAPIVersion, objects } = request;
  // What is returned are the converted objects, in their order. Of metadata, labels and annotations may change.
  return objects.map(({ spec = {}, ...bed }) => {
    const { size = '1x1', width = 1, length = 1, ...rest } = spec;
    if (desiredAPIVersion.endsWith('/v1'))
      return { ...bed, apiVersion: desiredAPIVersion, spec: { ...rest, size: `${width}x${length}` } };
    const [w, l] = size.split('x').map(Number);
    return { ...bed, apiVersion: desiredAPIVersion, spec: { ...rest, width: w || 1, length: l || 1 } };
  });
};
