import { useAddress } from '../../stores/address.ts';
import { findResource, useResources, type Resource } from '../../stores/resources.ts';

/** The resource that the address names behind the tab, as in `watch/paging/core/configmaps`. */
export function useAskedResource(): Resource | undefined {
  const resources = useResources((state) => state.resources);
  const [, group = '', plural = ''] = useAddress((address) => address.path);
  return findResource(resources, group, plural);
}
