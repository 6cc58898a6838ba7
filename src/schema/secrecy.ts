/** What a request asks for, as far as it tells whether its bodies carry secrets. */
export interface RequestedResource {
  readonly resource: string;
  readonly subresource: string;
}

/** Whether what goes to and from this resource may be a secret or a token. */
export function carriesSecrets({ resource, subresource }: RequestedResource): boolean {
  return resource === 'secrets' || resource === 'tokenreviews' || subresource === 'token';
}
