/** Names of container images, as the reference reads them: `[domain/]path[:tag][@digest]`. */

const PART = String.raw`[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*`;
const LABEL = String.raw`(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])`;
const DOMAIN = String.raw`${LABEL}(?:\.${LABEL})*(?::[0-9]+)?`;
/** Without a dot, a port or the name `localhost`, the first part is no domain but a part of the path. */
const IS_DOMAIN = '(?=[^/]*[.:]|localhost/)';
const TAG = String.raw`\w[\w.-]{0,127}`;
const DIGEST = String.raw`[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}`;
const REFERENCE = new RegExp(`^(?:${IS_DOMAIN}${DOMAIN}/)?${PART}(?:/${PART})*(?::(${TAG}))?(?:@(${DIGEST}))?$`);
const IDENTIFIER = /^[a-f0-9]{64}$/;

/** Whether the image's tag is `latest`, spelled out or by default. What is no image name has no tag. */
export function isLatest(image: string): boolean {
  if (IDENTIFIER.test(image)) return false;
  const parts = REFERENCE.exec(image);
  if (!parts) return false;
  const [, tag, digest] = parts;
  return tag === undefined ? digest === undefined : tag === 'latest';
}
