/** The resource of a request, as far as it decides whether its bodies contain secrets. */
export interface RequestedResource {
  readonly resource: string;
  readonly subresource: string;
}

/** Whether what goes to and from this resource may be a secret or a token. */
export function carriesSecrets({ resource, subresource }: RequestedResource): boolean {
  return resource === 'secrets' || resource === 'tokenreviews' || subresource === 'token';
}
